// The borders in a part of a page of several planes, for scaling by edges.
//
// In rich black, and in type of two inks, all planes share a border. If each plane found it alone, one
// ink would show beside another, because strokes that are not solid look different from solid ones. So
// a pixel of a plane *follows* the plane with the most contrast around it, if its inks in the 3x3 pixels
// are a linear function of those of the leading plane. It gets the border of the leading plane, and the
// function gives its two levels. The function may fall, as where type is knocked out of a tint.
//
// A profile gives type inks on a *curve*: they only rise or only fall. A pixel follows on a curve if every plane
// with contrast follows, and if the paper or the type has equal pixels, as photographs do not. The sum of all inks
// tells how much of the pixel is covered, and gives the leading plane its cut there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/prepress/edge_tile.h"

namespace mezzo::prepress {

class EdgePlanes {
 public:
  /// A page pixel with the border of another plane.
  struct Follower {
    uint16_t column;  ///< of the tile
    uint16_t leader;  ///< the other plane
    int16_t low;   ///< ink where the leading plane has its low level, which may be the greater one
    int16_t high;  ///< and where it has its high level
  };

  explicit EdgePlanes(size_t planes) : tiles_(planes), followers_(planes * EdgeTile::kRows) {}

  /// Finds the borders of all planes, as EdgeTile::find().
  void find(std::span<const SampleBand> pages, const EdgeTile::Place& place);

  size_t planes() const { return tiles_.size(); }
  const EdgeTile::Place& place() const { return tiles_.front().place(); }
  /// A plane alone, without its pixels that follow another one.
  const EdgeTile& tile(size_t plane) const { return tiles_[plane]; }
  std::span<const Follower> followers(size_t plane, uint32_t row) const {
    return followers_[plane * EdgeTile::kRows + row];
  }

  /// Memory for each plane.
  static constexpr uint64_t kWorkingBytes =
      sizeof(EdgeTile) + EdgeTile::kWorkingBytes +
      EdgeTile::kRows * (sizeof(std::vector<Follower>) + EdgeTile::kColumns * sizeof(Follower));

 private:
  bool leads(size_t plane, ptrdiff_t row, ptrdiff_t column) const;
  void join(size_t leader, ptrdiff_t row);
  void follow(size_t leader, uint32_t row);
  bool follow(size_t leader, size_t plane, ptrdiff_t row, ptrdiff_t column, Follower& found) const;

  std::vector<EdgeTile> tiles_;
  std::vector<std::vector<Follower>> followers_;  ///< of each row of each plane
};

}  // namespace mezzo::prepress
