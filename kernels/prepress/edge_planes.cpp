#include "kernels/prepress/edge_planes.h"

#include <algorithm>
#include <bitset>
#include <cstdlib>
#include <optional>

#include "kernels/band/ink15.h"

namespace mezzo::prepress {
namespace {

int32_t contrast(const EdgeTile& tile, ptrdiff_t row, ptrdiff_t column) {
  return *tile.grids().high3.at(row, column) - *tile.grids().low3.at(row, column);
}

/// The mean inks of two planes over some of the pixels of a 3x3.
struct MeanInks {
  int32_t leading, other;
};

/// The inks of two planes in the 3x3 around a pixel.
class InksOfTwo {
 public:
  InksOfTwo(const int16_t* leading, const int16_t* other) : leading_(leading), other_(other) {}

  /// The mean over the pixels whose ink in the leading plane is within [from, to]; there must be one.
  MeanInks mean(int32_t from, int32_t to) const {
    int32_t count = 0, leading = 0, other = 0;
    for (const ptrdiff_t at : kAround) {
      if (leading_[at] < from || leading_[at] > to) continue;
      ++count;
      leading += leading_[at];
      other += other_[at];
    }
    return {leading / count, other / count};
  }

  /// Returns whether the inks of all nine pixels lie on the line through a and b. b has more ink in the
  /// leading plane than a.
  bool are_on_line(const MeanInks& a, const MeanInks& b) const {
    const int64_t run = b.leading - a.leading, rise = b.other - a.other;
    return std::ranges::all_of(kAround, [&](ptrdiff_t at) {
      const int64_t error = (other_[at] - a.other) * run - (leading_[at] - a.leading) * rise;
      return std::abs(error) <= EdgePlanes::kTolerance * run;
    });
  }

 private:
  static constexpr ptrdiff_t kStride = EdgeTile::Grid<int16_t>::kStride;
  static constexpr ptrdiff_t kAround[] = {
      -kStride - 1, -kStride, -kStride + 1, -1, 0, 1, kStride - 1, kStride, kStride + 1};
  const int16_t* leading_;
  const int16_t* other_;
};

/// The ink of the other plane on the line, where the leading one has `level`. Paper is paper.
int16_t on_line(const MeanInks& a, const MeanInks& b, int32_t level) {
  constexpr int32_t kSolid = kInk15;
  const int64_t rise = int64_t{level - a.leading} * (b.other - a.other) / (b.leading - a.leading);
  const auto ink = static_cast<int32_t>(std::clamp<int64_t>(a.other + rise, 0, kSolid));
  if (ink <= EdgeTile::kExact) return 0;
  return static_cast<int16_t>(ink >= kSolid - EdgeTile::kExact ? kSolid : ink);
}

/// The follower at a pixel of two planes, if there is one.
std::optional<EdgePlanes::Follower> find_follower(const EdgeTile& leading,
                                                  const EdgeTile& other,
                                                  ptrdiff_t row,
                                                  ptrdiff_t column) {
  if (contrast(other, row, column) < EdgePlanes::kLeast) return std::nullopt;
  const EdgeTile::Grids& grids = leading.grids();
  const int32_t least = *grids.low3.at(row, column), most = *grids.high3.at(row, column);
  const InksOfTwo inks(grids.ink.at(row, column), other.grids().ink.at(row, column));
  const MeanInks low = inks.mean(least, least + EdgeTile::kNoise);
  const MeanInks high = inks.mean(most - EdgeTile::kNoise, most);
  if (!inks.are_on_line(low, high)) return std::nullopt;
  return EdgePlanes::Follower{.column = static_cast<uint16_t>(column),
                              .leader = 0,
                              .low = on_line(low, high, *grids.low.at(row, column)),
                              .high = on_line(low, high, *grids.high.at(row, column))};
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

/// Finds the pixels of other planes that follow `leader` in a row of the tile.
void EdgePlanes::follow(size_t leader, uint32_t row) {
  const EdgeTile& leading = tiles_[leader];
  for (const uint16_t x : leading.treated(row)) {
    if (*leading.grids().kind.at(row, x) == EdgeTile::kOther || !leads(leader, row, x)) continue;
    for (size_t i = 0; i < tiles_.size(); ++i) {
      if (i == leader) continue;
      std::optional<Follower> found = find_follower(leading, tiles_[i], row, x);
      if (!found) continue;
      found->leader = static_cast<uint16_t>(leader);
      followers_[i * EdgeTile::kRows + row].push_back(*found);
    }
  }
}

void EdgePlanes::find(std::span<const SampleBand> pages, const EdgeTile::Place& place) {
  for (size_t i = 0; i < tiles_.size(); ++i) tiles_[i].find(pages[i], place);
  if (tiles_.size() == 1) return;
  for (std::vector<Follower>& row : followers_) row.clear();
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
