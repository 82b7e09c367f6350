// Tiles of pinwheel diffusion in lanes: tones and mask of a group of blocks, pixel by pixel, all
// blocks side by side. Compiled once for each SIMD target.

#if defined(MEZZOTINT_PINWHEEL_LANES_TILES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MEZZOTINT_PINWHEEL_LANES_TILES_INL_H
#undef MEZZOTINT_PINWHEEL_LANES_TILES_INL_H
#else
#define MEZZOTINT_PINWHEEL_LANES_TILES_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "kernels/pinwheel/band_work.h"
#include "kernels/pinwheel/simd_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::pinwheel::simd::HWY_NAMESPACE {

constexpr uint32_t kColumns = 8;  // that are transposed at a time: lanes of 128 bits

/// kColumns columns, from `line` on, of every eighth block: 128 bits of each.
template <class D>
HWY_INLINE hn::Vec<D> load_columns(D d, const int16_t* line, size_t blocks_apart) {
  if constexpr (hn::MaxLanes(D()) == kColumns) {
    return hn::LoadU(d, line);
  } else {
    const hn::Half<D> half;
    constexpr size_t kUpper = hn::MaxLanes(D()) / 2;
    return hn::Combine(d,
                       load_columns(half, line + kUpper * blocks_apart, blocks_apart),
                       load_columns(half, line, blocks_apart));
  }
}

/// kColumns columns of kLanes blocks, side by side from `line` on, to a vector a column: three
/// rounds of interleaving the first half of the vectors with the second.
HWY_INLINE void transpose(const int16_t* line, size_t blocks_apart, int16_t* to, size_t stride) {
  const Tag d;
  Vector a[kColumns], b[kColumns];
  for (size_t i = 0; i < kColumns; ++i) {
    a[i] = load_columns(d, line + i * blocks_apart, blocks_apart);
  }
  for (int round = 0; round < 3; ++round) {
    for (size_t i = 0; i < kColumns / 2; ++i) {
      b[2 * i] = hn::InterleaveLower(d, a[i], a[i + kColumns / 2]);
      b[2 * i + 1] = hn::InterleaveUpper(d, a[i], a[i + kColumns / 2]);
    }
    for (size_t i = 0; i < kColumns; ++i) a[i] = b[i];
  }
  for (size_t i = 0; i < kColumns; ++i) hn::Store(a[i], d, to + i * stride);
}

/// identity_tone() of `count` samples. `flip` is 255 where 255 is paper, else 0.
HWY_INLINE void identity_tones(const uint8_t* samples, uint32_t count, int flip, int16_t* out) {
  const Tag d;
  const hn::Rebind<uint8_t, Tag> d8;
  const auto flip8 = hn::Set(d8, static_cast<uint8_t>(flip));
  const Vector round = hn::Set(d, int16_t{8});
  uint32_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const Vector v = hn::PromoteTo(d, hn::Xor(hn::LoadU(d8, samples + i), flip8));
    hn::StoreU(hn::Add(hn::ShiftLeft<4>(v), hn::ShiftRight<4>(hn::Add(v, round))), d, out + i);
  }
  for (; i < count; ++i) {
    out[i] = static_cast<int16_t>(identity_tone(static_cast<uint32_t>(samples[i] ^ flip)));
  }
}

/// Pixels from one row of a block to the next: as many as are transposed.
constexpr uint32_t tile_stride(uint32_t columns) {
  return (columns + kColumns - 1) / kColumns * kColumns;
}

/// Fills tiles of `blocks` blocks, of which kVectors vectors have the first pixel, then the second
/// one, and so on.
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
      if (work_.in.bytes_per_sample == 2) {
        look_up_tones(work_.in.row16(row) + first_.x);
      } else if (work_.curve.is_identity8(Polarity::kMaxIsPaper)) {
        identity_tones(work_.in.row8(row) + first_.x, count, 255, line_);
      } else if (work_.curve.is_identity8(Polarity::kMaxIsInk)) {
        identity_tones(work_.in.row8(row) + first_.x, count, 0, line_);
      } else {
        look_up_tones(work_.in.row8(row) + first_.x);
      }
      fill_row(tile, y);
    }
  }

  void fill_mask(int16_t* tile) {
    const uint32_t shift = first_.x + work_.origin.x, count = blocks_apart_ * kBlocks;
    for (uint32_t y = 0; y < rows_; ++y) {
      const uint32_t mask_y = (first_.y + y + work_.origin.y) % kMaskSide;
      const uint16_t* const values = work_.rule.mask + mask_y * kMaskSide;
      for (uint32_t x = 0; x < count && x < kMaskSide; ++x) {
        line_[x] = static_cast<int16_t>(values[(x + shift) % kMaskSide]);
      }
      for (uint32_t x = kMaskSide; x < count; ++x) line_[x] = line_[x - kMaskSide];
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
        transpose(line_ + lane * blocks_apart_ + x, blocks_apart_, to + lane, kBlocks);
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
