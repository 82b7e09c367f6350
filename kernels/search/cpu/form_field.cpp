#include "kernels/search/cpu/form_field.h"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "kernels/search/cpu/form_weigh.h"
#include "kernels/search/form.h"

namespace mezzo::search::form {
namespace {

constexpr int kTileRows = 64, kTileColumns = 512;  ///< all counts of a tile fit a cache
constexpr int kEyeRadius = static_cast<int>(kEye.size()) - 1;

using dbs::Box;
using Values = std::vector<int32_t>;

/// One axis of the page as the narrow eye sees it.
class Axis {
 public:
  explicit Axis(int length) : length_(length) {
    for (int at = -kEyeRadius; at < length + kEyeRadius; ++at) {
      int32_t mass = 0;
      for (int d = -kEyeRadius; d <= kEyeRadius; ++d) {
        if (at + d >= 0 && at + d < length) mass += kEye[static_cast<size_t>(std::abs(d))];
      }
      masses_.push_back(mass);
    }
    squares_.resize(static_cast<size_t>(length));
    for (int at = -kEyeRadius; at < length + kEyeRadius; ++at) {
      squares_[static_cast<size_t>(nearest(at))] +=
          static_cast<uint64_t>(mass(at)) * static_cast<uint64_t>(mass(at));
    }
  }

  int nearest(int at) const { return std::clamp(at, 0, length_ - 1); }
  /// M; up to the eye's radius outside.
  int32_t mass(int at) const { return masses_[static_cast<size_t>(ptrdiff_t{at} + kEyeRadius)]; }
  /// N
  uint64_t squares(int at) const { return squares_[static_cast<size_t>(at)]; }

 private:
  int length_;
  Values masses_;
  std::vector<uint64_t> squares_;
};

/// Counts one tile after the other.
class TileCounter {
 public:
  TileCounter(const Area& in, const Axis& down, const Axis& across)
      : in_(in),
        down_(down),
        across_(across),
        patch_(size_t{kTileColumns + 2 * kRadius}),
        half_done_(size_t{kTileRows + 2 * kRadius} * kTileColumns),
        seen_(size_t{kTileRows} * kTileColumns),
        near_(seen_),
        wide_(seen_),
        dots_(seen_) {}

  /// Sets c of the box's pixels, and returns their part of E.
  int64_t count(const Box& box, dbs::DbsField& field) {
    box_ = box;
    constexpr Rounding kWideAcross{8, 4}, kWideDown{128, 8};
    look(kMiddle, &TileCounter::take_tones, kWideAcross, kWideDown, wide_);
    look(kFar, &TileCounter::take_tones, kWideAcross, kWideDown, seen_);
    add(seen_, wide_);
    look(kEye, &TileCounter::take_masses, {1 << 13, 14}, {128, 8}, near_, &down_);
    look(kBlur, &TileCounter::take_nearest, {}, {1 << 15, 16}, dots_);
    price_dots();
    Values& ink = seen_;
    look(kNear, &TileCounter::take_bits, {}, {}, ink);
    look(kMiddle, &TileCounter::take_bits, {}, {}, more_);
    add(more_, ink);
    look(kFar, &TileCounter::take_bits, {}, {}, more_);
    add(more_, ink);
    int64_t sum = 0;
    for (int y = box.top; y < box.bottom; ++y) sum += finish_row(y, ink, field);
    return sum;
  }

 private:
  using Take = void (TileCounter::*)(int y, int first, int columns);

  int columns() const { return box_.right - box_.left; }
  size_t index(int y, int x) const {
    return static_cast<size_t>(y - box_.top) * kTileColumns + static_cast<size_t>(x - box_.left);
  }
  size_t pixel(int y, int x) const {
    return static_cast<size_t>(y) * in_.width_px + static_cast<size_t>(x);
  }
  bool has_row(int y) const { return y >= 0 && y < static_cast<int>(in_.rows); }
  int32_t tone(int y, int x) const { return in_.tones[pixel(y, x)]; }

