// The plane of a direct binary search on a GPU: its memory, and rounds.
#include "kernels/search/gpu/gpu_dbs.cuh"

#include <optional>

#include "kernels/base/error.h"
#include "kernels/search/gpu/gpu_moves.cuh"
#include "kernels/search/gpu/search_on_gpu.cuh"

namespace mezzo::search::dbs {
namespace {

class DbsOnGpu final : public SearchOnGpu {
 public:
  DbsOnGpu(const DbsSettings& settings, gpu::Device device, uint32_t width_px, uint32_t most_rows)
      : settings_(settings),
        device_(device),
        c_(device, size_t{most_rows} * width_px),
        errors_(device, with_border(most_rows) * with_border(width_px)),
        counts_(device),
        moves_(device, autocorrelation(settings.eye), settings.cell, width_px, most_rows) {}

  void begin(const Area& area, cudaStream_t stream) override {
    gpu::use(device_);
    stream_ = stream;
    bits_ = area.bits;
    area_.emplace(settings_, area);
    MZ_ASSERT(size_t{area.rows} * area.width_px <= c_.size());
    moves_.begin(*area_, stream_);
    counts_.clear(stream_);
    enqueue_start(settings_, board(area.tones), errors_.data(), stream_);
    error_ = counts_.fetch(stream_).error;
  }

  uint64_t error() const override { return error_; }
  double of_255(uint64_t error) const override { return area_->of_255(error); }

  Round round(Team&, const std::function<void(double part)>& pause) override {
    gpu::use(device_);
    counts_.clear(stream_);
    moves_.enqueue_round(board(), stream_);
    const Counts sum = counts_.fetch(stream_);
    error_ += sum.error;
    pause(1);
    return {sum.changed, error_};
  }

 private:
  size_t with_border(uint32_t pixels) const {
    return pixels + 2 * static_cast<size_t>(settings_.eye.radius());
  }

  DbsOnDevice board(const uint16_t* tones = nullptr) const {
    return {*area_, tones, bits_, c_.data(), counts_.data()};
  }

  const DbsSettings settings_;
  const gpu::Device device_;
  gpu::Array<int32_t> c_;       ///< of the free rows
  gpu::Array<int16_t> errors_;  ///< of the points, for the start
  const CountsOnGpu counts_;
  const MovesOnGpu moves_;
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
