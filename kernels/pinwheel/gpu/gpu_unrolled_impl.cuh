// The code of the sources made of gpu_unrolled.cu.in, each for a size.
#pragma once

#include <type_traits>
#include <utility>

#include "kernels/gpu/launch.cuh"
#include "kernels/pinwheel/gpu/gpu_unrolled.cuh"

namespace mezzo::pinwheel {

/// A whole block's walk, and the facts derived from it at compile time.
template <int kSize, bool kOutward>
struct CompiledWalk {
  static constexpr int kCount = kSize * kSize;

  static constexpr std::array<Step, kCount> lay_out() {
    std::array<Step, kCount> steps{};
    lay_out_block({kSize, kSize, kOutward, {true, true, true, true}}, Path::kSpiral, steps);
    return steps;
  }
  static constexpr std::array<Step, kCount> kSteps = lay_out();

  /// The last step that hands something to a place of the border.
  static constexpr std::array<int, kBorderPlaces> last_givers() {
    std::array<int, kBorderPlaces> last{};
    for (int i = 0; i < kCount; ++i) {
      for (int k = 0; k < kTargets; ++k) {
        if (kSteps[i].legal >> k & 1 && kSteps[i].targets[k] >= kBorder) {
          last[kSteps[i].targets[k] - kBorder] = i;
        }
      }
    }
    return last;
  }
  static constexpr std::array<int, kBorderPlaces> kLastGiver = last_givers();

  /// Kinds and classes of thresholds that the walk's colour has: from the first one on.
  static constexpr int kFirstKind = kOutward ? kCorner : kFour;
  static constexpr int kUsedKinds = kOutward ? 2 : 3;
  static constexpr int kFirstClass = kOutward ? kOutwardPlace : kInwardLeft;
  static constexpr int used_classes() {
    int end = 0;
    for (const Step& step : kSteps) {
      if (step.threshold_class >= end) end = step.threshold_class + 1;
    }
    return end - kFirstClass;
  }
  static constexpr int kUsedClasses = used_classes();
};
static_assert(kCorner == 0 && kFour == 1 && kThree == 2 && kTwo == 3);

/// Step kI of a walk, for device code, which may not index a std::array.
template <typename Walk, int kI>
inline constexpr Step kStepOf = Walk::kSteps[kI];
template <typename Walk, int kPlace>
inline constexpr int kLastGiverOf = Walk::kLastGiver[kPlace];
template <int kClass>
inline constexpr int kSpreadOf = class_spread(kClass);

/// The targets that a pixel of this kind has in the middle of a page.
__host__ __device__ constexpr int all_of(Kind kind) {
  return kind == kThree ? 0b0111 : kind == kTwo ? 0b0101 : 0b1111;
}

/// The part of a rule for whole blocks, when weights and the threshold are the same for all levels.
struct PlainTables {
  Weights weights[kKinds];
  int middle;

  __device__ explicit PlainTables(const Rule& rule) : middle(rule.thresholds->middle) {
#pragma unroll
    for (int kind = 0; kind < kKinds; ++kind) {
      weights[kind] = *rule.weights_of(static_cast<Kind>(kind), all_of(static_cast<Kind>(kind)));
    }
  }

  __device__ int level(int) const {
    return 0;
  }
  __device__ Weights weights_of(Kind kind, int) const {
    return weights[static_cast<int>(kind)];
  }
  template <int kClass>
  __device__ int threshold(int, int) const {
    return middle;
  }
};

/// The same where they depend on the level, in shared memory.
template <typename Walk>
struct LevelTables {
  struct Shared {
    Weights weights[Walk::kUsedKinds][kLevels];
    int16_t spreads[kLevels];  ///< besides those of classes
    int16_t middles[Walk::kUsedClasses][kLevels];
  };
  const Shared& shared;

  /// For all threads of a block to call together.
  static __device__ void fill(Shared& shared, const Rule& rule) {
    for (uint32_t i = threadIdx.x; i < Walk::kUsedKinds * kLevels; i += blockDim.x) {
      const auto kind = static_cast<Kind>(Walk::kFirstKind + i / kLevels);
      shared.weights[i / kLevels][i % kLevels] = rule.weights_of(kind, all_of(kind))[i % kLevels];
    }
    for (uint32_t i = threadIdx.x; i < kLevels; i += blockDim.x) {
      shared.spreads[i] = rule.thresholds_of(kInwardRest)[i].spread;
    }
    const Threshold* const thresholds = rule.thresholds_of(Walk::kFirstClass);
    for (uint32_t i = threadIdx.x; i < Walk::kUsedClasses * kLevels; i += blockDim.x) {
      shared.middles[i / kLevels][i % kLevels] = thresholds[i].middle;
    }
  }

