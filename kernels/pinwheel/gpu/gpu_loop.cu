#include <algorithm>

#include "kernels/base/error.h"
#include "kernels/gpu/launch.cuh"
#include "kernels/pinwheel/gpu/gpu_loop.cuh"

namespace mezzo::pinwheel {
namespace {

constexpr uint32_t kMostSharedBytes = 200 << 10;
constexpr uint32_t kAhead = 8;  ///< steps on their way

/// A thread's block.
struct Block {
  uint32_t row;
  uint32_t column;
  bool exists;
};

/// Threads for a row of blocks: whole warps.
__host__ __device__ uint32_t row_threads(uint32_t columns) {
  return ((columns + 1) / 2 + kWarp - 1) / kWarp * kWarp;
}

/// All threads that a range needs; there is one block for most of them.
__host__ __device__ uint32_t threads_of(const BlockRange& range, uint32_t columns) {
  const uint32_t rows = range.end_row - range.first_row;
  if (!range.only_borders) return rows * row_threads(columns);
  return (range.has_top() + range.has_bottom()) * row_threads(columns) + 2 * rows;
}

__device__ Block block_of_thread(const Phase& phase, const BlockRange& range, uint32_t thread) {
  const uint32_t parity = phase.outward ? 0 : 1, in_row = row_threads(phase.columns);
  if (range.only_borders) {
    const uint32_t whole_rows = range.has_top() + range.has_bottom();
    if (thread >= whole_rows * in_row) {
      const uint32_t end = thread - whole_rows * in_row;
      const uint32_t row = range.first_row + end / 2;
      const uint32_t column = end % 2 == 0 ? 0 : phase.columns - 1;
      const bool exists = row < range.end_row && (row + column) % 2 == parity &&
                          !(end % 2 == 1 && column == 0) && !(row == 0 && range.has_top()) &&
                          !(row == range.last_row_of_page && range.has_bottom());
      return {row, column, exists};
    }
    const bool top = range.has_top() && thread < in_row;
    const uint32_t row = top ? 0 : range.last_row_of_page;
    const uint32_t column = 2 * (thread % in_row) + (row + parity) % 2;
    return {row, column, column < phase.columns};
  }
  const uint32_t row = range.first_row + thread / in_row;
  const uint32_t column = 2 * (thread % in_row) + (row + parity) % 2;
  return {row, column, column < phase.columns && row < range.end_row};
}

/// The shared memory of a block, each value beside those of the warp's other blocks.
template <typename T>
struct Column {
  T* values;
  __device__ T& operator[](uint32_t i) const { return values[i * kWarp]; }
};

/// The shared memory of a block.
struct BlockMemory {
  Column<uint32_t> bits;           ///< row by row
  Column<int16_t> received_error;  ///< slots, the border's among them
  Column<int16_t> border;          ///< side by side
};

/// The place of a block in its row and column of blocks: indices of DeviceWalks::at.
struct Places {
  uint32_t row;
  uint32_t column;
};

/// Adds the shares that outward blocks left for this inward one.
__device__ void fetch_borders(const Phase& phase,
                              const Block& block,
                              const Places& places,
                              const Column<int16_t>& border) {
  const uint32_t size = phase.size, half = block.column / 2;
  for (uint32_t along = 0; along < size; ++along) {
    if ((places.row & 1) == 0) {
      border[kAbove * size + along] = phase.border(block.row - 1, kBelow, along)[half];
    }
    if ((places.row & 2) == 0) {
      border[kBelow * size + along] = phase.border(block.row + 1, kAbove, along)[half];
    }
    if ((places.column & 1) == 0) {
      border[kLeft * size + along] = phase.border(block.row, kRight, along)[(block.column - 1) / 2];
    }
    if ((places.column & 2) == 0) {
      border[kRight * size + along] = phase.border(block.row, kLeft, along)[(block.column + 1) / 2];
    }
  }
}

/// Puts the block's bits on the page, and the border of an outward one where inward ones fetch it.
__device__ void store_block(const Phase& phase, const Block& block, const BlockMemory& memory) {
  const uint32_t size = phase.size, row_words = (size + 31) / 32;
  for (uint32_t y = 0; y < size; ++y) {
    for (uint32_t word = 0; word < row_words; ++word) {
      phase.put(
          block.row * size + y, block.column * size + 32 * word, memory.bits[y * row_words + word]);
    }
  }
  if (!phase.outward) return;
  for (uint32_t side = 0; side < 4; ++side) {
    for (uint32_t along = 0; along < size; ++along) {
      phase.border(block.row, side, along)[block.column / 2] = memory.border[side * size + along];
    }
  }
}

/// A block's walk, step by step. All that a step reads from memory is fetched steps ahead, each
/// item as soon as its address is known: the step, then the sample, then its tone, then what the
/// tables say.
template <bool kByTone, bool kNoisy>
class Walker {
 public:
  __device__ Walker(const Phase& phase,
                    const DeviceWalk& walk,
                    const Block& block,
                    const BlockMemory& memory)
      : phase_(phase),
        walk_(walk),
        memory_(memory),
        y0_(block.row * phase.size),
        x0_(block.column * phase.size),
        block_noise_(phase.noise(block.row, block.column)),
        rule_(phase.rule) {
    rule_.levels = kByTone ? kLevels : 1;
    if (!kNoisy) rule_.noise = {};
  }

