#include <algorithm>
#include <vector>

#include "kernels/band/drop_levels.h"
#include "kernels/gpu/gpu_halftoner.cuh"
#include "kernels/gpu/gpu_packed_levels.h"
#include "kernels/gpu/launch.cuh"
#include "kernels/gpu/plane_parts.cuh"
#include "kernels/gpu/plate_word.cuh"

namespace mezzo::gpu {
namespace {

constexpr uint32_t kThreads = 256;

/// The words of each bit of a band.
struct BitWords {
  const uint32_t* words;
  size_t stride_words;  ///< from bit to bit
  uint32_t row_words;
  uint32_t bits;
};

/// A word of levels a thread.
__global__ void lay_side_by_side(const BitWords from, const DeviceBand band) {
  const uint64_t i = uint64_t{blockIdx.x} * kThreads + threadIdx.x;
  const uint32_t row_words = band.row_words();
  if (i >= uint64_t{band.rows} * row_words) return;
  const auto word = static_cast<uint32_t>(i % row_words);
  const uint32_t pixels = 32 / band.bits_per_px;
  // Of the word that has its pixels, they are one of bits_per_px parts.
  const uint64_t at = i / row_words * from.row_words + word / band.bits_per_px;
  const uint32_t part = word % band.bits_per_px;
  uint32_t levels = 0;
  for (uint32_t bit = 0; bit < from.bits; ++bit) {
    const uint32_t bits = plate_word(from.words[bit * from.stride_words + at]);
    const uint32_t own = bits << part * pixels >> (32 - pixels);
    levels |= DropLevels::spread(own, band.bits_per_px) << bit;
  }
  band.words[i] = plate_word(levels);
}

class PackedOnGpu final : public GpuSchedule {
 public:
  PackedOnGpu(const std::vector<MakeSchedule>& makers,
              Device device,
              uint32_t width_px,
              uint32_t max_rows)
      : row_words_((width_px + 31) / 32),
        stride_words_((size_t{row_words_} * max_rows + 63) / 64 * 64),
        words_(device, makers.size() * stride_words_) {
    for (const MakeSchedule& make : makers)
      bits_.emplace_back(make(device, width_px, max_rows), device, width_px);
  }

  void enqueue(const DeviceBand& band, cudaStream_t stream) override {
    for (size_t bit = 0; bit < bits_.size(); ++bit) {
      DeviceBand of_bit = band;
      of_bit.bits_per_px = 1;
      of_bit.words = words_.data() + bit * stride_words_;
      bits_[bit].enqueue(of_bit, stream);
    }
    const uint64_t words = uint64_t{band.rows} * band.row_words();
    launch("laying bits of levels side by side",
           lay_side_by_side,
           dim3(static_cast<uint32_t>((words + kThreads - 1) / kThreads)),
           kThreads,
           stream,
           Start::kAfterPrevious,
           BitWords{words_.data(), stride_words_, row_words_, static_cast<uint32_t>(bits_.size())},
           band);
  }

 private:
  uint32_t row_words_;
  size_t stride_words_;
  Array<uint32_t> words_;  ///< of all bits
  std::vector<ScheduleWithSums> bits_;
};

}  // namespace

std::shared_ptr<const MethodOnGpu> packed_levels_on_gpu(
    std::span<const std::unique_ptr<Halftoner>> bits) {
  std::vector<MakeSchedule> makers;
  for (const auto& bit : bits) {
    if (bit->on_gpu() == nullptr) return nullptr;
    makers.push_back(bit->on_gpu()->make_schedule);
  }
  const auto make = [makers](Device device, uint32_t width_px, uint32_t max_rows) {
    return std::make_unique<PackedOnGpu>(makers, device, width_px, max_rows);
  };
  return std::make_shared<const MethodOnGpu>(MethodOnGpu{make, bits.front()->on_gpu()->context});
}

}  // namespace mezzo::gpu
