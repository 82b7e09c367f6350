#include "kernels/prepress/edge_planes.h"

#include <bitset>

#include "kernels/prepress/edge_relation.h"

namespace mezzo::prepress {
namespace {

int32_t contrast(const EdgeTile& tile, ptrdiff_t row, ptrdiff_t column) {
  return *tile.grids().high3.at(row, column) - *tile.grids().low3.at(row, column);
}

/// The ink of a plane around a pixel.
struct InkOfTile {
  static constexpr ptrdiff_t kStride = EdgeTile::Grid<int16_t>::kStride;
  const int16_t* pixel;
  int at(int right, int down) const { return pixel[down * kStride + right]; }
};

/// All planes around a pixel.
struct PlanesOfTile {
  std::span<const EdgeTile> tiles;
  ptrdiff_t row, column;
  uint32_t count() const { return static_cast<uint32_t>(tiles.size()); }
  InkOfTile ink(size_t plane) const { return {tiles[plane].grids().ink.at(row, column)}; }
};

EdgeInks levels_at(const EdgeTile& tile, ptrdiff_t row, ptrdiff_t column) {
  return {*tile.grids().low.at(row, column), *tile.grids().high.at(row, column)};
}

}  // namespace

/// Returns whether the plane has the most contrast at a pixel; of several, the first leads.
bool EdgePlanes::leads(size_t plane, ptrdiff_t row, ptrdiff_t column) const {
  const int32_t own = contrast(tiles_[plane], row, column);
  for (size_t i = 0; i < tiles_.size(); ++i) {
    if (contrast(tiles_[i], row, column) > own - (i < plane ? 1 : 0) && i != plane) return false;
  }
  return true;
}

/// Gives the pixels of a row the cuts that all planes have in common, and those beside the row.
void EdgePlanes::join(size_t leader, ptrdiff_t row) {
  const EdgeTile::Grids& grids = tiles_[leader].grids();
  const auto columns = static_cast<ptrdiff_t>(place().columns);
  for (ptrdiff_t x = -1; x <= columns; ++x) {
    const uint8_t kind = *grids.kind.at(row, x);
    if (kind == EdgeTile::kOther || !leads(leader, row, x)) continue;
    const PlanesOfTile planes{tiles_, row, x};
    const EdgeInks own = levels_at(tiles_[leader], row, x);
    set_common_cut(edges_together(planes, static_cast<uint32_t>(leader), own),
                   planes.ink(leader),
                   kind == EdgeTile::kPureLevel,
                   own,
                   *grids.cut.at(row, x));
  }
}

/// Returns whether a pixel of `plane` follows `leader`.
bool EdgePlanes::follow(
    size_t leader, size_t plane, ptrdiff_t row, ptrdiff_t column, Follower& found) const {
  const PlanesOfTile planes{tiles_, row, column};
  const EdgeInks of_leader = levels_at(tiles_[leader], row, column);
  const EdgeInks own = levels_at(tiles_[plane], row, column);
  const bool has_own = *tiles_[plane].grids().kind.at(row, column) != EdgeTile::kOther;
  EdgeInks inks{};
  const bool follows = follow_edge(
      planes.ink(leader),
      planes.ink(plane),
      of_leader,
      has_own ? &own : nullptr,
      [&] { return edges_together(planes, static_cast<uint32_t>(leader), of_leader).are; },
      inks);
  found = {static_cast<uint16_t>(column),
           static_cast<uint16_t>(leader),
           static_cast<int16_t>(inks.low),
           static_cast<int16_t>(inks.high)};
  return follows;
}

/// Finds the pixels of other planes that follow `leader` in a row of the tile.
void EdgePlanes::follow(size_t leader, uint32_t row) {
  const EdgeTile& leading = tiles_[leader];
  for (const uint16_t x : leading.treated(row)) {
    if (*leading.grids().kind.at(row, x) == EdgeTile::kOther || !leads(leader, row, x)) continue;
    for (size_t i = 0; i < tiles_.size(); ++i) {
      Follower found;
      if (i != leader && follow(leader, i, row, x, found)) {
        followers_[i * EdgeTile::kRows + row].push_back(found);
      }
    }
  }
}

void EdgePlanes::find(std::span<const SampleBand> pages, const EdgeTile::Place& place) {
  for (size_t i = 0; i < tiles_.size(); ++i) tiles_[i].find(pages[i], place);
  if (tiles_.size() == 1) return;
  for (std::vector<Follower>& row : followers_) row.clear();
  for (ptrdiff_t row = -1; row <= static_cast<ptrdiff_t>(place.rows); ++row) {
    for (size_t i = 0; i < tiles_.size(); ++i) join(i, row);
  }
  for (uint32_t row = 0; row < place.rows; ++row) {
    for (size_t i = 0; i < tiles_.size(); ++i) follow(i, row);
  }
  for (size_t i = 0; i < tiles_.size(); ++i) {
    for (uint32_t row = 0; row < place.rows; ++row) {
      std::bitset<EdgeTile::kColumns> follows;
      for (const Follower& follower : followers(i, row)) follows.set(follower.column);
      if (follows.any()) tiles_[i].leave_out(row, follows);
    }
  }
}

}  // namespace mezzo::prepress
