// A group of rows of the plate is made tile by tile. Of a row of the page a tile needs a piece, which
// is copied with the samples that go on beyond the page, and scaled along into one of as many lines
// as there are taps: the next row of the plate needs most of them again. Then the lines are mixed.
//
// Along. The plate's samples of a vector take their taps from anywhere in the piece: each lane
// gathers two neighbours at once, 32 bits, and multiplies them by a pair of weights.
//
// Across. Two lines in a vector of pairs: the lanes of one are moved beside those of the other, even
// columns and odd ones apart. With two taps of weights 1 - w and w the sum is a + w (b - a), and
// since (8192 + (1 - w) a + w b) >> 14 = a + ((8192 + w (b - a)) >> 14), it is one
// MulFixedPoint15 by 2 w.

#include "kernels/prepress/scale_point.h"

#include <algorithm>
#include <cstring>

#include "kernels/band/ink15.h"
#include "kernels/band/team.h"
#include "kernels/base/error.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/prepress/scale_point.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/prepress/scale_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::prepress::HWY_NAMESPACE {

constexpr uint32_t kMostTaps = 4;
constexpr uint32_t kSumLanes = hn::MaxLanes(Sums());
static_assert(kSumLanes <= PointScaler::Lanes::kSpare);
constexpr uint32_t kLevelLanes = hn::MaxLanes(Levels());

/// `count` samples of the plate from sample x on, rounded up to whole vectors, from a piece of the
/// page that begins at the first tap of x.
template <uint32_t kTaps>
HWY_INLINE void scale_along(
    const PointScaler& scaler, const int16_t* piece, uint32_t x, uint32_t count, int16_t* line) {
  const Sums d;
  const hn::Rebind<int16_t, Sums> narrow;
  const auto [p, q] = scaler.across().ratio();
  const PointScaler::Lanes& lanes = scaler.lanes();
  uint32_t phase = x % p;
  int32_t base = -lanes.offsets[phase];
  const auto* pairs = reinterpret_cast<const int32_t*>(piece);
  for (uint32_t i = 0; i < count; i += kSumLanes) {
    const Sum offsets = hn::Add(hn::LoadU(d, &lanes.offsets[phase]), hn::Set(d, base));
    const Sum first = hn::GatherOffset(d, pairs, offsets);
    Sum level;
    if constexpr (kTaps == 1) {
      level = hn::And(first, hn::Set(d, 0xFFFF));
    } else {
      const Levels wide;
      Sum sum = add_pairs(hn::BitCast(wide, first),
                          hn::BitCast(wide, hn::LoadU(d, &lanes.pairs[0][phase])),
                          hn::Set(d, kHalf));
      if constexpr (kTaps == 4) {
        const Sum second = hn::GatherOffset(d, pairs, hn::Add(offsets, hn::Set(d, 4)));
        sum = add_pairs(hn::BitCast(wide, second),
                        hn::BitCast(wide, hn::LoadU(d, &lanes.pairs[1][phase])),
                        sum);
      }
      level = to_level(sum);
    }
    hn::StoreU(hn::DemoteTo(narrow, level), narrow, line + i);
    for (phase += kSumLanes; phase >= p; phase -= p) base += static_cast<int32_t>(2 * q);
  }
}

/// A vector of a row of the plate.
template <uint32_t kTaps>
HWY_INLINE Level mix(const int16_t* const* lines, const int16_t* weights, uint32_t x) {
  const Levels d;
  const Level a = hn::Load(d, lines[0] + x);
  if constexpr (kTaps == 1) return a;
  const Level b = hn::Load(d, lines[1] + x);
  if constexpr (kTaps == 2) {
    const auto twice = static_cast<int16_t>(2 * weights[1]);
    return hn::Add(a, hn::MulFixedPoint15(hn::Sub(b, a), hn::Set(d, twice)));
  }
  const Level c = hn::Load(d, lines[2] + x);
  const Level e = hn::Load(d, lines[3] + x);
  const Level ab = weight_pair(weights), ce = weight_pair(weights + 2);
  return joined(level_of_four(even_pairs(a, b), ab, even_pairs(c, e), ce),
                level_of_four(odd_pairs(a, b), ab, odd_pairs(c, e), ce));
}

template <uint32_t kTaps>
HWY_INLINE void scale_across(const int16_t* const* lines,
                             const int16_t* weights,
                             uint32_t count,
                             uint16_t* plate) {
  const Levels d;
  uint32_t x = 0;
  for (; x + kLevelLanes <= count; x += kLevelLanes) {
    hn::StoreU(mix<kTaps>(lines, weights, x), d, reinterpret_cast<int16_t*>(plate + x));
  }
  if (x < count) {
    HWY_ALIGN int16_t last[kLevelLanes];
    hn::Store(mix<kTaps>(lines, weights, x), d, last);
    std::memcpy(plate + x, last, (count - x) * sizeof *plate);
  }
}

/// The lines of a tile: rows of the page, scaled along.
template <uint32_t kTaps>
class TileLines {
 public:
  TileLines(const PointScaler& scaler, const SampleBand& page)
      : scaler_(scaler), page_(page), piece_(piece_samples()) {}

  void begin(uint32_t x, uint32_t count) {
    x_ = x;
    count_ = count;
    std::fill_n(rows_, kTaps, -1);
  }

