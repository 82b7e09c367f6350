// One band of pinwheel error diffusion, and the part of it that is one block.
#pragma once

#include <cstdint>

#include "kernels/band/bands.h"
#include "kernels/band/tone.h"
#include "kernels/pinwheel/block_borders.h"
#include "kernels/pinwheel/rule.h"
#include "kernels/pinwheel/walk_cache.h"

namespace mezzo::pinwheel {

/// The borders that a row of blocks writes, or reads.
struct RowBorders {
  BorderRow own;    ///< of its outward blocks
  BorderRow above;  ///< of the row of blocks above; unused where the page has none
  BorderRow below;
};

/// The data of a band for its blocks.
struct BandWork {
  const SampleBand& in;
  const ToneCurve& curve;
  const BitBand& out;  ///< all 0 at the beginning
  const Rule& rule;

  int tone(uint32_t y, uint32_t x) const {
    const int64_t row = int64_t{y} - in.first_row;
    return curve[in.bytes_per_sample == 1 ? in.row8(row)[x] : in.row16(row)[x]];
  }

  /// True when row `y` of the page is one of the band's own.
  bool is_own(uint32_t y) const { return y - in.first_row < in.rows; }
};

/// A block of the page: where its pixel (0, 0) is, and its place in its row's borders.
struct BlockPlace {
  uint32_t y = 0;
  uint32_t x = 0;
  uint32_t column = 0;  ///< of blocks

  /// The index in the borders of the block in question, if that is outward, or of a neighbour.
  uint32_t border_index() const { return column / 2; }
  uint32_t border_index_left() const { return (column - 1) / 2; }
  uint32_t border_index_right() const { return (column + 1) / 2; }
};

/// Decides one block, pixel by pixel.
void run_block(const BandWork& work,
               const Walk& walk,
               const BlockPlace& place,
               const RowBorders& borders);

}  // namespace mezzo::pinwheel
