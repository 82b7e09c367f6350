// One parallelogram block on its way through a CUDA block: tones in, bits out. Error diffusion and
// error collection differ only in between.
//
// All warps load tones, as most of a launch would else be waiting for memory, and do so while the
// step before still runs (gpu/launch.cuh). The first alone then halftones, lane i row i of the
// block and skewed columns one after the other, and keeps the 32 bits of its row in a register.
#pragma once

#include "kernels/diffusion/gpu/block_launch.cuh"
#include "kernels/gpu/plate_word.cuh"

namespace mezzo::diffusion {

inline constexpr uint32_t kBlockThreads = 128;
inline constexpr uint32_t kAllLanes = 0xffffffffu;

/// Tones of a block, rows in skewed columns. Rows are an odd number of 32-bit words apart, so that
/// neither the lanes of one row nor those of one column meet in a bank.
struct BlockTones {
  uint16_t row[kBlockSide][kBlockSide + 2];
};

/// The place of a block in its band.
struct BlockFrame {
  int y;             ///< of the grid
  int first_skewed;  ///< skewed column
  uint32_t top;      ///< row of the band
  int last_row;      ///< of the block, inside the band; 31 but for a last block row cut short

  __device__ BlockFrame(const DeviceBand& band, const BlockStep& at) {
    const BlockGrid grid = {static_cast<int>(band.width_px),
                            static_cast<int>(band.rows),
                            kBlockSide,
                            kBlockSide,
                            kBlockSlope};
    y = at.first_row + static_cast<int>(blockIdx.x);
    first_skewed = (at.step - grid.lag() * y) * kBlockSide;
    top = static_cast<uint32_t>(y) * kBlockSide;
    const uint32_t rows_left = band.rows - top;
    last_row = (rows_left < kBlockSide ? static_cast<int>(rows_left) : kBlockSide) - 1;
  }

  /// The column of the plane where row i of the block begins; may lie outside the plane.
  __device__ int first_column(int i) const { return first_skewed - kBlockSlope * i; }

  /// Bit t: the pixel at skewed column first_skewed + t of row i lies in the plane.
  __device__ uint32_t inside(const DeviceBand& band, int i) const {
    const int begin = first_column(i);
    const int skip = begin < 0 ? -begin : 0;
    const int room = static_cast<int>(band.width_px) - begin;
    if (i > last_row || skip >= kBlockSide || room <= 0) return 0;
    return (kAllLanes << skip) & (room < kBlockSide ? ~(kAllLanes << room) : kAllLanes);
  }
};

/// Loads the tones of a block, all threads of the CUDA block together, each warp some of the rows;
/// anything valid where the block reaches over the plane.
template <typename Sample>
__device__ void load_tones(const DeviceBand& band, const BlockFrame& frame, BlockTones& tones) {
  constexpr int kWarps = kBlockThreads / kBlockSide;
  constexpr int kRowsPerWarp = kBlockSide / kWarps;
  const int warp = static_cast<int>(threadIdx.x) / kBlockSide;
  const int lane = static_cast<int>(threadIdx.x) % kBlockSide;
  // First all samples, then all tones: the loads of either kind are on their way together.
  Sample sample[kRowsPerWarp];
#pragma unroll
  for (int n = 0; n < kRowsPerWarp; ++n) {
    const int i = warp + kWarps * n;
    const int x = frame.first_column(i) + lane;
    const bool inside = i <= frame.last_row && x >= 0 && x < static_cast<int>(band.width_px);
    sample[n] = inside ? band.row<Sample>(frame.top + static_cast<uint32_t>(i))[x] : Sample{0};
  }
#pragma unroll
  for (int n = 0; n < kRowsPerWarp; ++n) {
    tones.row[warp + kWarps * n][lane] = band.tones[sample[n]];
  }
}

__device__ inline void load_tones(const DeviceBand& band,
                                  const BlockFrame& frame,
                                  BlockTones& tones) {
  if (band.bytes_per_sample == 1) {
    load_tones<uint8_t>(band, frame, tones);
  } else {
    load_tones<uint16_t>(band, frame, tones);
  }
}

/// The words of a band that the 32 bits of one row of a block belong to: the last bits of one word,
/// the first bits of the next. Either may lie outside the plane.
class BlockRowWords {
 public:
  /// For row i of the block. Reads what earlier blocks put into the first word.
  __device__ BlockRowWords(const DeviceBand& band, const BlockFrame& frame, int i)
      : row_(band.words + size_t{frame.top + i} * band.row_words()),
        words_(i <= frame.last_row ? static_cast<int>(band.row_words()) : 0),
        first_(frame.first_column(i) >> 5),
        shift_(frame.first_column(i) & 31),
        before_(shift_ != 0 && has(first_) ? __ldcg(row_ + first_) : 0) {}

  /// The first pixel in the most significant bit; 0 outside the plane.
  __device__ void put(uint32_t bits) const {
    if (has(first_)) row_[first_] = before_ | gpu::plate_word(bits >> shift_);
    if (shift_ != 0 && has(first_ + 1)) row_[first_ + 1] = gpu::plate_word(bits << (32 - shift_));
  }

 private:
  __device__ bool has(int word) const { return word >= 0 && word < words_; }

  uint32_t* row_;
  int words_;
  int first_;
  int shift_;
  uint32_t before_;
};

}  // namespace mezzo::diffusion