  /// The line of a row of the page. Rows that are in use together lie within kTaps.
  const int16_t* line(int64_t row) {
    const auto slot = static_cast<size_t>(row % kTaps);
    int16_t* line = lines_[slot];
    if (rows_[slot] != row) {
      copy_piece(row);
      scale_along<kTaps>(scaler_, piece_.data(), x_, count_, line);
      rows_[slot] = row;
    }
    return line;
  }

 private:
  /// Of the longest piece: with the taps of a tile and of the vector that overlaps its end, and one
  /// that is gathered and not used.
  static size_t piece_samples() {
    return (PointScaler::kTile + kSumLanes) * Ratio::kMostDown + kMostTaps + 1;
  }

  void copy_piece(int64_t row) {
    const PointAxis& across = scaler_.across();
    const uint16_t* samples = page_.row16(row - page_.first_row);
    const int64_t first = across.first_tap(x_);
    const int64_t end = across.first_tap(x_ + count_ + kSumLanes) + kTaps + 1;
    const int64_t width = page_.width_px;
    const int64_t inside = std::clamp<int64_t>(first, 0, width);
    const int64_t inside_end = std::clamp<int64_t>(end, inside, width);
    int16_t* to = std::fill_n(piece_.data(), inside - first, static_cast<int16_t>(samples[0]));
    to = std::copy(samples + inside, samples + inside_end, to);
    std::fill_n(to, end - inside_end, static_cast<int16_t>(samples[width - 1]));
  }

  const PointScaler& scaler_;
  const SampleBand& page_;
  std::vector<int16_t> piece_;
  uint32_t x_ = 0, count_ = 0;
  int64_t rows_[kTaps];
  HWY_ALIGN int16_t lines_[kTaps][PointScaler::kTile + hn::MaxLanes(Levels())];
};

template <uint32_t kTaps>
void scale_with(const PointScaler& scaler, const SampleBand& page, const MutableSampleBand& plate) {
  const PointAxis& down = scaler.down();
  TileLines<kTaps> tile(scaler, page);
  const int64_t last_row = int64_t{down.page_samples()} - 1;
  for (uint32_t x = 0; x < plate.width_px; x += PointScaler::kTile) {
    const uint32_t count = std::min(PointScaler::kTile, plate.width_px - x);
    tile.begin(x, count);
    for (uint32_t i = 0; i < plate.rows; ++i) {
      const uint32_t y = plate.first_row + i;
      const int16_t* lines[kTaps];
      for (uint32_t tap = 0; tap < kTaps; ++tap) {
        lines[tap] = tile.line(std::clamp<int64_t>(down.first_tap(y) + tap, 0, last_row));
      }
      auto* to = reinterpret_cast<uint16_t*>(plate.row(i)) + x;
      scale_across<kTaps>(lines, down.weights(y), count, to);
    }
  }
}

void scale_rows(const PointScaler& scaler, const SampleBand& page, const MutableSampleBand& plate) {
  switch (scaler.down().taps()) {
    case 1:
      return scale_with<1>(scaler, page, plate);
    case 2:
      return scale_with<2>(scaler, page, plate);
    default:
      return scale_with<4>(scaler, page, plate);
  }
}

}  // namespace mezzo::prepress::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::prepress {

HWY_EXPORT(scale_rows);

namespace {

/// Fewer rows are not worth scaling their neighbours along again.
constexpr uint32_t kLeastGroup = 16;

}  // namespace

PointScaler::PointScaler(uint32_t page_width_px, uint32_t page_height_px, const Scaling& scaling)
    : across_(page_width_px, scaling.x, scaling.filter),
      down_(page_height_px, scaling.y, scaling.filter) {
  for (uint32_t x = 0; x < scaling.x.p + Lanes::kSpare; ++x) {
    lanes_.offsets.push_back(static_cast<int32_t>(2 * across_.first_tap(x)));
    for (uint32_t tap = 0; tap + 1 < across_.taps(); tap += 2) {
      int32_t pair;
      std::memcpy(&pair, across_.weights(x) + tap, sizeof pair);
      lanes_.pairs[tap / 2].push_back(pair);
    }
  }
}

uint64_t PointScaler::working_bytes(uint32_t /*planes*/, uint32_t threads) const {
  return uint64_t{threads} * kTile * sizeof(int16_t) * (Ratio::kMostDown + 5);
}

void PointScaler::run(std::span<const SampleBand> page,
                      std::span<const MutableSampleBand> plates,
                      Team& team) const {
  for (size_t i = 0; i < plates.size(); ++i) scale(page[i], plates[i], team);
}

void PointScaler::scale(const SampleBand& page, const MutableSampleBand& plate, Team& team) const {
  MZ_ASSERT(page.bytes_per_sample == 2 && plate.bytes_per_sample == 2);
  const uint32_t share = (plate.rows + team.size() - 1) / team.size();
  const uint32_t group = std::max(share, kLeastGroup);
  for_each_index(team, (plate.rows + group - 1) / group, [&](uint32_t i) {
    const uint32_t first = i * group;
    HWY_DYNAMIC_DISPATCH(scale_rows)
    (*this, page, plate.slice(first, std::min(group, plate.rows - first)));
  });
}

}  // namespace mezzo::prepress
#endif  // HWY_ONCE
