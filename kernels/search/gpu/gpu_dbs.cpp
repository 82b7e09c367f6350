// The plane of a direct binary search on a GPU: its memory, the way there and back, and rounds.
#include "kernels/search/gpu/gpu_dbs.cuh"

#include <vector>

#include "kernels/base/error.h"
#include "kernels/gpu/context.h"
#include "kernels/gpu/device.cuh"
#include "kernels/search/gpu/gpu_search.h"

namespace mezzo::search::dbs {
namespace {

/// C in rows as long as a tile's: its middle at row and column edge + 1, with two rings of 0 around
/// it, so that what a move changes begins a row and a column from the corner and may be shifted by
/// one either way.
std::vector<int32_t> products_of(const Square& products, int edge, int row) {
  std::vector<int32_t> laid(static_cast<size_t>((2 * edge + 3) * row));
  const int reach = products.radius();
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      const int place = (edge + 1 + dy) * row + edge + 1 + dx;
      laid[static_cast<size_t>(place)] = products.at(dy, dx);
    }
  }
  return laid;
}

Costs costs_of(const Square& products) {
  Costs costs{};
  for (int move = 0; move < kPlaces; ++move) {
    const int32_t shared = move == kMiddle ? 0 : products.at(move / 3 - 1, move % 3 - 1);
    costs.of[move] = products.at(0, 0) - shared;
  }
  return costs;
}

class DbsOnGpu final : public Search {
 public:
  DbsOnGpu(const DbsSettings& settings, const Area& in, gpu::Context& context)
      : lease_(context),
        in_(in),
        area_(settings, in),
        bits_(lease_.device(), size_t{in.rows} * in.width_px),
        c_(lease_.device(), static_cast<size_t>(area_.free_rows()) * in.width_px),
        stale_(lease_.device(),
               static_cast<size_t>(area_.cell_rows) * static_cast<size_t>(area_.cell_columns)),
        counts_(lease_.device(), kCounts),
        fetched_(kCounts * sizeof(Counts), context),
        tile_(area_.cell + 2 * area_.edge()),
        host_products_(products_of(autocorrelation(settings.eye), area_.edge(), tile_)),
        products_(lease_.device(), host_products_.size()),
        costs_(costs_of(autocorrelation(settings.eye))),
        stream_(lease_.device()) {
    start(settings);
  }

  uint64_t error() const override { return error_; }
  double of_255(uint64_t error) const override { return area_.of_255(error); }

  Round round(Team&, const std::function<void(double part)>& pause) override {
    gpu::use(lease_.device());
    clear_counts();
    for (uint32_t group = 0; group < 4; ++group) enqueue_visits(visits(), group, stream_.get());
    const Counts sum = fetch_counts();
    error_ += sum.error;
    pause(1);
    return {sum.changed, error_};
  }

  void finish() override {
    gpu::use(lease_.device());
    const size_t settled = size_t{in_.settled_rows} * in_.width_px;
    gpu::check(cudaMemcpyAsync(in_.bits + settled,
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

  /// Memory that only the start needs goes with it.
  void start(const DbsSettings& settings) {
    const gpu::Array<uint16_t> tones(lease_.device(), bits_.size());
    const gpu::Array<int16_t> errors(
        lease_.device(),
        static_cast<size_t>(area_.point_rows()) * static_cast<size_t>(area_.point_columns()));
    try {
      send(in_.tones, tones);
      send(in_.bits, bits_);
      send(host_products_.data(), products_);
      gpu::check(cudaMemsetAsync(stale_.data(), 1, stale_.size(), stream_.get()), "marking cells");
      clear_counts();
      enqueue_start(settings, board(tones.data()), errors.data(), stream_.get());
      error_ = fetch_counts().error;
    } catch (...) {
      (void)cudaStreamSynchronize(stream_.get());
      throw;
    }
  }

  DbsOnDevice board(const uint16_t* tones = nullptr) const {
    return {area_, tones, bits_.data(), c_.data(), counts_.data()};
  }

  void clear_counts() {
    gpu::check(cudaMemsetAsync(counts_.data(), 0, counts_.size() * sizeof(Counts), stream_.get()),
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

  Visits visits() const {
    return {board(),
            stale_.data(),
            products_.data(),
            static_cast<uint32_t>(host_products_.size()),
            area_.edge(),
            Divisor(area_.cell),
            Divisor(area_.cell + 2),
            Divisor(tile_),
            costs_};
  }

  const gpu::DeviceLease lease_;
  const Area in_;
  const DbsArea area_;
  gpu::Array<uint8_t> bits_;   ///< of all rows
  gpu::Array<int32_t> c_;      ///< of the free rows
  gpu::Array<uint8_t> stale_;  ///< by cell
  gpu::Array<Counts> counts_;
  gpu::PinnedMemory fetched_;  ///< counts
  const int tile_;             ///< side of the reach of a cell's changes
  const std::vector<int32_t> host_products_;
  gpu::Array<int32_t> products_;
  const Costs costs_;
  uint64_t error_ = 0;
  gpu::Stream stream_;  ///< last: it goes first, and waits for its work
};

}  // namespace
}  // namespace mezzo::search::dbs

namespace mezzo::search {

std::unique_ptr<Search> make_dbs_on_gpu(const DbsSettings& settings,
                                        const Area& area,
                                        gpu::Context& context) {
  if (gpu::device_count() == 0) {
    throw Error(ErrorKind::kDevice, "this search runs on a GPU, and this machine has none");
  }
  return std::make_unique<dbs::DbsOnGpu>(settings, area, context);
}

}  // namespace mezzo::search
