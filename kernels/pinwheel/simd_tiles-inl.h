// Tiles of pinwheel diffusion in lanes: tones of a group of blocks, pixel by pixel, all blocks side
// by side. Compiled once for each SIMD target.

#if defined(MEZZOTINT_PINWHEEL_LANES_TILES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MEZZOTINT_PINWHEEL_LANES_TILES_INL_H
#undef MEZZOTINT_PINWHEEL_LANES_TILES_INL_H
#else
#define MEZZOTINT_PINWHEEL_LANES_TILES_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "kernels/band/tones-inl.h"
#include "kernels/pinwheel/band_work.h"
#include "kernels/pinwheel/simd_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::pinwheel::simd::HWY_NAMESPACE {

constexpr uint32_t kColumns = mezzo::HWY_NAMESPACE::kTransposed;

/// Pixels from one row of a block to the next: as many as are transposed.
constexpr uint32_t tile_stride(uint32_t columns) {
  return (columns + kColumns - 1) / kColumns * kColumns;
}

/// Fills tiles of `blocks` blocks: kVectors vectors with their first pixels, then their second
/// ones, and so on.
template <uint32_t kVectors>
class Tiler {
 public:
  static constexpr uint32_t kBlocks = kVectors * kLanes;

  /// `line` has room for a row of pixels of kBlocks blocks, and kColumns more.
  Tiler(const BandWork& work,
        const BlockShape& shape,
        const BlockPlace& first,
        uint32_t blocks,
        int16_t* line)
      : work_(work),
        first_(first),
        blocks_(blocks),
        rows_(static_cast<uint32_t>(shape.rows)),
        columns_(static_cast<uint32_t>(shape.columns)),
        blocks_apart_(2 * columns_),
        line_(line) {
    std::fill_n(line_, blocks_apart_ * kBlocks + kColumns, int16_t{0});
  }

  void fill_tones(int16_t* tile) {
    const uint32_t count = blocks_apart_ * (blocks_ - 1) + columns_;
    for (uint32_t y = 0; y < rows_; ++y) {
      const int64_t row = int64_t{first_.y} + y - work_.in.first_row;
      if (work_.curve.form() != ToneForm::kAny) {
        mezzo::HWY_NAMESPACE::curve_tones(
            Tag(), work_.curve, work_.in, row, first_.x, count, line_);
      } else if (work_.in.bytes_per_sample == 2) {
        look_up_tones(work_.in.row16(row) + first_.x);
      } else {
        look_up_tones(work_.in.row8(row) + first_.x);
      }
      fill_row(tile, y);
    }
  }

 private:
  template <typename Sample>
  void look_up_tones(const Sample* samples) {
    const uint16_t* const tones = work_.curve.table().data();
    const uint32_t columns = columns_, apart = blocks_apart_, end = blocks_ * apart;
    for (uint32_t begin = 0; begin < end; begin += apart) {
      for (uint32_t x = begin; x < begin + columns; ++x) {
        line_[x] = static_cast<int16_t>(tones[samples[x]]);
      }
    }
  }

  /// Makes the line row `y` of a tile.
  void fill_row(int16_t* tile, uint32_t y) {
    int16_t* to = tile + y * tile_stride(columns_) * kBlocks;
    for (uint32_t x = 0; x < columns_; x += kColumns, to += kColumns * kBlocks) {
      for (uint32_t lane = 0; lane < kBlocks; lane += kLanes) {
        mezzo::HWY_NAMESPACE::transpose(
            Tag(), line_ + lane * blocks_apart_ + x, blocks_apart_, to + lane, kBlocks);
      }
    }
  }

  const BandWork& work_;
  const BlockPlace& first_;
  const uint32_t blocks_;
  const uint32_t rows_;
  const uint32_t columns_;
  const uint32_t blocks_apart_;
  int16_t* const line_;
};

}  // namespace mezzo::pinwheel::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
