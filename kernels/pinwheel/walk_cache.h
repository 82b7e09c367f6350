// The walks of all blocks of a page. Blocks differ by colour, by the neighbours that the page has,
// and by the cut at the right and the bottom: a handful of shapes a page.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "kernels/pinwheel/block_path.h"

namespace mezzo::pinwheel {

/// A walk, laid out.
struct Walk {
  BlockShape shape;
  std::vector<Step> steps;
  uint32_t reach = 1;  ///< the most steps ahead that an error is handed to
};

Walk lay_out(const BlockShape& shape, Path path);

/// The outline of a page for its blocks; its length may not be known yet.
struct PageGrid {
  uint32_t width_px = 0;
  uint32_t end_row = 0;  ///< rows of the page known so far; blocks below are whole
  bool ends = false;     ///< end_row is where the page ends
  uint32_t size = 2;     ///< of a block

  uint32_t block_columns() const { return (width_px + size - 1) / size; }
  BlockShape shape(uint32_t block_row, uint32_t block_column) const;
};

/// Makes each walk once.
class WalkCache {
 public:
  explicit WalkCache(Path path) : path_(path) {}

  /// Lays the walk out if it is new; for one thread at a time. Walks stay where they are.
  const Walk& walk(const BlockShape& shape);

  /// A walk that was laid out before; for any number of threads.
  const Walk& known_walk(const BlockShape& shape) const;

 private:
  using Key = std::array<int, 7>;
  static Key key_of(const BlockShape& shape);

  Path path_;
  std::map<Key, Walk> walks_;
};

}  // namespace mezzo::pinwheel
