#include <algorithm>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/gpu/device.cuh"
#include "kernels/gpu/gpu_halftoner.cuh"
#include "kernels/pinwheel/gpu/gpu_loop.cuh"
#include "kernels/pinwheel/gpu/gpu_pinwheel.cuh"
#include "kernels/pinwheel/gpu/gpu_pinwheel.h"
#include "kernels/pinwheel/gpu/gpu_unrolled.cuh"

namespace mezzo::pinwheel {
namespace {

constexpr uint8_t kFirst = 1, kLast = 2;  ///< bits of kPlaces
constexpr const char* kSending = "sending the tables of pinwheel";

std::vector<PackedStep> packed(const Walk& walk, uint32_t ring, uint32_t size) {
  const auto& [above, below, left, right] = walk.shape.neighbours;
  std::vector<PackedStep> steps;
  for (uint32_t i = 0; i < walk.steps.size(); ++i) {
    const Step& step = walk.steps[i];
    PackedStep out{.y = step.y,
                   .x = step.x,
                   .kind = step.kind,
                   .threshold_class = step.threshold_class,
                   .legal = step.legal,
                   .slot = static_cast<uint16_t>(i % ring * kWarp),
                   .noise_factor = step.noise_factor};
    if (!walk.shape.outward) {
      const bool edges[] = {step.y == 0 && above,
                            step.y == walk.shape.rows - 1 && below,
                            step.x == 0 && left,
                            step.x == walk.shape.columns - 1 && right};
      for (int side = 0; side < 4; ++side) {
        out.edges |= uint32_t{edges[side]} << side;
      }
    }
    for (int k = 0; k < kTargets; ++k) {
      const uint32_t target = step.targets[k], border = target - kBorder;
      const bool is_there = (step.legal >> k & 1) != 0;
      const uint32_t slot = !is_there ? ring + 4 * size
                            : target < kBorder
                                ? target % ring
                                : ring + border / kMostSize * size + border % kMostSize;
      out.slots[k] = static_cast<uint16_t>(slot * kWarp);
    }
    steps.push_back(out);
  }
  return steps;
}

/// The walks of every place on a page, on the GPU. Where the page ends is known late, so its last
/// row of blocks is laid out when it comes.
class WalksOnGpu {
 public:
  WalksOnGpu(gpu::Device device, Path path, uint32_t size, uint32_t width_px)
      : device_(device), size_(size), width_px_(width_px), walks_cache_(path) {
    for (const bool outward : {true, false}) {
      const auto whole = static_cast<int>(size);
      for (const int columns : {whole, static_cast<int>(width_px % size)}) {
        if (columns == 0) continue;
        const BlockShape shape{whole, columns, outward, {true, true, true, true}};
        ring_ = std::max(ring_, walks_cache_.walk(shape).reach + 1);
      }
    }
    for (const uint8_t row : {uint8_t{0}, kFirst}) lay_out_row(row, size);
  }

  /// The last row of blocks has so many rows of pixels; all work queued so far must go on with what
  /// was there, so this waits for nothing and frees nothing.
  void end_page(uint32_t rows) {
    for (const uint8_t row : {kLast, uint8_t(kFirst | kLast)}) lay_out_row(row, rows);
  }

  const DeviceWalks& of(bool outward) const { return walks_[outward]; }

 private:
  void lay_out_row(uint8_t row, uint32_t rows) {
    const uint32_t columns = (width_px_ + size_ - 1) / size_;
    for (uint8_t column = 0; column < kPlaces; ++column) {
      const bool is_last = (column & kLast) != 0;
      const uint32_t width = is_last ? width_px_ - (columns - 1) * size_ : size_;
      for (const bool outward : {true, false}) {
        const BlockShape shape{
            static_cast<int>(rows),
            static_cast<int>(width),
            outward,
            {(row & kFirst) == 0, (row & kLast) == 0, (column & kFirst) == 0, !is_last}};
        const Walk& walk = walks_cache_.walk(shape);
        MZ_ASSERT(walk.reach < ring_);
        memory_.push_back(gpu::on_gpu<PackedStep>(device_, packed(walk, ring_, size_), kSending));
        walks_[outward].at[row][column] = {memory_.back().data(),
                                           static_cast<uint32_t>(walk.steps.size())};
        walks_[outward].ring = ring_;
      }
    }
  }

