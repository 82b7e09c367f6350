#include "kernels/search/cpu/local_plane.h"

#include "kernels/base/error.h"

namespace mezzo::search {
namespace {

/// The losses of regions at the ends of one axis, and the loss of each window.
struct Losses {
  struct Loss {
    uint32_t before, after;
    bool operator==(const Loss&) const = default;
  };

  /// Windows of `length` at [first, first + count); the axis goes on from `begin` to `end`.
  Losses(
      uint32_t first, uint32_t count, uint32_t length, uint32_t begin, uint32_t end, uint32_t r) {
    for (uint32_t i = first; i < first + count; ++i) {
      const Loss loss{i < begin + r ? begin + r - i : 0,
                      i + length + r > end ? i + length + r - end : 0};
      auto found = std::ranges::find(kinds, loss);
      if (found == kinds.end()) found = kinds.insert(kinds.end(), loss);
      of.push_back(static_cast<uint8_t>(found - kinds.begin()));
    }
  }

  std::vector<Loss> kinds;
  std::vector<uint8_t> of;
};

}  // namespace

double average_of_255(const Area& area, const WindowGrid& grid, uint64_t error) {
  const auto pixels = static_cast<double>(uint64_t{area.width_px} * (area.rows - grid.top));
  return 255.0 * static_cast<double>(error) / (kEyeSum * pixels);
}

TablesOfArea::TablesOfArea(const Square& eye, const Area& area, const WindowGrid& grid)
    : first_(grid.first) {
  const Losses down(grid.first, grid.rows, grid.height, grid.top, area.rows, grid.radius);
  const Losses across(0, grid.columns, grid.width, 0, area.width_px, grid.radius);
  row_kinds_ = down.of;
  column_kinds_ = across.of;
  column_kinds_count_ = static_cast<uint32_t>(across.kinds.size());
  const WindowTables whole(eye, grid.height, grid.width);
  for (const auto& [above, below] : down.kinds) {
    for (const auto& [left, right] : across.kinds) {
      tables_.push_back(whole.clipped({above, below, left, right}));
    }
  }
}

EyeOnPage::EyeOnPage(const Square& eye, const Area& area)
    : area_(area), radius_(eye.radius()), sums_((eye.side() + 1) * (eye.side() + 1)) {
  const size_t side = eye.side();
  for (size_t y = 0; y < side; ++y) {
    for (size_t x = 0; x < side; ++x) {
      sums_[(y + 1) * (side + 1) + x + 1] =
          eye.values()[y * side + x] + sums_[y * (side + 1) + x + 1] +
          sums_[(y + 1) * (side + 1) + x] - sums_[y * (side + 1) + x];
    }
  }
}

int32_t EyeOnPage::at(uint32_t row, uint32_t column) const {
  const int64_t side = 2 * int64_t{radius_} + 1;
  const int64_t y = int64_t{area_.first_row} + row, x = column;
  const int64_t end_y = int64_t{area_.first_row} + area_.rows, end_x = area_.width_px;
  // [begin, end) of the eye's rows and columns that lie on the page
  const int64_t y0 = std::max<int64_t>(radius_ - y, 0);
  const int64_t y1 = std::min(end_y - y + radius_, side);
  const int64_t x0 = std::max<int64_t>(radius_ - x, 0);
  const int64_t x1 = std::min(end_x - x + radius_, side);
  const auto sum = [&](int64_t b, int64_t a) {
    return sums_[static_cast<size_t>(b * (side + 1) + a)];
  };
  return sum(y1, x1) - sum(y0, x1) - sum(y1, x0) + sum(y0, x0);
}

}  // namespace mezzo::search
