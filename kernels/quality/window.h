// The rows of both pages that the tiles of one row of tiles need, and no others.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/quality/page_pair.h"

namespace mezzo::quality {

/// Slides down the page; each row is read once.
class Window {
 public:
  explicit Window(PagePair& pages);

  /// Holds rows [first, end) of the page, end <= height, from now on. Both may only grow.
  void advance(uint32_t first, uint32_t end, Team& team);

  uint32_t width_px() const { return width_px_; }
  uint32_t height_px() const { return height_px_; }

  /// Row `y` of the page, which the window must hold.
  const uint16_t* ink(uint32_t y) const { return ink_.data() + offset(y); }
  const uint8_t* bits(uint32_t y) const { return bits_.data() + offset(y); }

  /// Coverage of an ink value, 0..1: value / max_ink().
  double coverage(uint16_t ink) const { return coverage_[ink]; }
  uint32_t max_ink() const { return static_cast<uint32_t>(coverage_.size() - 1); }

 private:
  size_t offset(uint32_t y) const;

  PagePair& pages_;
  uint32_t width_px_;
  uint32_t height_px_;
  uint32_t first_ = 0;
  uint32_t end_ = 0;
  std::vector<uint16_t> ink_;
  std::vector<uint8_t> bits_;
  std::vector<double> coverage_;
};

/// Position `i`, which may lie outside [0, size), mirrored about the outermost pixels into it:
/// -1 is 1, size is size - 2, and so on back and forth.
uint32_t mirrored(int64_t i, uint32_t size);

}  // namespace mezzo::quality
