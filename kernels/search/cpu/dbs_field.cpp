#include "kernels/search/cpu/dbs_field.h"

#include <algorithm>

#include "kernels/base/error.h"
#include "kernels/search/cpu/dbs_look.h"

namespace mezzo::search::dbs {
namespace {

constexpr int kTileRows = 64, kTileColumns = 512;  ///< all counts of a tile fit a cache

/// Values of the points of a box.
class Patch {
 public:
  Patch(int most_rows, int most_columns)
      : values_(static_cast<size_t>(most_rows) * static_cast<size_t>(most_columns)) {}

  void place(const Box& box) {
    box_ = box;
    MZ_ASSERT(static_cast<size_t>(rows()) * static_cast<size_t>(columns()) <= values_.size());
  }
  const Box& box() const { return box_; }
  int rows() const { return box_.bottom - box_.top; }
  int columns() const { return box_.right - box_.left; }
  int32_t* row(int y) {
    return values_.data() + static_cast<size_t>(y - box_.top) * static_cast<size_t>(columns());
  }

 private:
  Box box_{};
  std::vector<int32_t> values_;
};

/// M(p): the part of the eye's weights on the page.
int32_t weight_inside(const Square& eye, const DbsArea& area, int y, int x) {
  const int r = eye.radius();
  if (y >= r && y < area.rows - r && x >= r && x < area.width - r) return kEyeSum;
  int32_t sum = 0;
  for (int dy = std::max(-r, -y); dy <= std::min(r, area.rows - 1 - y); ++dy) {
    for (int dx = std::max(-r, -x); dx <= std::min(r, area.width - 1 - x); ++dx) {
      sum += eye.at(dy, dx);
    }
  }
  return sum;
}

/// Counts c and E of one tile after the other.
class TileCounter {
 public:
  TileCounter(const DbsSettings& settings, const Area& in, const DbsArea& area)
      : settings_(settings),
        in_(in),
        area_(area),
        pixels_(kTileRows + 4 * area.radius, kTileColumns + 4 * area.radius),
        errors_(kTileRows + 2 * area.radius, kTileColumns + 2 * area.radius),
        fold_stride_(static_cast<size_t>(kTileColumns + 4 * area.radius)),
        folded_(static_cast<size_t>(area.radius + 1) * fold_stride_) {}

  /// Sets c of the box's pixels; returns the sum of f^2 over them and, where the box is at a border
  /// of the free pixels, over the points outside.
  uint64_t count(const Box& box, DbsField& field) {
    const int r = area_.radius;
    pixels_.place({box.top - 2 * r, box.left - 2 * r, box.bottom + 2 * r, box.right + 2 * r});
    errors_.place({box.top - r, box.left - r, box.bottom + r, box.right + r});
    for (int y = pixels_.box().top; y < pixels_.box().bottom; ++y) take_pixels(y);
    uint64_t sum = 0;
    for (int y = errors_.box().top; y < errors_.box().bottom; ++y) {
      look_at(pixels_, y, errors_.box().left, errors_.columns(), errors_.row(y));
      finish_errors(y);
      const bool own = (y >= box.top || box.top == area_.first_free) &&
                       (y < box.bottom || box.bottom == area_.rows);
      if (own) sum += squares(box, y);
    }
    for (int y = box.top; y < box.bottom; ++y) {
      look_at(errors_, y, box.left, box.right - box.left, field.at(y, box.left));
    }
    return sum;
  }

 private:
  /// Row y through the eye, from column `left` on.
  void look_at(Patch& in, int y, int left, int columns, int32_t* out) {
    const int r = area_.radius, first = left - r - in.box().left;
    for (int dy = 0; dy <= r; ++dy) {
      const int32_t* const above = in.row(y - dy) + first;
      const int32_t* const below = in.row(y + dy) + first;
      int32_t* const to = folded_.data() + static_cast<size_t>(dy) * fold_stride_;
      for (int x = 0; x < columns + 2 * r; ++x) to[x] = above[x] + (dy == 0 ? 0 : below[x]);
    }
    look(settings_.eye, {folded_.data() + r, fold_stride_}, columns, out);
  }

