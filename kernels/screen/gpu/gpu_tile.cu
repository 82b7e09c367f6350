#include "kernels/gpu/gpu_halftoner.cuh"
#include "kernels/gpu/launch.cuh"
#include "kernels/gpu/plate_word.cuh"
#include "kernels/screen/gpu/gpu_tile.h"

namespace mezzo::screen {
namespace {

/// A tile in the memory of a GPU, and the pixel of it where the page begins.
struct DeviceTile {
  const uint16_t* thresholds;
  uint32_t width, height, shift;
  uint32_t x, y;
};

constexpr uint32_t kThreads = 256;
constexpr uint32_t kWordsPerWarp = 32;

/// A warp takes 32 words of a row: a pixel a thread, so that loads lie side by side.
__global__ void screen_words(const gpu::DeviceBand band, const DeviceTile tile) {
  const uint32_t lane = threadIdx.x % 32;
  const uint32_t row_warps = (band.row_words() + kWordsPerWarp - 1) / kWordsPerWarp;
  const uint64_t warp = (uint64_t{blockIdx.x} * kThreads + threadIdx.x) / 32;
  const auto row = static_cast<uint32_t>(warp / row_warps);
  if (row >= band.rows) return;
  const uint32_t first_word = static_cast<uint32_t>(warp % row_warps) * kWordsPerWarp;
  const uint32_t y = tile.y + band.first_row + row;
  const auto moved = static_cast<uint32_t>(uint64_t{y / tile.height} * tile.shift % tile.width);
  const uint16_t* thresholds = tile.thresholds + size_t{y % tile.height} * tile.width;
  uint32_t x = first_word * 32 + lane;
  uint32_t column = (tile.x % tile.width + tile.width - moved + x) % tile.width;
  uint32_t bits = 0;
#pragma unroll 1  // unrolled, it takes the compiler minutes
  for (uint32_t word = 0; word < kWordsPerWarp; ++word, x += 32) {
    const bool is_inside = x < band.width_px;
    const bool ink = is_inside && thresholds[column] < static_cast<uint32_t>(band.tone(x, row));
    const uint32_t ballot = __brev(__ballot_sync(UINT32_MAX, ink));
    if (lane == word) bits = ballot;
    column = (column + 32) % tile.width;
  }
  const uint32_t own = first_word + lane;
  if (own < band.row_words()) {
    band.words[uint64_t{row} * band.row_words() + own] = gpu::plate_word(bits);
  }
}

/// A plane: its ink's tile goes to the GPU with the first band.
class TilesOnGpu final : public gpu::GpuSchedule {
 public:
  TilesOnGpu(InkScreens screens, gpu::Device device)
      : screens_(std::move(screens)), device_(device) {}

  void enqueue(const gpu::DeviceBand& band, cudaStream_t stream) override {
    if (!screen_.tile) send(band.texture, stream);
    const ThresholdTile& tile = *screen_.tile;
    const DeviceTile on_device = {
        thresholds_.data(), tile.width, tile.height, tile.shift, screen_.x, screen_.y};
    const uint64_t row_warps = (band.row_words() + kWordsPerWarp - 1) / kWordsPerWarp;
    const uint64_t threads = row_warps * band.rows * 32;
    gpu::launch("halftoning",
                screen_words,
                dim3(static_cast<uint32_t>((threads + kThreads - 1) / kThreads)),
                kThreads,
                stream,
                gpu::Start::kAfterPrevious,
                band,
                on_device);
  }

 private:
  void send(uint32_t texture, cudaStream_t stream) {
    PlacedTile screen = screens_.of_ink(texture);
    const auto& thresholds = screen.tile->thresholds;
    thresholds_ = gpu::Array<uint16_t>(device_, thresholds.size());
    gpu::check(cudaMemcpyAsync(thresholds_.data(),
                               thresholds.data(),
                               thresholds.size() * sizeof(uint16_t),
                               cudaMemcpyHostToDevice,
                               stream),
               "sending a screen");
    screen_ = std::move(screen);
  }

  InkScreens screens_;
  gpu::Device device_;
  PlacedTile screen_;
  gpu::Array<uint16_t> thresholds_;
};

}  // namespace

std::unique_ptr<Halftoner> make_tiles_on_gpu(const InkScreens& screens,
                                             const ScheduleInfo& schedule,
                                             gpu::Context& context,
                                             std::unique_ptr<Halftoner> on_cpu) {
  const auto make = [screens](gpu::Device device, uint32_t, uint32_t) {
    return std::make_unique<TilesOnGpu>(screens, device);
  };
  return gpu::make_gpu_halftoner({.on_device = true}, make, schedule, context, std::move(on_cpu));
}

}  // namespace mezzo::screen
