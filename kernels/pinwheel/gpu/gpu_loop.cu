#include <algorithm>

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

/// What a block keeps in shared memory, each value beside those of the warp's other blocks.
template <typename T>
struct Column {
  T* values;
  __device__ T& operator[](uint32_t i) const { return values[i * kWarp]; }
};

/// Threads of one warp a thread block.
template <bool kByTone, bool kNoisy>
__global__ void __launch_bounds__(kWarp) run_loop(const __grid_constant__ Phase phase,
                                                  const __grid_constant__ DeviceWalks walks,
                                                  const BlockRange range) {
  extern __shared__ uint32_t memory[];
  const uint32_t lane = threadIdx.x, size = phase.size;
  const Block block = block_of_thread(phase, range, blockIdx.x * kWarp + lane);
  if (!block.exists) return;
  const uint32_t slots = slots_of(walks, size), row_words = (size + 31) / 32;
  const Column<uint32_t> bits{memory + lane};
  const Column<int16_t> handed{reinterpret_cast<int16_t*>(memory + size * row_words * kWarp) +
                               lane};
  const Column<int16_t> rim{&handed[walks.ring]};
  for (uint32_t i = 0; i < size * row_words; ++i) bits[i] = 0;
  for (uint32_t i = 0; i < slots; ++i) handed[i] = 0;
  const uint32_t row_place =
      (block.row == 0 ? 1 : 0) + (block.row == range.last_row_of_page ? 2 : 0);
  const uint32_t column_place =
      (block.column == 0 ? 1 : 0) + (block.column == phase.columns - 1 ? 2 : 0);
  const DeviceWalk walk = walks.at[row_place][column_place];
  const uint32_t y0 = block.row * size, x0 = block.column * size, half = block.column / 2;
  if (!phase.outward) {
    for (uint32_t along = 0; along < size; ++along) {
      if ((row_place & 1) == 0) {
        rim[kAbove * size + along] = phase.rim(block.row - 1, kBelow, along)[half];
      }
      if ((row_place & 2) == 0) {
        rim[kBelow * size + along] = phase.rim(block.row + 1, kAbove, along)[half];
      }
      if ((column_place & 1) == 0) {
        rim[kLeft * size + along] = phase.rim(block.row, kRight, along)[(block.column - 1) / 2];
      }
      if ((column_place & 2) == 0) {
        rim[kRight * size + along] = phase.rim(block.row, kLeft, along)[(block.column + 1) / 2];
      }
    }
  }
  // Whatever a step reads of memory is fetched steps ahead, each item as soon as its address is
  // known: the step, then the sample, then its tone, then what the tables say.
  Rule rule = phase.rule;
  rule.levels = kByTone ? kLevels : 1;
  if (!kByTone) rule.mask = nullptr;
  if (!kNoisy) rule.noise = {};
  PackedStep steps[kAhead];
  uint32_t samples[kAhead];
  int tones[kAhead];
  Entry entries[kAhead];
  const auto pixel_of = [&](const PackedStep& step, int tone) {
    return Pixel{tone, 0, y0 + step.y, x0 + step.x};
  };
  const auto fetch_step = [&](PackedStep& step, uint32_t i) {
    const uint4 words = __ldg(reinterpret_cast<const uint4*>(walk.steps) + min(i, walk.count - 1));
    memcpy(&step, &words, sizeof step);
  };
  const auto fetch_entry = [&](Entry& entry, const PackedStep& step, int tone) {
    const Pixel pixel = pixel_of(step, tone);
    entry = entry_of(rule, static_cast<Kind>(step.kind), step.legal & 15, pixel, phase.origin);
  };
  const auto decide_step = [&](const PackedStep& step, int tone, const Entry& entry, bool first) {
    const int legal = step.legal & 15, edges = step.legal >> 4;
    Pixel pixel = pixel_of(step, tone);
    pixel.first = first;
    pixel.handed = handed.values[step.slot];
    handed.values[step.slot] = 0;
    if (edges != 0) {
      if (edges & 1 << kAbove) pixel.handed += rim[kAbove * size + step.x];
      if (edges & 1 << kBelow) pixel.handed += rim[kBelow * size + step.x];
      if (edges & 1 << kLeft) pixel.handed += rim[kLeft * size + step.y];
      if (edges & 1 << kRight) pixel.handed += rim[kRight * size + step.y];
    }
    const Outcome outcome = decide(rule.noise, legal, pixel, phase.band.plane, entry);
    // A target that is not there has no share, and a slot that nobody reads.
#pragma unroll
    for (int target = 0; target < kTargets; ++target) {
      int16_t& slot = handed.values[step.slots[target]];
      slot = static_cast<int16_t>(slot + outcome.shares[target]);
    }
    if (outcome.ink) bits[step.y * row_words + step.x / 32] |= 0x80000000U >> step.x % 32;
  };
  // Step i is fetched when i - 7 is decided, its sample with i - 6, its tone with i - 2, its entry
  // with i - 1; a place of the arrays is used again once its step is decided.
  const auto advance = [&](uint32_t i, uint32_t k, bool decides) {
    if (decides) decide_step(steps[k], tones[k], entries[k], i == 0);
    fetch_step(steps[(k + 7) % kAhead], i + 7);
    samples[(k + 6) % kAhead] =
        phase.sample(y0 + steps[(k + 6) % kAhead].y, x0 + steps[(k + 6) % kAhead].x);
    tones[(k + 2) % kAhead] = __ldg(phase.band.tones + samples[(k + 2) % kAhead]);
    fetch_entry(entries[(k + 1) % kAhead], steps[(k + 1) % kAhead], tones[(k + 1) % kAhead]);
  };
#pragma unroll
  for (uint32_t k = 0; k < 7; ++k) fetch_step(steps[k], k);
#pragma unroll
  for (uint32_t k = 0; k < 6; ++k) samples[k] = phase.sample(y0 + steps[k].y, x0 + steps[k].x);
  tones[0] = __ldg(phase.band.tones + samples[0]);
  tones[1] = __ldg(phase.band.tones + samples[1]);
  fetch_entry(entries[0], steps[0], tones[0]);
  for (uint32_t first = 0; first < walk.count; first += kAhead) {
#pragma unroll
    for (uint32_t k = 0; k < kAhead; ++k) advance(first + k, k, first + k < walk.count);
  }
  for (uint32_t y = 0; y < size; ++y) {
    for (uint32_t word = 0; word < row_words; ++word) {
      phase.put(y0 + y, x0 + 32 * word, bits[y * row_words + word]);
    }
  }
  if (phase.outward) {
    for (uint32_t side = 0; side < 4; ++side) {
      for (uint32_t along = 0; along < size; ++along) {
        phase.rim(block.row, side, along)[half] = rim[side * size + along];
      }
    }
  }
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