  bool filtered() const { return settings_.target == DbsTarget::kFiltered; }

  /// Target filtered: 4096 b - t, which seen through the eye and rounded is f, as
  /// B - ((S + 2048) >> 12) = (4096 B - S + 2047) >> 12. Target original: b. Outside the page 0.
  void take_pixels(int y) {
    int32_t* out = pixels_.row(y);
    std::fill_n(out, pixels_.columns(), 0);
    if (y < 0 || y >= area_.rows) return;
    const auto begin = static_cast<size_t>(y) * in_.width_px;
    const uint8_t* const bits = in_.bits + begin;
    const uint16_t* const tones = in_.tones + begin;
    const int left = pixels_.box().left, right = std::min(pixels_.box().right, area_.width);
    for (int x = std::max(left, 0); x < right; ++x) {
      out[x - left] = filtered() ? (bits[x] << 12) - tones[x] : bits[x];
    }
  }

  /// From the pixels of take_pixels(), seen through the eye, to f.
  void finish_errors(int y) {
    int32_t* const row = errors_.row(y);
    const int left = errors_.box().left;
    if (filtered()) {
      for (int i = 0; i < errors_.columns(); ++i) row[i] = (row[i] + 2047) >> 12;
      return;
    }
    const auto nearest = static_cast<size_t>(std::clamp(y, 0, area_.rows - 1));
    const uint16_t* const tones = in_.tones + nearest * in_.width_px;
    for (int i = 0; i < errors_.columns(); ++i) {
      const int x = left + i;
      const int tone = tones[std::clamp(x, 0, area_.width - 1)];
      row[i] -= (tone * weight_inside(settings_.eye, area_, y, x) + 2048) >> 12;
    }
  }

  uint64_t squares(const Box& box, int y) {
    const int32_t* const row = errors_.row(y) - errors_.box().left;
    const int left = box.left == 0 ? errors_.box().left : box.left;
    const int right = box.right == area_.width ? errors_.box().right : box.right;
    uint64_t sum = 0;
    for (int x = left; x < right; ++x) sum += static_cast<uint64_t>(int64_t{row[x]} * row[x]);
    return sum;
  }

  const DbsSettings& settings_;
  const Area& in_;
  const DbsArea& area_;
  Patch pixels_;
  Patch errors_;
  const size_t fold_stride_;
  std::vector<int32_t> folded_;
};

/// Rows that do not start at the same place of a cache's ways, as those of a power of two would.
size_t odd_lines(int columns) {
  constexpr size_t kLine = 16;
  return ((static_cast<size_t>(columns) + kLine - 1) / kLine | 1) * kLine;
}

}  // namespace

DbsField::DbsField(const DbsArea& area)
    : edge_(area.edge()),
      first_row_(area.first_free - edge_),
      stride_(odd_lines(area.width + 2 * edge_ + kSpare)),
      values_(static_cast<size_t>(area.free_rows() + 2 * edge_) * stride_) {}

CountedField count_field(const DbsSettings& settings,
                         const Area& in,
                         const DbsArea& area,
                         Team& team) {
  CountedField counted{DbsField(area), 0};
  const auto strips = static_cast<uint32_t>((area.free_rows() + kTileRows - 1) / kTileRows);
  std::vector<uint64_t> sums(strips);
  for_each_index(team, strips, [&](uint32_t strip) {
    TileCounter counter(settings, in, area);
    const int top = area.first_free + static_cast<int>(strip) * kTileRows;
    const int bottom = std::min(top + kTileRows, area.rows);
    for (int left = 0; left < area.width; left += kTileColumns) {
      sums[strip] += counter.count({top, left, bottom, std::min(left + kTileColumns, area.width)},
                                   counted.field);
    }
  });
  for (const uint64_t sum : sums) counted.error += sum;
  return counted;
}

}  // namespace mezzo::search::dbs
