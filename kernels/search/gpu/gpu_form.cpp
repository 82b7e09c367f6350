// The plane of a search with the tone form on a GPU: its memory, and rounds.
#include "kernels/search/gpu/gpu_form.cuh"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/search/cpu/local_plane.h"
#include "kernels/search/gpu/gpu_moves.cuh"
#include "kernels/search/gpu/search_on_gpu.cuh"
#include "kernels/search/stages.h"

namespace mezzo::search::form {
namespace {

constexpr uint32_t kGroups = 4;

std::vector<int32_t> spread_of_pixel() {
  std::vector<int32_t> spread;
  for (int dy = -kSpreadReach; dy <= kSpreadReach; ++dy) {
    for (int dx = -kSpreadReach; dx <= kSpreadReach; ++dx) spread.push_back(q(dy, dx));
  }
  return spread;
}

class FormOnGpu final : public SearchOnGpu {
 public:
  FormOnGpu(const FormSettings& settings, gpu::Device device, uint32_t width_px, uint32_t most_rows)
      : settings_(settings),
        device_(device),
        c_(device, size_t{most_rows} * width_px),
        counts_(device),
        moves_(device, q_square(), settings.cell, width_px, settings.moves ? most_rows : 0),
        is_open_(device, has_windows() ? c_.size() : 0),
        next_cells_(device, kGroups),
        spread_(
            gpu::on_gpu(device, std::span<const int32_t>(spread_of_pixel()), "sending a filter")) {
    MZ_ASSERT(!has_windows() || settings.cell >= kLeastCell);
    gpu::check(
        cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device.index),
        "asking for multiprocessors");
  }

  void begin(const Area& area, cudaStream_t stream) override {
    gpu::use(device_);
    stream_ = stream;
    area_ = area;
    MZ_ASSERT(size_t{area.rows} * area.width_px <= c_.size());
    layout_.emplace(kHalfRadius, settings_.cell, area);
    grid_.emplace(area, static_cast<uint32_t>(kWindow), settings_.cell, uint32_t{kHalfRadius});
    stages_.emplace(settings_);
    if (settings_.moves) moves_.begin(*layout_, stream_);
    if (has_windows()) fill(is_open_.data(), size_t{grid_->rows} * grid_->columns, 1);
    counts_.clear(stream_);
    enqueue_form_start({area.tones,
                        area.bits,
                        c_.data(),
                        counts_.data(),
                        layout_->width,
                        layout_->rows,
                        layout_->first_free},
                       stream_);
    error_ = static_cast<int64_t>(counts_.fetch(stream_).error);
  }

  /// Where the form is below 0, by rounding, it is told as 0.
  uint64_t error() const override { return static_cast<uint64_t>(std::max(error_, int64_t{0})); }

  double of_255(uint64_t error) const override {
    const double pixels = static_cast<double>(layout_->free_rows()) * layout_->width;
    return 255 * std::sqrt(static_cast<double>(error) / pixels) / 4096;
  }

  std::string_view stage() const override { return name_of(stages_->now()); }

  Round round(Team&, const std::function<void(double part)>& pause) override {
    gpu::use(device_);
    const uint64_t before = error();
    const Stage stage = stages_->now();
    const uint64_t changed = stage == Stage::kMoves
                                 ? move()
                                 : search_windows(stage == Stage::kEveryOther ? 2 : 1, pause);
    pause(1);
    return stages_->end_round(changed, before, error());
  }

 private:
  bool has_windows() const { return settings_.windows != FormWindows::kNone; }

  void fill(void* memory, size_t bytes, int value) const {
    gpu::check(cudaMemsetAsync(memory, value, bytes, stream_), "clearing memory");
  }

  /// Returns the number of changed pixels, as the next does.
  uint64_t move() {
    counts_.clear(stream_);
    moves_.enqueue_round({*layout_, nullptr, area_.bits, c_.data(), counts_.data()}, stream_);
    return count();
  }

  uint64_t search_windows(uint32_t step, const std::function<void(double part)>& pause) {
    uint64_t changed = 0;
    fill(next_cells_.data(), kGroups * sizeof(uint32_t), 0);
    for (uint32_t group = 0; group < kGroups; ++group) {
      if (group > 0) pause(static_cast<double>(group) / kGroups);
      counts_.clear(stream_);
      enqueue_windows(windows_of(group, step), static_cast<uint32_t>(multiprocessors_), stream_);
      changed += count();
    }
    return changed;
  }

  /// Waits for the stream, and adds the change of E.
  uint64_t count() {
    const dbs::Counts sum = counts_.fetch(stream_);
    error_ += static_cast<int64_t>(sum.error);
    return sum.changed;
  }

  WindowGroup windows_of(uint32_t group, uint32_t step) const {
    const CellsOfGroup cells(group, *grid_);
    return {.grid = *grid_,
            .width_px = area_.width_px,
            .rows = area_.rows,
            .c = c_.data(),
            .bits = area_.bits,
            .is_open = is_open_.data(),
            .spread = spread_.data(),
            .first_row = cells.first_row,
            .first_column = cells.first_column,
            .cell_rows = cells.rows,
            .cell_columns = cells.columns,
            .step = step,
            .same_ink = settings_.windows == FormWindows::kSameInk,
            .next_cell = next_cells_.data() + group,
            .counts = counts_.data()};
  }

  const FormSettings settings_;
  const gpu::Device device_;
  gpu::Array<int32_t> c_;  ///< of the free rows
  const dbs::CountsOnGpu counts_;
  const dbs::MovesOnGpu moves_;
  gpu::Array<uint8_t> is_open_;  ///< by window
  gpu::Array<uint32_t> next_cells_;
  gpu::Array<int32_t> spread_;
  int multiprocessors_ = 1;
  // Of the area:
  Area area_;
  std::optional<dbs::DbsArea> layout_;
  std::optional<WindowGrid> grid_;
  std::optional<Stages> stages_;
  cudaStream_t stream_ = nullptr;
  int64_t error_ = 0;
};

}  // namespace
}  // namespace mezzo::search::form

namespace mezzo::search {

MakeSearchOnGpu form_search_on_gpu(const FormSettings& settings) {
  return [settings](gpu::Device device, uint32_t width_px, uint32_t most_rows) {
    return std::make_unique<form::FormOnGpu>(settings, device, width_px, most_rows);
  };
}

}  // namespace mezzo::search