  __device__ int level(int tone) const { return level_of(tone); }
  __device__ Weights weights_of(Kind kind, int level) const {
    return shared.weights[static_cast<int>(kind) - Walk::kFirstKind][level];
  }
  /// threshold_of(); the noise of the pixel is in the upper half of `noise`, and the lower is 0.
  template <int kClass>
  __device__ int threshold(int level, int noise) const {
    return shared.middles[kClass - Walk::kFirstClass][level] +
           __mulhi(kSpreadOf<kClass> + shared.spreads[level], noise);
  }
};

/// One block in the hands of one thread.
template <int kSize, bool kOutward, typename Tables>
class UnrolledBlock {
  using Walk = CompiledWalk<kSize, kOutward>;

 public:
  __device__ __forceinline__ UnrolledBlock(const Phase& phase,
                                           const Tables& tables,
                                           const uint16_t* tones,
                                           uint32_t row,
                                           uint32_t column)
      : phase_(phase),
        tables_(tables),
        tones_(tones),
        row_(row),
        column_(column),
        noise_(phase.noise(row, column) << 16) {
    if constexpr (!kOutward) fetch_borders(std::make_integer_sequence<int, Walk::kCount>());
  }

  __device__ __forceinline__ void run() { run(std::make_integer_sequence<int, Walk::kCount>()); }

  __device__ __forceinline__ void put_bits() const {
#pragma unroll
    for (int y = 0; y < kSize; ++y) {
      phase_.put(row_ * kSize + y, column_ * kSize, bits_[y] << (32 - kSize));
    }
  }

 private:
  template <int... kSteps>
  __device__ __forceinline__ void fetch_borders(std::integer_sequence<int, kSteps...>) {
    (fetch_border<kSteps>(), ...);
  }

  template <int kI>
  __device__ __forceinline__ void fetch_border() {
    constexpr Step kStep = kStepOf<Walk, kI>;
    const uint32_t half = column_ / 2;
    if constexpr (kStep.y == 0)
      received_errors_[kI] += phase_.border(row_ - 1, kBelow, kStep.x)[half];
    if constexpr (kStep.y == kSize - 1)
      received_errors_[kI] += phase_.border(row_ + 1, kAbove, kStep.x)[half];
    if constexpr (kStep.x == 0) {
      received_errors_[kI] += phase_.border(row_, kRight, kStep.y)[(column_ - 1) / 2];
    }
    if constexpr (kStep.x == kSize - 1) {
      received_errors_[kI] += phase_.border(row_, kLeft, kStep.y)[(column_ + 1) / 2];
    }
  }

  template <int... kSteps>
  __device__ __forceinline__ void run(std::integer_sequence<int, kSteps...>) {
    (step<kSteps>(), ...);
  }

  template <int kI>
  __device__ __forceinline__ void step() {
    constexpr Step kStep = kStepOf<Walk, kI>;
    constexpr int kLegal = kStep.legal;
    const int tone = tones_[kStep.y * kSize + kStep.x];
    const int level = tables_.level(tone);
    const int u = tone + received_errors_[kI];
    const int threshold = tables_.template threshold<kStep.threshold_class>(
        level, static_cast<int>(noise_ * kStep.noise_factor));
    const bool ink = is_ink(tone, u, threshold);
    if (ink) bits_[kStep.y] |= 1U << (kSize - 1 - kStep.x);
    const int error = clamped(ink ? u - static_cast<int>(kSolid) : u, kMostError);
    if constexpr (kLegal != 0) {
      Weights weights;
      if constexpr ((kLegal & (kLegal - 1)) != 0) weights = tables_.weights_of(kStep.kind, level);
      int rest = error;
      give_shares<kI>(weights, error, rest, std::make_integer_sequence<int, kTargets>());
      give<kI, primary_target(kLegal)>(rest);
      put_borders<kI>(std::make_integer_sequence<int, kTargets>());
    }
  }

  /// Hands all but the primary target their shares, and subtracts them from the rest.
  template <int kI, int... kTarget>
  __device__ __forceinline__ void give_shares(const Weights& weights,
                                              int error,
                                              int& rest,
                                              std::integer_sequence<int, kTarget...>) {
    (give_share<kI, kTarget>(weights, error, rest), ...);
  }

