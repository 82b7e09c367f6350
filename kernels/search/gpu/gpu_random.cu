#include "kernels/gpu/gpu_halftoner.cuh"
#include "kernels/gpu/launch.cuh"
#include "kernels/gpu/plate_word.cuh"
#include "kernels/search/random.h"

namespace mezzo::search {
namespace {

__global__ void random_words(const gpu::DeviceBand band, uint32_t seed) {
  const uint64_t index = uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const auto row = static_cast<uint32_t>(index / band.row_words());
  const auto word = static_cast<uint32_t>(index % band.row_words());
  if (row >= band.rows) return;
  uint32_t bits = 0;
  for (uint32_t i = 0; i < 32 && word * 32 + i < band.width_px; ++i) {
    const uint32_t x = word * 32 + i;
    const auto tone = static_cast<uint32_t>(band.tone(x, row));
    const bool ink = random_ink(seed, band.plane, band.first_row + row, x, tone);
    bits |= static_cast<uint32_t>(ink) << (31 - i);
  }
  band.words[index] = gpu::plate_word(bits);
}

class RandomOnGpu final : public gpu::GpuSchedule {
 public:
  explicit RandomOnGpu(uint32_t seed) : seed_(seed) {}

  void enqueue(const gpu::DeviceBand& band, cudaStream_t stream) override {
    constexpr uint32_t kThreads = 256;
    const uint64_t words = uint64_t{band.rows} * band.row_words();
    gpu::launch("halftoning",
                random_words,
                dim3(static_cast<uint32_t>((words + kThreads - 1) / kThreads)),
                kThreads,
                stream,
                gpu::Start::kAfterPrevious,
                band,
                seed_);
  }

 private:
  uint32_t seed_;
};

}  // namespace

std::unique_ptr<Halftoner> make_random_on_gpu(const HalftoneSettings& settings,
                                              const ScheduleInfo& schedule,
                                              gpu::Context& context) {
  const Random random(settings);
  const auto make = [seed = random.seed](gpu::Device, uint32_t, uint32_t) {
    return std::make_unique<RandomOnGpu>(seed);
  };
  return gpu::make_gpu_halftoner({.on_device = true},
                                 make,
                                 schedule,
                                 context,
                                 std::make_unique<screen::PointHalftoner<Random>>(settings));
}

}  // namespace mezzo::search
