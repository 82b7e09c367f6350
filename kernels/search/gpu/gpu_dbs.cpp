// The plane of a direct binary search on a GPU: its memory, and rounds.
#include "kernels/search/gpu/gpu_dbs.cuh"

#include <optional>
#include <span>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/gpu/context.h"
#include "kernels/gpu/device.cuh"
#include "kernels/search/gpu/search_on_gpu.cuh"

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

class DbsOnGpu final : public SearchOnGpu {
 public:
  DbsOnGpu(const DbsSettings& settings, gpu::Device device, uint32_t width_px, uint32_t most_rows)
      : settings_(settings),
        device_(device),
        cell_(static_cast<int>(settings.cell)),
        edge_(2 * settings.eye.radius() + 1),
        c_(device, size_t{most_rows} * width_px),
        errors_(device, with_border(most_rows) * with_border(width_px)),
        // A row of cells begins above the first free row, and one ends below the last.
        stale_(device, (size_t{most_rows} / settings.cell + 2) * (width_px / settings.cell + 1)),
        counts_(device, kCounts),
        fetched_(kCounts * sizeof(Counts), *device.context),
        tile_(cell_ + 2 * edge_),
        products_(gpu::on_gpu(
            device,
            std::span<const int32_t>(products_of(autocorrelation(settings.eye), edge_, tile_)),
            "sending a filter")),
        costs_(costs_of(autocorrelation(settings.eye))) {}

  void begin(const Area& area, cudaStream_t stream) override {
    gpu::use(device_);
    stream_ = stream;
    bits_ = area.bits;
    area_.emplace(settings_, area);
    MZ_ASSERT(size_t{area.rows} * area.width_px <= c_.size() && cells() <= stale_.size());
    gpu::check(cudaMemsetAsync(stale_.data(), 1, cells(), stream_), "marking cells");
    clear_counts();
    enqueue_start(settings_, board(area.tones), errors_.data(), stream_);
    error_ = fetch_counts().error;
  }

  uint64_t error() const override { return error_; }
  double of_255(uint64_t error) const override { return area_->of_255(error); }

  Round round(Team&, const std::function<void(double part)>& pause) override {
    gpu::use(device_);
    clear_counts();
    for (uint32_t group = 0; group < 4; ++group) enqueue_visits(visits(), group, stream_);
    const Counts sum = fetch_counts();
    error_ += sum.error;
    pause(1);
    return {sum.changed, error_};
  }

 private:
  size_t with_border(uint32_t pixels) const {
    return pixels + 2 * static_cast<size_t>(settings_.eye.radius());
  }
  size_t cells() const {
    return static_cast<size_t>(area_->cell_rows) * static_cast<size_t>(area_->cell_columns);
  }

  DbsOnDevice board(const uint16_t* tones = nullptr) const {
    return {*area_, tones, bits_, c_.data(), counts_.data()};
  }

  void clear_counts() {
    gpu::check(cudaMemsetAsync(counts_.data(), 0, counts_.size() * sizeof(Counts), stream_),
               "clearing counts");
  }

  Counts fetch_counts() {
    gpu::check(
        cudaMemcpyAsync(
            fetched_.data(), counts_.data(), fetched_.size(), cudaMemcpyDeviceToHost, stream_),
        "fetching counts");
    gpu::check(cudaStreamSynchronize(stream_), "searching");
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
            static_cast<uint32_t>(products_.size()),
            edge_,
            Divisor(cell_),
            Divisor(cell_ + 2),
            Divisor(tile_),
            costs_};
  }

  const DbsSettings settings_;
  const gpu::Device device_;
  const int cell_, edge_;
  gpu::Array<int32_t> c_;       ///< of the free rows
  gpu::Array<int16_t> errors_;  ///< of the points, for the start
  gpu::Array<uint8_t> stale_;   ///< by cell
  gpu::Array<Counts> counts_;
  gpu::PinnedMemory fetched_;  ///< counts
  const int tile_;             ///< side of the reach of a cell's changes
  gpu::Array<int32_t> products_;
  const Costs costs_;
  // Of the area:
  std::optional<DbsArea> area_;
  uint8_t* bits_ = nullptr;
  cudaStream_t stream_ = nullptr;
  uint64_t error_ = 0;
};

}  // namespace
}  // namespace mezzo::search::dbs

namespace mezzo::search {

MakeSearchOnGpu dbs_on_gpu(const DbsSettings& settings) {
  return [settings](gpu::Device device, uint32_t width_px, uint32_t most_rows) {
    return std::make_unique<dbs::DbsOnGpu>(settings, device, width_px, most_rows);
  };
}

}  // namespace mezzo::search
