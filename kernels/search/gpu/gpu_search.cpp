// The way of an area of the host to a search on a GPU, and back.
#include "kernels/search/gpu/gpu_search.h"

#include "kernels/base/error.h"
#include "kernels/gpu/context.h"
#include "kernels/search/gpu/search_on_gpu.cuh"

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

}  // namespace mezzo::search