  gpu::Device device_;
  uint32_t size_;
  uint32_t width_px_;
  WalkCache walks_cache_;
  uint32_t ring_ = 2;
  std::vector<gpu::Array<PackedStep>> memory_;
  DeviceWalks walks_[2] = {};
};

using LaunchUnrolled = void (*)(const Phase&, const InnerBlocks&, cudaStream_t);

/// Null where the walk is not compiled.
LaunchUnrolled unrolled_of(const Settings& settings) {
  if (settings.path != Path::kSpiral || !settings.noise.is_none()) return nullptr;
  switch (settings.size) {
#define MZ_CASE(size) \
  case size:          \
    return launch_unrolled<size>;
    MZ_FOR_EACH_UNROLLED_SIZE(MZ_CASE)
#undef MZ_CASE
  }
  return nullptr;
}

class PinwheelOnGpu final : public gpu::GpuSchedule {
 public:
  PinwheelOnGpu(const Settings& settings,
                bool unrolled,
                gpu::Device device,
                uint32_t width_px,
                uint32_t max_rows)
      : settings_(settings),
        unrolled_(unrolled ? unrolled_of(settings) : nullptr),
        columns_((width_px + settings.size - 1) / settings.size),
        border_stride_(columns_ / 2 + 1),
        walks_(device, settings.path, settings.size, width_px),
        weights_(gpu::on_gpu(device, settings.tables->weights(), kSending)),
        thresholds_(gpu::on_gpu(device, settings.tables->thresholds(), kSending)),
        rule_(settings.tables->rule(settings.noise)),
        beside_(device) {
    rule_.weights = weights_.data();
    rule_.thresholds = thresholds_.data();
    // A band may begin and end inside a row of blocks, and needs one more on either side.
    const size_t rows = max_rows / settings.size + 4;
    borders_ = gpu::Array<int16_t>(device, rows * 4 * settings.size * border_stride_);
  }

  void enqueue(const DeviceBand& band, cudaStream_t stream) override {
    const uint32_t size = settings_.size;
    const PageGrid grid{band.width_px,
                        band.first_row + band.rows + band.rows_below,
                        band.rows_below < context_rows(size),
                        size};
    const uint32_t first = band.first_row / size, last = (band.first_row + band.rows - 1) / size;
    const uint32_t page_last = grid.ends ? (grid.end_row - 1) / size : UINT32_MAX;
    const uint32_t from = first - std::min(first, 1U);
    const uint32_t to = grid.ends ? std::min(last + 1, page_last) : last + 1;
    if (grid.ends && !ended_) {
      walks_.end_page(grid.end_row - page_last * size);
      ended_ = true;
    }
    gpu::check(cudaMemsetAsync(
                   band.words, 0, size_t{band.rows} * band.row_words() * sizeof(uint32_t), stream),
               "clearing bits");
    Phase phase{band, rule_, true, size, columns_, borders_.data(), from, border_stride_};
    run(phase, from, to, page_last, stream);
    phase.outward = false;
    run(phase, first, last, page_last, stream);
  }

 private:
  /// The phase's blocks in rows [from, to] of blocks.
  void run(
      const Phase& phase, uint32_t from, uint32_t to, uint32_t page_last, cudaStream_t stream) {
    const DeviceWalks& walks = walks_.of(phase.outward);
    if (unrolled_ == nullptr) {
      launch_loop(phase, walks, {from, to + 1, page_last, false}, stream);
      return;
    }
    // Blocks at the page's borders take another way, beside the rest.
    begun_.record(stream);
    begun_.hold_back(beside_.get());
    launch_loop(phase, walks, {from, to + 1, page_last, true}, beside_.get());
    borders_done_.record(beside_.get());
    const uint32_t inner_from = std::max(from, 1U), inner_to = to == page_last ? to : to + 1;
    if (inner_from < inner_to) unrolled_(phase, {inner_from, inner_to - inner_from}, stream);
    borders_done_.hold_back(stream);
  }

  Settings settings_;
  LaunchUnrolled unrolled_;
  uint32_t columns_;
  uint32_t border_stride_;
  WalksOnGpu walks_;
  gpu::Array<Weights> weights_;
  gpu::Array<Threshold> thresholds_;
  gpu::Array<int16_t> borders_;
  Rule rule_;
  bool ended_ = false;  ///< the page's last row of blocks is laid out
  gpu::Event begun_, borders_done_;
  gpu::Stream beside_;  ///< last: goes first, and waits for its work
};

}  // namespace

std::unique_ptr<gpu::GpuSchedule> make_gpu_schedule(const Settings& settings,
                                                    std::string_view schedule,
                                                    gpu::Device device,
                                                    uint32_t width_px,
                                                    uint32_t max_rows) {
  return std::make_unique<PinwheelOnGpu>(
      settings, schedule == "unrolled", device, width_px, max_rows);
}

std::unique_ptr<Halftoner> make_gpu(const Settings& settings,
                                    const ScheduleInfo& schedule,
                                    gpu::Context& context,
                                    std::unique_ptr<Halftoner> on_cpu) {
  const auto make = [settings, name = schedule.name](
                        gpu::Device device, uint32_t width_px, uint32_t max_rows) {
    return make_gpu_schedule(settings, name, device, width_px, max_rows);
  };
  return gpu::make_gpu_halftoner({.row_multiple = settings.size,
                                  .context_rows = context_rows(settings.size),
                                  .on_device = true},
                                 make,
                                 schedule,
                                 context,
                                 std::move(on_cpu));
}

}  // namespace mezzo::pinwheel