  template <int kI, int kTarget>
  __device__ __forceinline__ void give_share(const Weights& weights, int error, int& rest) {
    constexpr int kLegal = kStepOf<Walk, kI>.legal;
    if constexpr ((kLegal >> kTarget & 1) != 0 && kTarget != primary_target(kLegal)) {
      const int share = mul15(weights.part[kTarget], error);
      rest -= share;
      give<kI, kTarget>(share);
    }
  }

  template <int kI, int kTarget>
  __device__ __forceinline__ void give(int share) {
    constexpr int kPlace = kStepOf<Walk, kI>.targets[kTarget];
    if constexpr (kPlace < kBorder) {
      received_errors_[kPlace] += share;
    } else {
      border_[kPlace - kBorder] += share;
    }
  }

  /// Places of the border that nothing more will be handed to.
  template <int kI, int... kTarget>
  __device__ __forceinline__ void put_borders(std::integer_sequence<int, kTarget...>) {
    (put_border<kI, kTarget>(), ...);
  }

  template <int kI, int kTarget>
  __device__ __forceinline__ void put_border() {
    constexpr Step kStep = kStepOf<Walk, kI>;
    if constexpr ((kStep.legal >> kTarget & 1) != 0 && kStep.targets[kTarget] >= kBorder) {
      constexpr int kPlace = kStep.targets[kTarget] - kBorder;
      if constexpr (kLastGiverOf<Walk, kPlace> == kI) {
        phase_.border(row_, kPlace / kMostSize, kPlace % kMostSize)[column_ / 2] =
            static_cast<int16_t>(border_[kPlace]);
      }
    }
  }

