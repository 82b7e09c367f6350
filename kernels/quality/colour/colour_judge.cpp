#include "kernels/quality/colour/colour_judge.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>

#include "kernels/base/error.h"
#include "kernels/quality/colour/colour_tile.h"
#include "kernels/quality/judge.h"
#include "kernels/quality/moire.h"

namespace mezzo::quality {
namespace {

constexpr uint64_t kMostMemory = uint64_t{1} << 30;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Number of inks in a set, and how far it is moved.
struct Variant {
  uint32_t inks = 0, shift_px = 0;
};

/// In register, each ink, and all but the darkest; the darkest is that of least L*, the first of equals.
std::vector<Variant> variants_of(const std::vector<proof::Lab>& solids) {
  const auto inks = static_cast<uint32_t>(solids.size());
  if (inks < 2) return {};
  std::vector<uint32_t> sets;
  for (uint32_t k = 0; k < inks; ++k) sets.push_back(1U << k);
  const auto darkest = std::ranges::min_element(solids, {}, &proof::Lab::l) - solids.begin();
  if (inks > 2) sets.push_back(((1U << inks) - 1) ^ (1U << darkest));
  std::vector<Variant> variants = {{}};
  for (const uint32_t set : sets) {
    for (const uint32_t shift : {1U, 2U}) variants.push_back({set, shift});
  }
  return variants;
}

/// A tile's share of the report.
struct TileColours {
  ColourSums sums;
  std::vector<PairSums> pairs;              ///< of inks (i, j), i <= j, in that order
  std::vector<ColourSums> out_of_register;  ///< empty: not a tile for these

  void add(const TileColours& other);
};

void TileColours::add(const TileColours& other) {
  sums.add(other.sums);
  pairs.resize(other.pairs.size());
  for (size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].asked += other.pairs[i].asked;
    pairs[i].got += other.pairs[i].got;
    pairs[i].errors += other.pairs[i].errors;
  }
  if (other.out_of_register.empty()) return;
  out_of_register.resize(other.out_of_register.size());
  for (size_t i = 0; i < out_of_register.size(); ++i) {
    out_of_register[i].add(other.out_of_register[i]);
  }
}

class ColourPageJudge {
 public:
  ColourPageJudge(std::span<PagePair* const> inks,
                  const Print& print,
                  const Viewing& viewing,
                  RegisterError register_error,
                  Team& team)
      : plan_(print, viewing), team_(team) {
    for (PagePair* pair : inks) windows_.emplace_back(*pair);
    for (uint32_t i = 0; i < windows_.size(); ++i) {
      for (uint32_t j = i + 1; j < windows_.size(); ++j) {
        overlaps_.push_back({i, j, FarField(width_px(), height_px())});
      }
    }
    tiles_across_ = (width_px() + kColourTile - 1) / kColourTile;
    tiles_ = tiles_across_ * ((height_px() + kColourTile - 1) / kColourTile);
    if (register_error == RegisterError::kJudged) variants_ = variants_of(print.colours.solids);
    const uint64_t fit = std::max<uint64_t>(kMostMemory / plan_.working_bytes(), 1);
    const uint64_t members = std::min<uint64_t>({team.size(), tiles_across_, fit});
    for (uint64_t i = 0; i < members; ++i) {
      judges_.push_back(std::make_unique<ColourTileJudge>(plan_));
    }
  }

  ColourReport run() {
    for (uint32_t y = 0; y < height_px(); y += kColourTile) judge_row_of_tiles(y);
    ColourReport report;
    report.width_px = width_px();
    report.height_px = height_px();
    fill_in_colours(report);
    fill_in_pairs(report);
    fill_in_registers(report);
    fill_in_moire(report);
    return report;
  }

 private:
  uint32_t width_px() const { return windows_[0].width_px(); }
  uint32_t height_px() const { return windows_[0].height_px(); }
  bool is_register_tile(uint32_t number) const;
  void judge_row_of_tiles(uint32_t y);
  TileColours judge_tile(ColourTileJudge& judge, const Rect& tile, bool out_of_register) const;
  void fill_in_colours(ColourReport& report) const;
  void fill_in_pairs(ColourReport& report) const;
  void fill_in_registers(ColourReport& report) const;
  void fill_in_moire(ColourReport& report) const;
  void add_overlaps(uint32_t y, uint32_t rows);