  __device__ void run() {
#pragma unroll
    for (uint32_t k = 0; k < 7; ++k) fetch_step(k, k);
#pragma unroll
    for (uint32_t k = 0; k < 6; ++k) fetch_sample(k);
    fetch_tone(0);
    fetch_tone(1);
    fetch_entry(0);
    for (uint32_t first = 0; first < walk_.count; first += kAhead) {
#pragma unroll
      for (uint32_t k = 0; k < kAhead; ++k) advance(first + k, k, first + k < walk_.count);
    }
  }

 private:
  /// Step i is fetched when i - 7 is decided, its sample with i - 6, its tone with i - 2, its entry
  /// with i - 1; a place of the arrays is used again once its step is decided.
  __device__ void advance(uint32_t i, uint32_t k, bool decides) {
    if (decides) decide_step(k, i == 0);
    fetch_step((k + 7) % kAhead, i + 7);
    fetch_sample((k + 6) % kAhead);
    fetch_tone((k + 2) % kAhead);
    fetch_entry((k + 1) % kAhead);
  }

  __device__ void fetch_step(uint32_t k, uint32_t i) {
    const uint4 words =
        __ldg(reinterpret_cast<const uint4*>(walk_.steps) + min(i, walk_.count - 1));
    memcpy(&steps_[k], &words, sizeof words);
  }
  __device__ void fetch_sample(uint32_t k) {
    samples_[k] = phase_.sample(y0_ + steps_[k].y, x0_ + steps_[k].x);
  }
  __device__ void fetch_tone(uint32_t k) {
    tones_[k] = __ldg(phase_.band.tones + samples_[k]);
  }
  __device__ void fetch_entry(uint32_t k) {
    const PackedStep& step = steps_[k];
    const Place place{static_cast<Kind>(step.kind),
                      static_cast<int>(step.legal),
                      static_cast<int>(step.threshold_class),
                      step.noise_factor};
    entries_[k] = entry_of(rule_, place, pixel(k));
  }

  __device__ Pixel pixel(uint32_t k) const {
    return {tones_[k], 0, y0_ + steps_[k].y, x0_ + steps_[k].x, block_noise_};
  }

