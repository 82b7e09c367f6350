// A group of rows of the plate is made tile by tile. Of a row of the page a tile needs a piece, which
// is copied with the samples that go on beyond the page, and scaled along into one of as many lines
// as there are taps: the next row of the plate needs most of them again. Then the lines are mixed.
//
// Along. Each lane of a vector of plate samples takes two neighbours of the piece at once, 32 bits, and
// multiplies them by a pair of weights. If the plate is larger than the page, one vector holds the
// pairs of all lanes, and a shuffle does what otherwise takes a gather.
//
// Across. The rows of the plate that need the same lines are made together, a few columns at a time,
// from the lanes of two lines side by side in a vector of pairs. Where all lines have one level, so
// have the rows. With two taps of weights 1 - w and w the sum is a + w (b - a), and since
// (8192 + (1 - w) a + w b) >> 14 = a + ((8192 + w (b - a)) >> 14), it is one MulFixedPoint15 by 2 w.

#include "kernels/prepress/scale_point.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

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

// ---- Along ----

/// Neighbouring samples of a piece of the page for each lane: those `indices` after `pairs`.
HWY_INLINE Level pairs_at(const int32_t* pairs, Sum indices, bool are_close) {
  const Sums d;
  if (!are_close) return hn::BitCast(Levels(), hn::GatherIndex(d, pairs, indices));
  return hn::BitCast(Levels(),
                     hn::TableLookupLanes(hn::LoadU(d, pairs), hn::IndicesFromVec(d, indices)));
}

HWY_INLINE Sum to_level(Sum sum) {
  const Sums d;
  const Sum level = hn::ShiftRight<kWeightBits>(sum);
  return hn::Min(hn::Max(level, hn::Zero(d)), hn::Set(d, int32_t{kInk15}));
}

/// `count` samples of the plate from sample x on, rounded up to whole vectors, from the pairs of a
/// piece of the page that begins at the first tap of x.
template <uint32_t kTaps>
HWY_INLINE void scale_along(
    const PointScaler& scaler, const int32_t* pairs, uint32_t x, uint32_t count, int16_t* line) {
  const Sums d;
  const hn::Rebind<int16_t, Sums> narrow;
  const auto [p, q] = scaler.across().ratio();
  const bool are_close =
      q <= p;  // one vector of the page has all samples that a vector of the plate needs
  const int32_t* offsets = scaler.lanes().offsets.data();
  const int32_t* ab_weights = scaler.lanes().pairs[0].data();
  const int32_t* ce_weights = scaler.lanes().pairs[1].data();
  const uint32_t phases_on = kSumLanes % p;
  const ptrdiff_t samples_on = ptrdiff_t{kSumLanes / p} * q;
  uint32_t phase = x % p;
  const int32_t* period = pairs - offsets[phase];
  for (uint32_t i = 0; i < count; i += kSumLanes) {
    const Sum indices = hn::Sub(hn::LoadU(d, offsets + phase), hn::Set(d, offsets[phase]));
    const int32_t* first = period + offsets[phase];
    const Level ab = pairs_at(first, indices, are_close);
    Sum level;
    if constexpr (kTaps == 1) {
      level = hn::And(hn::BitCast(d, ab), hn::Set(d, 0xFFFF));
    } else {
      const auto weights = [&](const int32_t* of) {
        return hn::BitCast(Levels(), hn::LoadU(d, of + phase));
      };
      Sum sum = add_pairs(ab, weights(ab_weights), hn::Set(d, kHalf));
      if constexpr (kTaps == 4) {
        sum = add_pairs(pairs_at(first + 2, indices, are_close), weights(ce_weights), sum);
      }
      level = to_level(sum);
    }
    hn::StoreU(hn::DemoteTo(narrow, level), narrow, line + i);
    phase += phases_on;
    period += samples_on;
    if (phase >= p) {
      phase -= p;
      period += q;
    }
  }
}

// ---- Across ----

/// A vector of columns of the lines, which rows of the plate mix with their weights.
template <uint32_t kTaps>
struct Columns;

template <>
struct Columns<1> {
  Level a;
  HWY_INLINE Columns(const int16_t* const* lines, uint32_t x)
      : a(hn::Load(Levels(), lines[0] + x)) {}
  HWY_INLINE Level mix(const int16_t*) const { return a; }
};

template <>
struct Columns<2> {
  Level a, step;
  HWY_INLINE Columns(const int16_t* const* lines, uint32_t x)
      : a(hn::Load(Levels(), lines[0] + x)), step(hn::Sub(hn::Load(Levels(), lines[1] + x), a)) {}
  HWY_INLINE Level mix(const int16_t* weights) const {
    const auto twice = static_cast<int16_t>(2 * weights[1]);
    return hn::Add(a, hn::MulFixedPoint15(step, hn::Set(Levels(), twice)));
  }
};

template <>
struct Columns<4> {
  Pairs ab, ce;
  HWY_INLINE Columns(const int16_t* const* lines, uint32_t x)
      : ab(pairs_of(hn::Load(Levels(), lines[0] + x), hn::Load(Levels(), lines[1] + x))),
        ce(pairs_of(hn::Load(Levels(), lines[2] + x), hn::Load(Levels(), lines[3] + x))) {}
  HWY_INLINE Level mix(const int16_t* weights) const {
    return mix_of_four(ab, weight_pair(weights), ce, weight_pair(weights + 2));
  }
};

/// A piece of a row of the plate, and the weights of its lines.
struct PlateRow {
  int16_t* samples;
  const int16_t* weights;
};