  const ColourPlan plan_;
  Team& team_;
  std::vector<Window> windows_;  ///< one an ink
  uint32_t tiles_across_ = 0, tiles_ = 0;
  std::vector<Variant> variants_;
  std::vector<std::unique_ptr<ColourTileJudge>> judges_;  ///< one for each member of the team
  TileColours all_;
  /// How two inks fall on each other.
  struct Overlap {
    uint32_t first, second;
    FarField field;
  };
  std::vector<Overlap> overlaps_;
  uint32_t register_tiles_ = 0;
};

/// Every so many tiles, from the middle of the first of them.
bool ColourPageJudge::is_register_tile(uint32_t number) const {
  const uint32_t step = (tiles_ + kRegisterTiles - 1) / kRegisterTiles;
  return !variants_.empty() && number % step == step / 2;
}

void ColourPageJudge::judge_row_of_tiles(uint32_t y) {
  const uint32_t margin = plan_.margin();
  const uint32_t rows = std::min(kColourTile, height_px() - y);
  for (Window& window : windows_) {
    window.advance(
        y - std::min(y, margin), y + rows + std::min(margin, height_px() - y - rows), team_);
  }
  std::vector<TileColours> results(tiles_across_);
  std::atomic<uint32_t> members{0};
  std::atomic<uint32_t> next{0};
  team_.run([&] {
    const uint32_t member = members.fetch_add(1);
    if (member >= judges_.size()) return;
    for (uint32_t i = next.fetch_add(1); i < tiles_across_; i = next.fetch_add(1)) {
      const uint32_t x = i * kColourTile;
      const Rect tile{x, y, std::min(kColourTile, width_px() - x), rows};
      const uint32_t number = y / kColourTile * tiles_across_ + i;
      results[i] = judge_tile(*judges_[member], tile, is_register_tile(number));
    }
  });
  add_overlaps(y, rows);
  for (const TileColours& result : results) {
    all_.add(result);
    if (!result.out_of_register.empty()) ++register_tiles_;
  }
}

TileColours ColourPageJudge::judge_tile(ColourTileJudge& judge,
                                        const Rect& tile,
                                        bool out_of_register) const {
  TileColours result{judge.judge(windows_, tile), {}, {}};
  for (size_t i = 0; i < windows_.size(); ++i) {
    for (size_t j = i; j < windows_.size(); ++j) {
      result.pairs.push_back(sum_pair(windows_[i], windows_[j], tile));
    }
  }
  if (!out_of_register) return result;
  for (const Variant& variant : variants_) {
    result.out_of_register.push_back(
        variant.inks == 0 ? result.sums
                          : judge.judge(windows_, tile, variant.inks, variant.shift_px));
  }
  return result;
}

/// The product of the errors of both inks.
void ColourPageJudge::add_overlaps(uint32_t y, uint32_t rows) {
  for_each_index(team_, static_cast<uint32_t>(overlaps_.size()), [&](uint32_t n) {
    const Window &a = windows_[overlaps_[n].first], &b = windows_[overlaps_[n].second];
    std::vector<double> row(width_px());
    for (uint32_t j = y; j < y + rows; ++j) {
      const uint16_t *ink_a = a.ink(j), *ink_b = b.ink(j);
      const uint8_t *bits_a = a.bits(j), *bits_b = b.bits(j);
      for (size_t x = 0; x < row.size(); ++x) {
        row[x] = (bits_a[x] - a.coverage(ink_a[x])) * (bits_b[x] - b.coverage(ink_b[x]));
      }
      overlaps_[n].field.add_row(row);
    }
  });
}

void ColourPageJudge::fill_in_colours(ColourReport& report) const {
  const ColourSums& sums = all_.sums;
  report.delta_e = sums.delta_e / sums.pixels;
  report.texture = sums.texture / sums.pixels;
  report.grain_l = std::sqrt(sums.l_squared / sums.pixels);
  report.grain_c = std::sqrt(sums.c_squared / sums.pixels);
  report.shift = {sums.difference[0] / sums.pixels,
                  sums.difference[1] / sums.pixels,
                  sums.difference[2] / sums.pixels};
  uint64_t below = 0;
  for (size_t step = 0; step < sums.steps.size(); ++step) {
    below += sums.steps[step];
    report.delta_e_99 = static_cast<double>(step) / kStepsADeltaE;
    if (static_cast<double>(below) >= 0.99 * sums.pixels) break;
  }
}

void ColourPageJudge::fill_in_pairs(ColourReport& report) const {
  const auto inks = static_cast<uint32_t>(windows_.size());
  const auto sums_of = [&](uint32_t i, uint32_t j) -> const PairSums& {
    return all_.pairs[i * inks - i * (i + 1) / 2 + j];
  };
  double asked = 0, got = 0;
  for (uint32_t i = 0; i < inks; ++i) {
    for (uint32_t j = i + 1; j < inks; ++j) {
      const PairSums& sums = sums_of(i, j);
      const double both = sums_of(i, i).errors * sums_of(j, j).errors;
      report.pairs.push_back({i,
                              j,
                              sums.asked / all_.sums.pixels,
                              sums.got / all_.sums.pixels,
                              both > 0 ? sums.errors / std::sqrt(both) : kNaN});
      asked += sums.asked;
      got += sums.got;
    }
  }
  report.overlap = asked > 0 ? got / asked : kNaN;
}

void ColourPageJudge::fill_in_registers(ColourReport& report) const {
  report.register_tiles = register_tiles_;
  for (size_t i = 0; i < all_.out_of_register.size(); ++i) {
    const ColourSums& sums = all_.out_of_register[i];
    report.registers.push_back({variants_[i].inks,
                                variants_[i].shift_px,
                                sums.delta_e / sums.pixels,
                                sums.texture / sums.pixels});
  }
}

void ColourPageJudge::fill_in_moire(ColourReport& report) const {
  for (const Overlap& overlap : overlaps_) {
    const Periods found = overlap.field.find_moire();
    if (found.lines.empty()) continue;
    report.moire.push_back({overlap.first, overlap.second, found.lines.front()});
  }
}

}  // namespace

double ColourReport::worst_register() const {
  double worst = kNaN;
  for (const Register& one : registers) {
    if (one.inks != 0) worst = std::isnan(worst) ? one.delta_e : std::max(worst, one.delta_e);
  }
  return worst;
}

ColourReport judge_colour(std::span<PagePair* const> inks,
                          const Print& print,
                          const Viewing& viewing,
                          RegisterError register_error,
                          Team& team) {
  const double sight = viewing.dpi * viewing.distance_inch;
  MZ_ASSERT(sight >= kMinSight && sight <= kMaxSight);
  MZ_ASSERT(!inks.empty() && inks.size() <= kMostColourInks &&
            print.colours.solids.size() == inks.size());
  for (const PagePair* pair : inks) {
    MZ_ASSERT(pair->width_px() == inks[0]->width_px() && pair->height_px() == inks[0]->height_px());
  }
  return ColourPageJudge(inks, print, viewing, register_error, team).run();
}

}  // namespace mezzo::quality
