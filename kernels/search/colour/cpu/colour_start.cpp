// The c and E that colour direct binary search starts from, counted from scratch.

#include <algorithm>

#include "kernels/search/colour/colour_eyes.h"
#include "kernels/search/colour/cpu/colour_board.h"
#include "kernels/search/cpu/dbs_look.h"

namespace mezzo::search::colour {
namespace {

constexpr int kStripRows = 32;

/// Rows of values, with `border` columns on either side of the page's.
class Rows {
 public:
  Rows(int rows, int width, int border)
      : border_(border),
        columns_(static_cast<size_t>(width + 2 * border)),
        values_(static_cast<size_t>(rows) * columns_) {}

  void begin_at(int first_row) { first_row_ = first_row; }
  /// Value of column 0.
  int32_t* row(int y) {
    return values_.data() + static_cast<size_t>(y - first_row_) * columns_ + border_;
  }
  int border() const { return border_; }

 private:
  int border_;
  size_t columns_;
  int first_row_ = 0;
  std::vector<int32_t> values_;
};

/// Counts strip after strip.
class StripCounter {
 public:
  StripCounter(Board& board, const Page& page)
      : board_(board),
        page_(page),
        width_(board.area.width),
        errors_(kStripRows + 4 * kEyeRadius, width_, 2 * kEyeRadius),
        seen_(kStripRows + 2 * kEyeRadius, width_, kEyeRadius),
        folded_(kEyeRadius + 1, width_, 2 * kEyeRadius) {}

  /// Sets c of rows top .. bottom - 1; returns their part of E.
  uint64_t count(int top, int bottom) {
    uint64_t sum = 0;
    for (int channel = 0; channel < board_.channels.count(); ++channel) {
      sum += count(channel, top, bottom);
    }
    return sum;
  }

 private:
  uint64_t count(int channel, int top, int bottom) {
    constexpr int r = kEyeRadius;
    const Square& eye = eyes_[Channels::eye(channel)];
    errors_.begin_at(top - 2 * r);
    seen_.begin_at(top - r);
    for (int y = top - 2 * r; y < bottom + 2 * r; ++y) take_errors(channel, y);
    uint64_t sum = 0;
    for (int y = top - r; y < bottom + r; ++y) {
      look_at(eye, errors_, y, seen_.row(y) - r, width_ + 2 * r);
      const bool own = (y >= top || top == 0) && (y < bottom || bottom == board_.area.rows);
      sum += finish_row(y, own);
    }
    for (int y = top; y < bottom; ++y) look_at(eye, seen_, y, board_.c(channel, y, 0), width_);
    return sum;
  }

  /// e of row y.
  void take_errors(int channel, int y) {
    int32_t* const out = errors_.row(y);
    std::fill_n(out - errors_.border(), width_ + 2 * errors_.border(), 0);
    if (y < 0 || y >= board_.area.rows) return;
    const int16_t* const values = board_.channels.values[channel];
    const int inks = board_.channels.inks;
    const uint8_t* const states = board_.state(y, 0);
    const size_t begin = static_cast<size_t>(y) * page_.width_px;
    for (int x = 0; x < width_; ++x) {
      const size_t pixel = begin + static_cast<size_t>(x);
      int32_t target = 0;
      if (channel < kColourChannels) {
        uint16_t tones[kMostInks];
        for (int k = 0; k < inks; ++k) tones[k] = page_.tones[k][pixel];
        target = colour_target(values, inks, tones);
      } else {
        target = ink_target(page_.tones[channel - kColourChannels][pixel]);
      }
      out[x] = 16 * values[states[x]] - target;
    }
  }

  /// The middle `columns` of row y of `from`, seen through the eye.
  void look_at(const Square& eye, Rows& from, int y, int32_t* out, int columns) {
    constexpr int r = kEyeRadius;
    const int first = (width_ - columns) / 2 - r;
    for (int dy = 0; dy <= r; ++dy) {
      const int32_t* const above = from.row(y - dy) + first;
      const int32_t* const below = from.row(y + dy) + first;
      int32_t* const to = folded_.row(dy) + first;
      for (int x = 0; x < columns + 2 * r; ++x) to[x] = above[x] + (dy == 0 ? 0 : below[x]);
    }
    const auto stride = static_cast<size_t>(folded_.row(1) - folded_.row(0));
    dbs::look(eye, {folded_.row(0) + first + r, stride}, columns, out);
  }

  /// From sums to f; returns the sum of f^2 if the row counts.
  uint64_t finish_row(int y, bool own) {
    uint64_t sum = 0;
    int32_t* const row = seen_.row(y);
    for (int x = -kEyeRadius; x < width_ + kEyeRadius; ++x) {
      row[x] = (row[x] + 8) >> 4;
      sum += static_cast<uint64_t>(int64_t{row[x]} * row[x]);
    }
    return own ? sum : 0;
  }

  Board& board_;
  const Page& page_;
  const int width_;
  const Square eyes_[2] = {eye_of(kLuminanceEye), eye_of(kChrominanceEye)};
  Rows errors_;
  Rows seen_;
  Rows folded_;
};

}  // namespace

uint64_t count_start(Board& board, const Page& page, Team& team) {
  const int rows = board.area.rows;
  const auto strips = static_cast<uint32_t>((rows + kStripRows - 1) / kStripRows);
  std::vector<uint64_t> sums(strips);
  for_each_index(team, strips, [&](uint32_t strip) {
    const int top = static_cast<int>(strip) * kStripRows;
    sums[strip] = StripCounter(board, page).count(top, std::min(top + kStripRows, rows));
  });
  uint64_t error = 0;
  for (const uint64_t sum : sums) error += sum;
  return error;
}

}  // namespace mezzo::search::colour