  /// The box through a filter of `half` across and down. `take` fills patch_ with a row; rows are
  /// weighed by the masses of `by_mass`.
  void look(std::span<const int32_t> half,
            Take take,
            const Rounding& across,
            const Rounding& down,
            Values& out,
            const Axis* by_mass = nullptr) {
    const int r = static_cast<int>(half.size()) - 1;
    out.resize(size_t{kTileRows} * kTileColumns);
    std::array<const int32_t*, 2 * kRadius + 1> rows;
    for (int y = box_.top - r; y < box_.bottom + r; ++y) {
      (this->*take)(y, box_.left - r, columns() + 2 * r);
      for (int d = 0; d <= 2 * r; ++d) rows[static_cast<size_t>(d)] = patch_.data() + d;
      int32_t* const to = half_done_.data() + static_cast<size_t>(y - box_.top + r) * kTileColumns;
      weigh(half, rows.data() + r, columns(), across, to);
      if (by_mass == nullptr) continue;
      for (int x = 0; x < columns(); ++x) to[x] *= by_mass->mass(y);
    }
    for (int y = box_.top; y < box_.bottom; ++y) {
      for (int d = 0; d <= 2 * r; ++d) {
        rows[static_cast<size_t>(d)] =
            half_done_.data() + static_cast<size_t>(y - box_.top + d) * kTileColumns;
      }
      weigh(half, rows.data() + r, columns(), down, out.data() + index(y, box_.left));
    }
  }

  /// Outside the page 0.
  template <typename Value>
  void take_inside(int y, int first, int columns, const Value* plane) {
    std::fill_n(patch_.begin(), columns, 0);
    if (!has_row(y)) return;
    const int begin = std::max(first, 0);
    const int end = std::min(first + columns, static_cast<int>(in_.width_px));
    for (int x = begin; x < end; ++x) patch_[static_cast<size_t>(x - first)] = plane[pixel(y, x)];
  }
  void take_tones(int y, int first, int columns) { take_inside(y, first, columns, in_.tones); }
  void take_bits(int y, int first, int columns) { take_inside(y, first, columns, in_.bits); }

  void take_nearest(int y, int first, int columns) {
    const int row = down_.nearest(y);
    for (int i = 0; i < columns; ++i) {
      patch_[static_cast<size_t>(i)] = tone(row, across_.nearest(first + i));
    }
  }
  void take_masses(int y, int first, int columns) {
    take_nearest(y, first, columns);
    for (int i = 0; i < columns; ++i) patch_[static_cast<size_t>(i)] *= across_.mass(first + i);
  }

  void add(const Values& more, Values& to) const {
    for (int y = box_.top; y < box_.bottom; ++y) {
      for (int x = box_.left; x < box_.right; ++x) to[index(y, x)] += more[index(y, x)];
    }
  }

  /// dots_ from the tones around pixels to the prices of ink there.
  void price_dots() {
    for (int y = box_.top; y < box_.bottom; ++y) {
      for (int x = box_.left; x < box_.right; ++x) {
        int32_t& dot = dots_[index(y, x)];
        dot = is_blank(y, x) ? 0 : dot_at(dot);
      }
    }
  }

  /// The pixel and its neighbours are all paper, or all solid.
  bool is_blank(int y, int x) const {
    const int32_t own = tone(y, x);
    if (own != 0 && own != 4096) return false;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        if (tone(down_.nearest(y + dy), across_.nearest(x + dx)) != own) return false;
      }
    }
    return true;
  }

  int64_t finish_row(int y, const Values& ink, dbs::DbsField& field) const {
    int64_t sum = 0;
    for (int x = box_.left; x < box_.right; ++x) {
      const size_t i = index(y, x);
      const int32_t target = near_[i] + wide_[i] + dots_[i], c = ink[i] - target;
      *field.at(y, x) = c;
      if (in_.bits[pixel(y, x)] != 0) sum += c - target;
      const int64_t own = tone(y, x);
      const auto square = static_cast<uint64_t>(own * own);
      sum += static_cast<int64_t>(square * down_.squares(y) * across_.squares(x) >> 34);
      sum += own * (wide_[i] + 2 * int64_t{dots_[i]}) >> 12;
    }
    return sum;
  }

  const Area& in_;
  const Axis &down_, &across_;
  Box box_{};
  Values patch_;      ///< a row of a plane, as far as a filter sees
  Values half_done_;  ///< rows that were weighed across
  Values seen_, more_;
  Values near_, wide_, dots_;  ///< the parts of T
};

}  // namespace

FormField count_form(const Area& in, const dbs::DbsArea& area, Team& team) {
  FormField counted{dbs::DbsField(area), 0};
  const Axis down(area.rows), across(area.width);
  const auto strips = static_cast<uint32_t>((area.free_rows() + kTileRows - 1) / kTileRows);
  std::vector<int64_t> sums(strips);
  for_each_index(team, strips, [&](uint32_t strip) {
    TileCounter counter(in, down, across);
    const int top = area.first_free + static_cast<int>(strip) * kTileRows;
    const int bottom = std::min(top + kTileRows, area.rows);
    for (int left = 0; left < area.width; left += kTileColumns) {
      sums[strip] += counter.count({top, left, bottom, std::min(left + kTileColumns, area.width)},
                                   counted.field);
    }
  });
  for (const int64_t sum : sums) counted.error += sum;
  return counted;
}

}  // namespace mezzo::search::form
