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

constexpr int kFollowLeast = EdgeTile::kNoise;          ///< with less contrast a pixel follows none
constexpr int kFollowTolerance = EdgeTile::kNoise / 2;  ///< distance of an ink from a line or curve
constexpr int kFollowEquals = 4;  ///< equal pixels of the 5x5 that a photograph does not have

class EdgePlanes {
 public:
  /// For places of `rows` at most.
  EdgePlanes(size_t planes, uint32_t rows);

  /// Finds the borders of all planes, as EdgeTile::find(). A pixel that follows another plane has the mark kFollows.
  /// Its `low` and `high` are its inks where the leading plane has its low and its high level; `low` may be the
  /// greater one.
  void find(std::span<const SampleBand> pages, const EdgeTile::Place& place);

  size_t planes() const { return tiles_.size(); }
  const EdgeTile::Place& place() const { return tiles_.front().place(); }
  const EdgeTile::Grids& grids(size_t plane) const { return tiles_[plane].grids(); }
  /// The plane whose border a pixel has that follows.
  size_t leader(ptrdiff_t row, ptrdiff_t column) const {
    return static_cast<size_t>(*leader_.at(row, column));
  }

  /// A plane beside the leading one in a block of pixels.
  struct Candidate {
    int16_t on_line[kEdgeLanes], on_curve[kEdgeLanes];  ///< not 0: it is
    int16_t low[kEdgeLanes], high[kEdgeLanes];          ///< its inks, if it follows
  };

  /// What join_tile() in the source works on.
  struct Parts {
    std::span<const EdgeTile> tiles;
    const EdgeTile::Grid<int16_t>& leader;
    std::span<Candidate> candidates;
  };

  /// Memory for each plane, and beside the planes, at most.
  static constexpr uint64_t kPlaneBytes =
      sizeof(EdgeTile) + EdgeTile::kWorkingBytes + sizeof(Candidate);
  static constexpr uint64_t kSharedBytes = EdgeTile::Grid<int16_t>::kMostBytes;

 private:
  std::vector<EdgeTile> tiles_;
  EdgeTile::Grid<int16_t> leader_;
  std::vector<Candidate> candidates_;
};

}  // namespace mezzo::prepress