/// Rows of the plate that are made of the same lines.
template <uint32_t kTaps>
HWY_INLINE void scale_across(const int16_t* const* lines,
                             std::span<const PlateRow> rows,
                             uint32_t count) {
  const Levels d;
  uint32_t x = 0;
  for (; x + kLevelLanes <= count; x += kLevelLanes) {
    const Columns<kTaps> columns(lines, x);
    for (const auto& [samples, weights] : rows) hn::StoreU(columns.mix(weights), d, samples + x);
  }
  if (x == count) return;
  const Columns<kTaps> columns(lines, x);
  for (const auto& [samples, weights] : rows) {
    HWY_ALIGN int16_t last[kLevelLanes];
    hn::Store(columns.mix(weights), d, last);
    std::memcpy(samples + x, last, (count - x) * sizeof *last);
  }
}

// ---- Tiles ----

/// A row of the page, scaled along.
struct Line {
  static constexpr int32_t kMixed = -1;

  int64_t row = -1;
  int32_t level = kMixed;  ///< of all samples
  HWY_ALIGN int16_t samples[PointScaler::kTile + hn::MaxLanes(Levels())];
};

/// The lines of a tile.
template <uint32_t kTaps>
class TileLines {
 public:
  TileLines(const PointScaler& scaler, const SampleBand& page)
      : scaler_(scaler), page_(page), piece_(piece_samples()), pairs_(piece_samples()) {}

  void begin(uint32_t x, uint32_t count) {
    x_ = x;
    count_ = count;
    for (Line& line : lines_) line.row = -1;
  }

  /// The line of a row of the page. Rows that are in use together lie within kTaps.
  const Line& line(int64_t row) {
    Line& line = lines_[static_cast<size_t>(row % kTaps)];
    if (line.row != row) make(row, line);
    return line;
  }

 private:
  /// The length of the longest piece: the taps of a tile, of the vector that overlaps its end, and the
  /// samples that are loaded but not used.
  size_t piece_samples() const {
    const auto [p, q] = scaler_.across().ratio();
    return size_t{PointScaler::kTile + kSumLanes} * q / p + 1 + kMostTaps + kSumLanes;
  }

  void make(int64_t row, Line& line) {
    const size_t samples = copy_piece(row);
    const int16_t* piece = piece_.data();
    line.row = row;
    line.level = Line::kMixed;
    if (std::memcmp(piece, piece + 1, (samples - 1) * sizeof *piece) == 0) {
      line.level = piece[0];
      std::fill_n(line.samples, count_ + kLevelLanes, piece[0]);
      return;
    }
    for (size_t i = 0; i + 1 < samples; ++i) {
      pairs_[i] = piece[i] | piece[i + 1] << 16;
    }
    scale_along<kTaps>(scaler_, pairs_.data(), x_, count_, line.samples);
  }

  /// Returns the samples of the piece.
  size_t copy_piece(int64_t row) {
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
    return static_cast<size_t>(end - first);
  }

  const PointScaler& scaler_;
  const SampleBand& page_;
  std::vector<int16_t> piece_;
  std::vector<int32_t> pairs_;
  uint32_t x_ = 0, count_ = 0;
  Line lines_[kTaps];
};

/// Rows of the plate that are made of the same lines, the first of them that of row `first` of the page.
template <uint32_t kTaps>
void scale_group(TileLines<kTaps>& tile,
                 int64_t first,
                 int64_t last_row,
                 std::span<const PlateRow> rows,
                 uint32_t count) {
  const int16_t* lines[kTaps];
  int32_t level = tile.line(std::clamp<int64_t>(first, 0, last_row)).level;
  for (uint32_t tap = 0; tap < kTaps; ++tap) {
    const Line& line = tile.line(std::clamp<int64_t>(first + tap, 0, last_row));
    lines[tap] = line.samples;
    if (line.level != level) level = Line::kMixed;
  }
  if (level == Line::kMixed) return scale_across<kTaps>(lines, rows, count);
  for (const PlateRow& row : rows) {
    std::fill_n(row.samples, count, static_cast<int16_t>(level));
  }
}

template <uint32_t kTaps>
void scale_with(const PointScaler& scaler, const SampleBand& page, const MutableSampleBand& plate) {
  const PointAxis& down = scaler.down();
  const int64_t last_row = int64_t{down.page_samples()} - 1;
  TileLines<kTaps> tile(scaler, page);
  std::vector<PlateRow> rows;
  for (uint32_t x = 0; x < plate.width_px; x += PointScaler::kTile) {
    const uint32_t count = std::min(PointScaler::kTile, plate.width_px - x);
    tile.begin(x, count);
    for (uint32_t i = 0; i < plate.rows;) {
      const int64_t first = down.first_tap(plate.first_row + i);
      rows.clear();
      for (; i < plate.rows && down.first_tap(plate.first_row + i) == first; ++i) {
        rows.push_back(
            {reinterpret_cast<int16_t*>(plate.row(i)) + x, down.weights(plate.first_row + i)});
      }
      scale_group(tile, first, last_row, std::span<const PlateRow>(rows), count);
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
    lanes_.offsets.push_back(static_cast<int32_t>(across_.first_tap(x)));
    for (uint32_t tap = 0; tap + 1 < across_.taps(); tap += 2) {
      int32_t pair;
      std::memcpy(&pair, across_.weights(x) + tap, sizeof pair);
      lanes_.pairs[tap / 2].push_back(pair);
    }
  }
}

uint64_t PointScaler::working_bytes(uint32_t /*planes*/, uint32_t threads) const {
  // Four lines, and a piece of the page as samples and as pairs, with what vectors go beyond them.
  const auto [p, q] = across_.ratio();
  const uint64_t columns = kTile + 4 * Lanes::kSpare;
  const uint64_t of_piece = columns * q / p + 2 * Lanes::kSpare;
  return threads * (4 * columns * sizeof(int16_t) + of_piece * (sizeof(int16_t) + sizeof(int32_t)));
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
