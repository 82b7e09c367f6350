// The page of a colour direct binary search on a GPU: its memory, and rounds.
#include "kernels/search/colour/gpu/gpu_colour_search.h"

#include <span>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/gpu/context.h"
#include "kernels/gpu/device.cuh"
#include "kernels/search/colour/colour_area.h"
#include "kernels/search/colour/gpu/gpu_colour_search.cuh"
#include "kernels/search/colour/products.h"

namespace mezzo::search::colour {
namespace {

/// C of both eyes, as enqueue_visits() takes it.
std::vector<int32_t> half_of(const Products& products) {
  std::vector<int32_t> half;
  for (int eye = 0; eye < 2; ++eye) {
    for (int dy = 0; dy <= Products::kReach; ++dy) {
      half.insert(half.end(), products.row(eye, dy), products.row(eye, dy) + Products::kRow);
    }
  }
  return half;
}

class ColourDbsOnGpu final : public Search {
 public:
  ColourDbsOnGpu(const together::InkColours& colours, const Page& page, gpu::Context& context)
      : page_(page),
        area_(area_of(page)),
        channels_(colours),
        lease_(context),
        states_(lease_.device(), pixels()),
        freedom_(lease_.device(), pixels()),
        c_(lease_.device(), pixels() * static_cast<size_t>(channels_.count())),
        stale_(lease_.device(),
               static_cast<size_t>(area_.cell_rows) * static_cast<size_t>(area_.cell_columns)),
        counts_(lease_.device(), kCounts),
        fetched_(kCounts * sizeof(Counts), context),
        products_(gpu::on_gpu(
            lease_.device(), std::span<const int32_t>(half_of(Products())), "sending a filter")),
        stream_(lease_.device()) {
    start();
  }

  uint64_t error() const override { return error_; }
  double of_255(uint64_t error) const override { return colour::of_255(area_, error); }

  Round round(Team&, const std::function<void(double part)>& pause) override {
    gpu::use(lease_.device());
    clear_counts();
    for (uint32_t group = 0; group < 4; ++group) {
      enqueue_visits(channels_, on_device(nullptr), products_.data(), group, stream_.get());
    }
    const Counts sum = fetch_counts();
    error_ += sum.error;
    pause(1);
    return {sum.changed, error_};
  }

  void finish() override {
    gpu::use(lease_.device());
    gpu::check(cudaMemcpyAsync(
                   page_.states, states_.data(), pixels(), cudaMemcpyDeviceToHost, stream_.get()),
               "fetching states");
    stream_.wait();
  }

 private:
  size_t pixels() const { return size_t{page_.width_px} * page_.rows; }

  PageOnDevice on_device(uint16_t* tones) const {
    return {area_.width,
            area_.rows,
            area_.cell_rows,
            area_.cell_columns,
            tones,
            states_.data(),
            freedom_.data(),
            c_.data(),
            stale_.data(),
            counts_.data()};
  }

  void start() {
    gpu::use(lease_.device());
    const auto inks = static_cast<size_t>(channels_.inks);
    const gpu::Array<uint16_t> tones(lease_.device(), inks * pixels());
    const gpu::Array<int32_t> errors(lease_.device(), pixels());
    const gpu::Array<int32_t> seen(
        lease_.device(),
        static_cast<size_t>(area_.point_rows()) * static_cast<size_t>(area_.point_columns()));
    for (size_t k = 0; k < inks; ++k) send(page_.tones[k], tones.data() + k * pixels());
    send(page_.states, states_.data());
    gpu::check(cudaMemsetAsync(stale_.data(), 1, stale_.size(), stream_.get()), "marking cells");
    clear_counts();
    enqueue_start(channels_, on_device(tones.data()), errors.data(), seen.data(), stream_.get());
    error_ = fetch_counts().error;
  }

  template <typename T>
  void send(const T* from, T* to) const {
    gpu::check(
        cudaMemcpyAsync(to, from, pixels() * sizeof(T), cudaMemcpyHostToDevice, stream_.get()),
        "sending a plane");
  }

  void clear_counts() {
    gpu::check(cudaMemsetAsync(counts_.data(), 0, fetched_.size(), stream_.get()),
               "clearing counts");
  }

  Counts fetch_counts() {
    gpu::check(cudaMemcpyAsync(fetched_.data(),
                               counts_.data(),
                               fetched_.size(),
                               cudaMemcpyDeviceToHost,
                               stream_.get()),
               "fetching counts");
    stream_.wait();
    Counts sum{};
    for (uint32_t i = 0; i < kCounts; ++i) {
      const Counts& one = reinterpret_cast<const Counts*>(fetched_.data())[i];
      sum.changed += one.changed;
      sum.error += one.error;
    }
    return sum;
  }

  const Page page_;
  const dbs::DbsArea area_;
  const Channels channels_;
  const gpu::DeviceLease lease_;
  gpu::Array<uint8_t> states_;
  gpu::Array<uint16_t> freedom_;
  gpu::Array<int32_t> c_;
  gpu::Array<uint8_t> stale_;  ///< by cell
  gpu::Array<Counts> counts_;
  gpu::PinnedMemory fetched_;  ///< counts
  gpu::Array<int32_t> products_;
  gpu::Stream stream_;  ///< last: it goes first, and waits for its work
  uint64_t error_ = 0;
};

}  // namespace

std::unique_ptr<Search> make_search_on_gpu(const together::InkColours& colours,
                                           const Page& page,
                                           gpu::Context& context) {
  if (gpu::device_count() == 0) {
    throw Error(ErrorKind::kDevice, "this search runs on a GPU, and this machine has none");
  }
  return std::make_unique<ColourDbsOnGpu>(colours, page, context);
}

}  // namespace mezzo::search::colour
