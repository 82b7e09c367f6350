// The borders on a row of page pixels, and the plate pixels on their sides, for scaling by edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/prepress/edge_planes.h"

namespace mezzo::prepress {

class EdgeBorders {
 public:
  explicit EdgeBorders(size_t planes);

  /// The plate columns under a tile, as in EdgeTable.
  struct Columns {
    const uint32_t* firsts;   ///< of the page pixels, from the tile's first one on
    const uint32_t* offsets;  ///< of the plate's columns
  };

  /// Finds the borders on a row of the tile.
  void find(const EdgePlanes& tile, ptrdiff_t row, const Columns& columns);

  bool is_empty() const { return borders_.empty() && limits_.empty(); }

  /// Makes their pixels in a row of the plates at EdgeAxis::offset() `down`. `plates` has the row of each plane,
  /// which is that of cubic scaling.
  void make(uint32_t down, std::span<int16_t* const> plates) const;

  /// Plate pixels in the plane that has the border.
  struct Border {
    uint32_t first, count;  ///< columns of the plate
    uint32_t inks;          ///< the first of its Inks
    uint16_t plane;
    int16_t low, span;  ///< the lower level, and the upper one less it
    /// Of the page pixel and the eight around it, row by row, in 1/256 of the span. A pixel without a cut has that of
    /// the page pixel. If that is thin, each cut beside it is half way to its own.
    int16_t cuts[3][3];
  };
  /// The inks on the two sides of a border in a plane that has it.
  struct Inks {
    uint16_t plane;
    int16_t low, high;
  };
  /// Plate pixels that stay within limits.
  struct Limits {
    uint32_t first, count;
    uint16_t plane;
    int16_t low, high;
  };

  /// Memory for each plane.
  static constexpr uint64_t kPlaneBytes =
      EdgeTile::kColumns * (sizeof(Border) + sizeof(Inks) + sizeof(Limits));

 private:
  void add_border(const EdgePlanes& tile, size_t plane, ptrdiff_t row, ptrdiff_t column);
  void add_limits(const EdgeTile::Grids& grids, size_t plane, ptrdiff_t row, ptrdiff_t column);

  std::vector<Border> borders_;
  std::vector<Inks> inks_;
  std::vector<Limits> limits_;
  Columns columns_{};
};

}  // namespace mezzo::prepress
