#include <utility>
#include <vector>

#include "kernels/gpu/gpu_halftoner.cuh"
#include "kernels/gpu/launch.cuh"
#include "kernels/gpu/plane_parts.cuh"
#include "kernels/screen/gpu/gpu_levels.h"

namespace mezzo::screen {
namespace {

constexpr uint32_t kThreads = 256;

dim3 blocks_for(uint64_t threads, uint32_t down = 1) {
  return dim3(static_cast<uint32_t>((threads + kThreads - 1) / kThreads), down);
}

/// A row of blocks makes the curve of a level, a tone a thread.
__global__ void stretch_curves(const uint16_t* tones,
                               const uint32_t count,
                               const __grid_constant__ DropLevels levels,
                               const uint32_t step,
                               uint16_t* curves) {
  const uint32_t i = blockIdx.x * kThreads + threadIdx.x;
  if (i >= count) return;
  curves[blockIdx.y * gpu::kMostTones + i] = levels.stretched(tones[i], (blockIdx.y + 1) * step);
}

/// A word a thread.
__global__ void add_words(const uint32_t* words, const uint64_t count, uint32_t* to) {
  const uint64_t i = uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (i < count) to[i] ^= words[i];
}

/// A plane, whose curves are made with the first band: it has one curve.
class LevelsOnGpu final : public gpu::GpuSchedule {
 public:
  LevelsOnGpu(const gpu::MakeSchedule& make,
              const DropLevels& levels,
              uint32_t step,
              gpu::Device device,
              uint32_t width_px,
              uint32_t max_rows)
      : levels_(levels), step_(step) {
    for (uint32_t j = step; j < levels.count; j += step) {
      screens_.emplace_back(make(device, width_px, max_rows), device, width_px);
    }
    curves_ = {device, screens_.size() * gpu::kMostTones};
    if (screens_.size() > 1) words_ = {device, (size_t{width_px} + 31) / 32 * max_rows};
  }

  void enqueue(const gpu::DeviceBand& band, cudaStream_t stream) override {
    if (!std::exchange(has_curves_, true)) make_curves(band, stream);
    for (size_t i = 0; i < screens_.size(); ++i) {
      gpu::DeviceBand level = band;
      level.tones = curves_.data() + i * gpu::kMostTones;
      if (i > 0) level.words = words_.data();
      screens_[i].enqueue(level, stream);
      if (i > 0) add(band, stream);
    }
  }

 private:
  void make_curves(const gpu::DeviceBand& band, cudaStream_t stream) {
    gpu::launch("stretching a tone curve",
                stretch_curves,
                blocks_for(band.tone_count, static_cast<uint32_t>(screens_.size())),
                kThreads,
                stream,
                gpu::Start::kAfterPrevious,
                band.tones,
                band.tone_count,
                levels_,
                step_,
                curves_.data());
  }

  /// A level to those before it.
  void add(const gpu::DeviceBand& band, cudaStream_t stream) {
    const uint64_t count = uint64_t{band.rows} * band.row_words();
    gpu::launch("adding a level",
                add_words,
                blocks_for(count),
                kThreads,
                stream,
                gpu::Start::kAfterPrevious,
                words_.data(),
                count,
                band.words);
  }

  DropLevels levels_;
  uint32_t step_;
  std::vector<gpu::ScheduleWithSums> screens_;  ///< of the levels that change the bit
  gpu::Array<uint16_t> curves_;                 ///< kMostTones for each of them
  gpu::Array<uint32_t> words_;                  ///< of one level
  bool has_curves_ = false;
};

}  // namespace

std::shared_ptr<const gpu::MethodOnGpu> levels_on_gpu(const Halftoner& screen,
                                                      const DropLevels& levels,
                                                      uint32_t step) {
  const gpu::MethodOnGpu* method = screen.on_gpu();
  if (method == nullptr) return nullptr;
  const auto make = [of_screen = method->make_schedule, levels, step](
                        gpu::Device device, uint32_t width_px, uint32_t max_rows) {
    return std::make_unique<LevelsOnGpu>(of_screen, levels, step, device, width_px, max_rows);
  };
  return std::make_shared<const gpu::MethodOnGpu>(gpu::MethodOnGpu{make, method->context});
}

}  // namespace mezzo::screen