  __device__ void decide_step(uint32_t k, bool first) {
    const PackedStep& step = steps_[k];
    const int legal = static_cast<int>(step.legal), edges = static_cast<int>(step.edges);
    const uint32_t size = phase_.size, row_words = (size + 31) / 32;
    const Column<int16_t>& border = memory_.border;
    int16_t* const slots = memory_.received_error.values;
    Pixel at = pixel(k);
    at.first = first;
    at.received_error = slots[step.slot];
    slots[step.slot] = 0;
    if (edges != 0) {
      if (edges & 1 << kAbove) at.received_error += border[kAbove * size + step.x];
      if (edges & 1 << kBelow) at.received_error += border[kBelow * size + step.x];
      if (edges & 1 << kLeft) at.received_error += border[kLeft * size + step.y];
      if (edges & 1 << kRight) at.received_error += border[kRight * size + step.y];
    }
    const Outcome outcome = decide(rule_.noise, legal, at, phase_.band.plane, entries_[k]);
    // A missing target has no share, and a slot that is never read.
#pragma unroll
    for (int target = 0; target < kTargets; ++target) {
      int16_t& slot = slots[step.slots[target]];
      slot = static_cast<int16_t>(slot + outcome.shares[target]);
    }
    if (outcome.ink) memory_.bits[step.y * row_words + step.x / 32] |= 0x80000000U >> step.x % 32;
  }

  const Phase& phase_;
  const DeviceWalk walk_;
  const BlockMemory memory_;
  const uint32_t y0_, x0_;
  const uint32_t block_noise_;
  Rule rule_;
  PackedStep steps_[kAhead];
  uint32_t samples_[kAhead];
  int tones_[kAhead];
  Entry entries_[kAhead];
};

/// Threads of one warp a thread block.
template <bool kByTone, bool kNoisy>
__global__ void __launch_bounds__(kWarp) run_loop(const __grid_constant__ Phase phase,
                                                  const __grid_constant__ DeviceWalks walks,
                                                  const BlockRange range) {
  extern __shared__ uint32_t shared[];
  const uint32_t lane = threadIdx.x, size = phase.size;
  const Block block = block_of_thread(phase, range, blockIdx.x * kWarp + lane);
  if (!block.exists) return;
  const uint32_t slots = slots_of(walks, size), words = size * ((size + 31) / 32);
  const Column<int16_t> received_error{reinterpret_cast<int16_t*>(shared + words * kWarp) + lane};
  const BlockMemory memory{{shared + lane}, received_error, {&received_error[walks.ring]}};
  for (uint32_t i = 0; i < words; ++i) memory.bits[i] = 0;
  for (uint32_t i = 0; i < slots; ++i) received_error[i] = 0;
  const Places places{
      (block.row == 0 ? 1U : 0U) + (block.row == range.last_row_of_page ? 2U : 0U),
      (block.column == 0 ? 1U : 0U) + (block.column == phase.columns - 1 ? 2U : 0U)};
  if (!phase.outward) fetch_borders(phase, block, places, memory.border);
  Walker<kByTone, kNoisy>(phase, walks.at[places.row][places.column], block, memory).run();
  store_block(phase, block, memory);
}

}  // namespace

void launch_loop(const Phase& phase,
                 const DeviceWalks& walks,
                 const BlockRange& range,
                 cudaStream_t stream) {
  const uint32_t threads = threads_of(range, phase.columns);
  if (threads == 0) return;
  const bool by_tone = phase.rule.levels > 1, noisy = !phase.rule.noise.is_none();
  const auto kernel = by_tone ? (noisy ? run_loop<true, true> : run_loop<true, false>)
                              : (noisy ? run_loop<false, true> : run_loop<false, false>);
  const uint32_t bytes = phase.size * ((phase.size + 31) / 32) * kWarp * sizeof(uint32_t) +
                         slots_of(walks, phase.size) * kWarp * sizeof(int16_t);
  MZ_ASSERT(bytes <= kMostSharedBytes);
  gpu::launch_with_memory("walking blocks",
                          kernel,
                          (threads + kWarp - 1) / kWarp,
                          kWarp,
                          bytes,
                          stream,
                          phase,
                          walks,
                          range);
}

}  // namespace mezzo::pinwheel
