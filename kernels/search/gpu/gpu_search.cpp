// The way of an area of the host to a search on a GPU, and back; and the GPU's parts of a method.
#include "kernels/search/gpu/gpu_search.h"

#include "kernels/base/error.h"
#include "kernels/diffusion/gpu/gpu_diffusion.h"
#include "kernels/diffusion/rules/floyd_steinberg.h"
#include "kernels/gpu/context.h"
#include "kernels/gpu/gpu_halftoner.cuh"
#include "kernels/search/gpu/gpu_search_schedule.cuh"
#include "kernels/search/gpu/search_on_gpu.cuh"
#include "kernels/search/random.h"

namespace mezzo::search {
namespace {

/// A search on the GPU with the fewest planes.
class SearchFromHost final : public Search {
 public:
  SearchFromHost(const MakeSearchOnGpu& make, const Area& area, gpu::Context& context)
      : area_(area),
        lease_(context),
        bits_(lease_.device(), size_t{area.rows} * area.width_px),
        tones_(lease_.device(), bits_.size()),
        search_(make(lease_.device(), area.width_px, area.rows)),
        stream_(lease_.device()) {
    send(area.tones, tones_);
    send(area.bits, bits_);
    Area there = area;
    there.tones = tones_.data();
    there.bits = bits_.data();
    search_->begin(there, stream_.get());
    tones_ = {};
  }

  uint64_t error() const override { return search_->error(); }
  double of_255(uint64_t error) const override { return search_->of_255(error); }
  std::string_view stage() const override { return search_->stage(); }
  Round round(Team& team, const std::function<void(double part)>& pause) override {
    return search_->round(team, pause);
  }

  void finish() override {
    gpu::use(lease_.device());
    const size_t settled = size_t{area_.settled_rows} * area_.width_px;
    gpu::check(cudaMemcpyAsync(area_.bits + settled,
                               bits_.data() + settled,
                               bits_.size() - settled,
                               cudaMemcpyDeviceToHost,
                               stream_.get()),
               "fetching bits");
    stream_.wait();
  }

 private:
  template <typename T>
  void send(const T* from, const gpu::Array<T>& to) {
    gpu::check(cudaMemcpyAsync(
                   to.data(), from, to.size() * sizeof(T), cudaMemcpyHostToDevice, stream_.get()),
               "sending a plane");
  }

  const Area area_;
  const gpu::DeviceLease lease_;
  gpu::Array<uint8_t> bits_;
  gpu::Array<uint16_t> tones_;  ///< for the start
  const std::unique_ptr<SearchOnGpu> search_;
  gpu::Stream stream_;  ///< last: it goes first, and waits for its work
};

std::unique_ptr<Search> make_from_host(const MakeSearchOnGpu& make,
                                       const Area& area,
                                       gpu::Context& context) {
  if (gpu::device_count() == 0) {
    throw Error(ErrorKind::kDevice, "this search runs on a GPU, and this machine has none");
  }
  return std::make_unique<SearchFromHost>(make, area, context);
}

/// Of the start image: the bits of SearchHalftoner's, which the CPU makes.
gpu::MakeSchedule start_on_gpu(const SearchSettings& search, gpu::Context& context) {
  if (search.start == Start::kRandom) {
    const HalftoneSettings settings{.parameters = {{"seed", search.seed}}};
    return make_random_on_gpu(settings, kRandomSchedules.back(), context)->on_gpu()->make_schedule;
  }
  return diffusion::make_gpu_diffusion(
             diffusion::FloydSteinbergRule{}, diffusion::kGpuSchedules.back(), context, nullptr)
      ->on_gpu()
      ->make_schedule;
}

std::shared_ptr<const gpu::MethodOnGpu> method_on_gpu(const MakeSearchOnGpu& make,
                                                      const SearchSettings& search,
                                                      gpu::Context& context) {
  const auto make_schedule = [search, make, start = start_on_gpu(search, context)](
                                 gpu::Device device, uint32_t width_px, uint32_t max_rows) {
    return make_search_schedule(search, make, start, device, width_px, max_rows);
  };
  return std::make_shared<gpu::MethodOnGpu>(gpu::MethodOnGpu{make_schedule, &context});
}

}  // namespace

std::unique_ptr<Search> make_local_search_on_gpu(const LocalSettings& settings,
                                                 const Area& area,
                                                 gpu::Context& context) {
  return make_from_host(local_search_on_gpu(settings), area, context);
}

std::unique_ptr<Search> make_dbs_on_gpu(const DbsSettings& settings,
                                        const Area& area,
                                        gpu::Context& context) {
  return make_from_host(dbs_on_gpu(settings), area, context);
}

std::unique_ptr<Search> make_form_search_on_gpu(const FormSettings& settings,
                                                const Area& area,
                                                gpu::Context& context) {
  return make_from_host(form_search_on_gpu(settings), area, context);
}

std::shared_ptr<const gpu::MethodOnGpu> local_method_on_gpu(const LocalSettings& settings,
                                                            const SearchSettings& search,
                                                            gpu::Context& context) {
  return method_on_gpu(local_search_on_gpu(settings), search, context);
}

std::shared_ptr<const gpu::MethodOnGpu> dbs_method_on_gpu(const DbsSettings& settings,
                                                          const SearchSettings& search,
                                                          gpu::Context& context) {
  return method_on_gpu(dbs_on_gpu(settings), search, context);
}

std::shared_ptr<const gpu::MethodOnGpu> form_method_on_gpu(const FormSettings& settings,
                                                           const SearchSettings& search,
                                                           gpu::Context& context) {
  return method_on_gpu(form_search_on_gpu(settings), search, context);
}

}  // namespace mezzo::search
