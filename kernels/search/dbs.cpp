#include "kernels/search/dbs.h"

#include <algorithm>
#include <vector>

#include "kernels/search/dbs_area.h"
#include "kernels/search/dbs_field.h"

namespace mezzo::search {
namespace {

constexpr int kToggle = kSteps;  ///< stands for "no step"

/// The best that can be done to a pixel.
struct Move {
  int32_t gain = 0;  ///< dE
  int step = kToggle;
};

/// What visits of a row of cells did.
struct Tally {
  uint64_t changed = 0;
  int64_t gain = 0;
};

class Dbs final : public Search {
 public:
  Dbs(const DbsSettings& settings, const Area& in, Team& team)
      : in_(in),
        area_(settings, in),
        field_(settings, in, area_, team),
        error_(field_.error()),
        products_(autocorrelation(settings.eye)),
        bit_stride_(in.width_px + size_t{2}),
        bits_(static_cast<size_t>(area_.free_rows() + 2) * bit_stride_, kNoBit),
        stale_(static_cast<size_t>(area_.cell_rows) * static_cast<size_t>(area_.cell_columns), 1) {
    for (int step = 0; step < kSteps; ++step) {
      swap_cost_[step] = products_.at(0, 0) - products_.at(kStep[step].dy, kStep[step].dx);
    }
    for (int y = area_.first_free; y < area_.rows; ++y) {
      std::copy_n(in.bits + static_cast<size_t>(y) * in.width_px, in.width_px, bit(y, 0));
    }
  }

  uint64_t error() const override { return error_; }
  double of_255(uint64_t error) const override { return area_.of_255(error); }

  void finish() override {
    for (int y = area_.first_free; y < area_.rows; ++y) {
      std::copy_n(bit(y, 0), in_.width_px, in_.bits + static_cast<size_t>(y) * in_.width_px);
    }
  }

  Round round(Team& team, const std::function<void(double part)>& pause) override {
    Round done;
    // Cells of a group may change the same c where they lie side by side, not where another cell
    // of the group lies between them.
    constexpr uint32_t kGroups = 4, kApart = 4;
    const uint32_t batch = rows_a_batch(team);
    for (uint32_t group = 0; group < kGroups; ++group) {
      for (uint32_t half = 0; half < 2; ++half) {
        // Rows Y of the page with Y mod 4 = group / 2 + 2 half.
        const uint32_t first = (group / 2 + 2 * half + kApart - area_.top_cell % kApart) % kApart;
        const auto cell_rows = static_cast<uint32_t>(area_.cell_rows);
        const uint32_t rows = first < cell_rows ? (cell_rows - first - 1) / kApart + 1 : 0;
        for (uint32_t begin = 0; begin < rows; begin += batch) {
          const uint32_t count = std::min(batch, rows - begin);
          std::vector<Tally> tallies(count);
          for_each_index(team, count, [&](uint32_t i) {
            tallies[i] = visit_cells(static_cast<int>(first + (begin + i) * kApart), group % 2);
          });
          for (const Tally& tally : tallies) {
            done.changed += tally.changed;
            error_ += static_cast<uint64_t>(tally.gain);
          }
          const double of_half = static_cast<double>(begin + count) / rows;
          pause((2 * group + half + of_half) / (2 * kGroups));
        }
      }
    }
    done.error = error_;
    return done;
  }

 private:
  uint8_t* bit(int y, int x) {
    return bits_.data() + static_cast<size_t>(y - area_.first_free + 1) * bit_stride_ +
           static_cast<size_t>(x + 1);
  }

  /// Rows of cells that take a team some tenths of a second.
  uint32_t rows_a_batch(const Team& team) const {
    constexpr int kPixelsAThread = 1 << 21;
    const int pixels_a_row = area_.cell_columns * area_.cell * area_.cell / 2;
    return team.size() * static_cast<uint32_t>(std::max(kPixelsAThread / pixels_a_row, 1));
  }

  /// The first of the least.
  Move best_move(int y, int x) {
    const uint8_t* const own_bit = bit(y, x);
    const int32_t* const own_c = field_.at(y, x);
    const int sign = *own_bit == 0 ? 1 : -1;
    Move best{products_.at(0, 0) + 2 * sign * *own_c, kToggle};
    for (int step = 0; step < kSteps; ++step) {
      const auto [dy, dx] = kStep[step];
      if (own_bit[static_cast<ptrdiff_t>(bit_stride_) * dy + dx] != 1 - *own_bit) continue;
      const int32_t c = own_c[static_cast<ptrdiff_t>(field_.stride()) * dy + dx];
      const int32_t gain = 2 * swap_cost_[step] + 2 * sign * (*own_c - c);
      if (gain < best.gain) best = {gain, step};
    }
    return best;
  }

  /// Flips a bit and tells every c that it reaches.
  void flip(int y, int x) {
    uint8_t& bit_here = *bit(y, x);
    const int sign = bit_here == 0 ? 1 : -1;
    bit_here ^= 1;
    const int reach = products_.radius();
    for (int dy = -reach; dy <= reach; ++dy) {
      int32_t* const row = field_.at(y + dy, x);
      for (int dx = -reach; dx <= reach; ++dx) row[dx] += sign * products_.at(dy, dx);
    }
  }

  Tally visit_cells(int cell_row, uint32_t first_column) {
    Tally tally;
    for (int column = static_cast<int>(first_column); column < area_.cell_columns; column += 2) {
      visit_cell(cell_row, column, tally);
    }
    return tally;
  }

  void visit_cell(int cell_row, int cell_column, Tally& tally) {
    uint8_t& stale = *stale_at(cell_row, cell_column);
    if (stale == 0) return;
    stale = 0;
    const Box cell = area_.pixels_of(cell_row, cell_column);
    for (int y = cell.top; y < cell.bottom; ++y) {
      for (int x = cell.left; x < cell.right; ++x) {
        const Move move = best_move(y, x);
        if (move.gain >= 0) continue;
        flip(y, x);
        if (move.step != kToggle) flip(y + kStep[move.step].dy, x + kStep[move.step].dx);
        tally.changed += move.step == kToggle ? 1 : 2;
        tally.gain += move.gain;
        mark_stale(y, x);
      }
    }
  }

  uint8_t* stale_at(int cell_row, int cell_column) {
    return stale_.data() + static_cast<size_t>(cell_row) * static_cast<size_t>(area_.cell_columns) +
           cell_column;
  }

  /// Cells that read what a change of pixel (y, x), and of a neighbour, changes.
  void mark_stale(int y, int x) {
    const Box cells = area_.cells_that_see({y, x, y + 1, x + 1});
    for (int row = cells.top; row < cells.bottom; ++row) {
      for (int column = cells.left; column < cells.right; ++column) *stale_at(row, column) = 1;
    }
  }

  const Area in_;
  const DbsArea area_;
  DbsField field_;
  uint64_t error_;
  const Square products_;  ///< C
  int32_t swap_cost_[kSteps];
  size_t bit_stride_;
  std::vector<uint8_t> bits_;   ///< of the free pixels, kNoBit around them
  std::vector<uint8_t> stale_;  ///< cells that have to be visited
};

}  // namespace

std::unique_ptr<Search> make_dbs(const DbsSettings& settings, const Area& area, Team& team) {
  return std::make_unique<Dbs>(settings, area, team);
}

}  // namespace mezzo::search