  const Phase& phase_;
  const Tables& tables_;
  const uint16_t* tones_;  ///< of the block, row by row
  const uint32_t row_;     ///< of blocks
  const uint32_t column_;
  const uint32_t noise_;  ///< of the block, in the upper half
  int received_errors_[Walk::kCount] = {};
  int border_[kBorderPlaces] = {};
  uint32_t bits_[kSize] = {};
};

/// From block to block of tones in shared memory: an odd number of words, so that the same pixel of
/// a warp's blocks lies in different banks.
template <int kSize>
inline constexpr int kTonePitch = (kSize * kSize / 2 % 2 == 1 ? 0 : 2) + kSize* kSize;

inline constexpr uint32_t kUnrolledWarps = 4;  ///< of a thread block
inline constexpr uint32_t kCurveValues = 256;  ///< of a curve of 8 bits

/// The first pixel of a warp's blocks, and the number of blocks.
struct WarpBlocks {
  uint32_t row;
  uint32_t column;  ///< of the first; the others are every second one
  uint32_t count;
};

/// Brings the tones of a warp's blocks to shared memory, two pixels at a time. The samples of two
/// rows are on their way at once.
template <int kSize, typename Sample>
__device__ void fetch_tones(const Phase& phase,
                            const uint16_t* curve,
                            const WarpBlocks& blocks,
                            uint16_t* tones,
                            uint32_t lane) {
  constexpr uint32_t kPairs = kSize / 2;  // of a row of a block, and for each lane to fetch
  using Pair = std::conditional_t<sizeof(Sample) == 1, uchar2, ushort2>;
  const DeviceBand& band = phase.band;
  const auto first_row = static_cast<int>(blocks.row * kSize - band.first_row);
  const std::byte* row = band.samples + first_row * static_cast<ptrdiff_t>(band.pitch_bytes);
  uint32_t from[kPairs], to[kPairs];  // in pairs and in tones
#pragma unroll
  for (uint32_t k = 0; k < kPairs; ++k) {
    const uint32_t i = k * kWarp + lane, block = i / kPairs, pair = i % kPairs;
    from[k] = min(block, blocks.count - 1) * kSize + pair;
    to[k] = block * kTonePitch<kSize> + 2 * pair;
  }
  const auto pairs_of = [&](const std::byte* samples) {
    return reinterpret_cast<const Pair*>(reinterpret_cast<const Sample*>(samples) +
                                         blocks.column * kSize);
  };
  const auto put = [&](uint16_t* place, Pair two) {
    *reinterpret_cast<uint32_t*>(place) = curve[two.x] | uint32_t{curve[two.y]} << 16;
  };
  for (int y = 0; y < kSize; y += 2, row += 2 * band.pitch_bytes, tones += 2 * kSize) {
    Pair upper[kPairs], lower[kPairs];
#pragma unroll
    for (uint32_t k = 0; k < kPairs; ++k) {
      upper[k] = __ldg(pairs_of(row) + from[k]);
      lower[k] = __ldg(pairs_of(row + band.pitch_bytes) + from[k]);
    }
#pragma unroll
    for (uint32_t k = 0; k < kPairs; ++k) {
      put(tones + to[k], upper[k]);
      put(tones + to[k] + kSize, lower[k]);
    }
  }
}

template <int kSize, bool kOutward, bool kByTone>
__global__ void __launch_bounds__(kUnrolledWarps* kWarp)
    run_unrolled(const __grid_constant__ Phase phase, const InnerBlocks inner, uint32_t warps) {
  extern __shared__ uint32_t memory[];
  const uint32_t warp = threadIdx.x / kWarp, lane = threadIdx.x % kWarp;
  constexpr uint32_t kToneValues = kWarp * kTonePitch<kSize>;
  auto* tones = reinterpret_cast<uint16_t*>(memory) + warp * kToneValues;
  auto* curve = reinterpret_cast<uint16_t*>(memory) + kUnrolledWarps * kToneValues;
  using Levels = LevelTables<CompiledWalk<kSize, kOutward>>;
  auto& shared = *reinterpret_cast<typename Levels::Shared*>(curve + kCurveValues);
  // A curve of 8 bits is copied; one of 16 is read where it is.
  const bool narrow = phase.band.bytes_per_sample == 1;
  if (narrow) {
    for (uint32_t i = threadIdx.x; i < kCurveValues; i += blockDim.x) {
      curve[i] = phase.band.tones[i];
    }
  }
  if constexpr (kByTone) Levels::fill(shared, phase.rule);
  const auto tables = [&] {
    if constexpr (kByTone) {
      return Levels{shared};
    } else {
      return PlainTables(phase.rule);
    }
  }();
  __syncthreads();

  const uint32_t row_warps = ((phase.columns + 1) / 2 + kWarp - 1) / kWarp;
  for (uint32_t i = blockIdx.x * kUnrolledWarps + warp; i < warps;
       i += gridDim.x * kUnrolledWarps) {
    WarpBlocks blocks;
    blocks.row = inner.first_row + i / row_warps;
    // Column 0 and the last one are not ours.
    const uint32_t parity = (blocks.row + (kOutward ? 0 : 1)) % 2;
    blocks.column = 2 * kWarp * (i % row_warps) + (parity == 0 ? 2 : 1);
    if (blocks.column + 1 >= phase.columns) continue;
    blocks.count = min(kWarp, (phase.columns - blocks.column) / 2);
    __syncwarp();
    if (narrow) {
      fetch_tones<kSize, uint8_t>(phase, curve, blocks, tones, lane);
    } else {
      fetch_tones<kSize, uint16_t>(phase, phase.band.tones, blocks, tones, lane);
    }
    __syncwarp();
    if (lane < blocks.count) {
      UnrolledBlock<kSize, kOutward, std::remove_const_t<decltype(tables)>> block(
          phase, tables, tones + lane * kTonePitch<kSize>, blocks.row, blocks.column + 2 * lane);
      block.run();
      block.put_bits();
    }
  }
}

template <int kSize>
void launch_unrolled(const Phase& phase, const InnerBlocks& blocks, cudaStream_t stream) {
  const uint32_t warps = blocks.rows * (((phase.columns + 1) / 2 + kWarp - 1) / kWarp);
  if (warps == 0) return;
  const bool by_tone = phase.rule.levels > 1;
  const auto kernel =
      phase.outward
          ? (by_tone ? run_unrolled<kSize, true, true> : run_unrolled<kSize, true, false>)
          : (by_tone ? run_unrolled<kSize, false, true> : run_unrolled<kSize, false, false>);
  const size_t of_levels = phase.outward
                               ? sizeof(typename LevelTables<CompiledWalk<kSize, true>>::Shared)
                               : sizeof(typename LevelTables<CompiledWalk<kSize, false>>::Shared);
  const size_t bytes =
      (kUnrolledWarps * kWarp * kTonePitch<kSize> + kCurveValues) * sizeof(uint16_t) +
      (by_tone ? of_levels : 0);
  // Tables are set up once a thread block, so let each have several warps' worth of blocks.
  constexpr uint32_t kRounds = 4;
  const uint32_t per_block = kUnrolledWarps * (by_tone ? kRounds : 1);
  gpu::launch_with_memory("halftoning blocks",
                          kernel,
                          (warps + per_block - 1) / per_block,
                          kUnrolledWarps * kWarp,
                          bytes,
                          stream,
                          phase,
                          blocks,
                          warps);
}

}  // namespace mezzo::pinwheel
