// The errors that outward blocks hand to inward ones.
//
// An outward block adds up its shares for each pixel beyond its four sides; the inward block there
// fetches them. An inward pixel in a corner of its block gets shares from two sides.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/pinwheel/block_path.h"

namespace mezzo::pinwheel {

/// The borders of the outward blocks of one row of blocks: for each place on the border the values
/// of all blocks side by side, by half their column.
class BorderRow {
 public:
  BorderRow() = default;
  BorderRow(int16_t* values, uint32_t size, uint32_t stride)
      : values_(values), size_(size), stride_(stride) {}

  /// Values of the place `along` the side, 0 .. size - 1, one a block.
  int16_t* at(uint32_t side, uint32_t along) const {
    return values_ + (side * size_ + along) * stride_;
  }

 private:
  int16_t* values_ = nullptr;
  uint32_t size_ = 0;
  uint32_t stride_ = 0;
};

/// Memory for the borders of some rows of blocks, used again for the next band.
class BlockBorders {
 public:
  static constexpr uint32_t kSpare = 64;  ///< values behind those of a place, for whole vectors

  /// Makes room for `rows` rows of `columns` blocks of `size`; all values become undefined.
  void resize(uint32_t rows, uint32_t columns, uint32_t size) {
    size_ = size;
    stride_ = columns / 2 + 1 + kSpare;
    values_.resize(size_t{rows} * 4 * size * stride_);
  }

  BorderRow row(uint32_t i) {
    return {values_.data() + size_t{i} * 4 * size_ * stride_, size_, stride_};
  }

 private:
  std::vector<int16_t> values_;
  uint32_t size_ = 0;
  uint32_t stride_ = 0;
};

}  // namespace mezzo::pinwheel
