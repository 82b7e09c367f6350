#include "kernels/search/cpu/form_search.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/search/cpu/dbs_round.h"
#include "kernels/search/cpu/form_field.h"
#include "kernels/search/stages.h"

namespace mezzo::search {
namespace {

using dbs::Box;
using dbs::Tally;

/// The windows of a board, by their first pixel, and which of them are open.
class OpenWindows {
 public:
  explicit OpenWindows(const dbs::DbsArea& area)
      : first_(area.first_free),
        end_(std::max(area.rows - form::kWindow + 1, first_ + 1)),
        columns_(std::max(area.width - form::kWindow + 1, 1)),
        open_(static_cast<size_t>(end_ - first_) * static_cast<size_t>(columns_), 1) {}

  /// Those that begin in the box.
  Box in(const Box& box) const {
    return {box.top, box.left, std::min(box.bottom, end_), std::min(box.right, columns_)};
  }

  bool is_open(int y, int x) { return flag(y, x).load(std::memory_order_relaxed) != 0; }
  void close(int y, int x) { flag(y, x).store(0, std::memory_order_relaxed); }

  /// Those that see a change of pixel (y, x). Threads may open one at once.
  void open_around(int y, int x) {
    constexpr int kBefore = form::kReach + form::kWindow - 1;
    const int bottom = std::min(y + form::kReach + 1, end_);
    const int right = std::min(x + form::kReach + 1, columns_);
    for (int row = std::max(y - kBefore, first_); row < bottom; ++row) {
      for (int column = std::max(x - kBefore, 0); column < right; ++column) {
        flag(row, column).store(1, std::memory_order_relaxed);
      }
    }
  }

 private:
  std::atomic_ref<uint8_t> flag(int y, int x) {
    return std::atomic_ref(open_[static_cast<size_t>(y - first_) * static_cast<size_t>(columns_) +
                                 static_cast<size_t>(x)]);
  }

  int first_, end_;  ///< rows
  int columns_;
  std::vector<uint8_t> open_;
};

class FormSearch final : public Search {
 public:
  FormSearch(const FormSettings& settings,
             const Area& in,
             const dbs::DbsArea& area,
             form::FormField start,
             form::FindPattern find)
      : settings_(settings),
        find_(find),
        in_(in),
        board_(area, form::q_square(), std::move(start.field), in),
        windows_(area),
        stages_(settings),
        error_(start.error) {}

  uint64_t error() const override { return static_cast<uint64_t>(std::max<int64_t>(error_, 0)); }

  double of_255(uint64_t error) const override {
    const double pixels = static_cast<double>(board_.area.free_rows()) * board_.area.width;
    return 255 * std::sqrt(static_cast<double>(error) / (pixels * form::kSum));
  }

  std::string_view stage() const override { return name_of(stages_.now()); }

  void finish() override { board_.copy_bits(in_); }

  Round round(Team& team, const std::function<void(double part)>& pause) override {
    constexpr int64_t kMovesAPause = 1 << 20, kWindowsAPause = 1 << 16;
    const bool moves = stages_.now() == Stage::kMoves;
    const uint64_t before = error();
    uint64_t changed = 0;
    visit_groups(
        board_.area,
        team,
        {[&](int row, int column) {
           return moves ? visit_cells(board_, row, column) : search_cells(row, column);
         },
         moves ? kMovesAPause : kWindowsAPause},
        [&](const Tally& tally) {
          changed += tally.changed;
          error_ += tally.gain;
        },
        pause);
    return stages_.end_round(changed, before, error());
  }

 private:
  /// The windows of every other cell of a row of cells.
  Tally search_cells(int cell_row, int first_column) {
    Tally tally;
    for (int column = first_column; column < board_.area.cell_columns; column += 2) {
      const Box box = windows_.in(board_.area.pixels_of(cell_row, column));
      const int step = stages_.now() == Stage::kEveryOther ? 2 : 1;
      for (int y = box.top + odd_row(box.top, step); y < box.bottom; y += step) {
        for (int x = box.left + box.left % step; x < box.right; x += step) {
          if (windows_.is_open(y, x)) search_window(y, x, tally);
        }
      }
    }
    return tally;
  }

  /// 1 where this row's place on the page is none that the stage searches.
  int odd_row(int y, int step) const {
    return static_cast<int>((in_.first_row + static_cast<uint32_t>(y)) %
                            static_cast<uint32_t>(step));
  }

  void search_window(int y, int x, Tally& tally) {
    const form::WindowState window = window_at(y, x);
    const form::WindowBest best = find_(window, settings_.windows);
    const uint32_t turned = best.pattern ^ window.current;
    for (int k = 0; k < form::kWindowPixels; ++k) {
      if ((turned >> (15 - k) & 1) == 0) continue;
      const int row = y + k / form::kWindow, column = x + k % form::kWindow;
      dbs::toggle(board_, row, column);
      windows_.open_around(row, column);
      ++tally.changed;
    }
    tally.gain += best.change;
    if (turned == 0 || settings_.windows == FormWindows::kAll) windows_.close(y, x);
  }

  form::WindowState window_at(int y, int x) {
    form::WindowState window{{}, 0};
    for (int k = 0; k < form::kWindowPixels; ++k) {
      const int row = y + k / form::kWindow, column = x + k % form::kWindow;
      const bool is_there = row < board_.area.rows && column < board_.area.width;
      const uint32_t place = 1U << (15 - k);
      if (!is_there) {
        window.absent |= place;
        continue;
      }
      if (*board_.bit(row, column) != 0) window.current |= place;
      window.c[k] = *board_.field.at(row, column);
    }
    return window;
  }

  const FormSettings settings_;
  const form::FindPattern find_;
  const Area in_;
  dbs::DbsBoard board_;
  OpenWindows windows_;
  Stages stages_;
  int64_t error_;
};

}  // namespace

std::unique_ptr<Search> make_form_search(const FormSettings& settings,
                                         const Area& area,
                                         Team& team,
                                         form::FindPattern find) {
  MZ_ASSERT(settings.windows == FormWindows::kNone || settings.cell >= form::kLeastCell);
  MZ_ASSERT(settings.moves || settings.windows != FormWindows::kNone);
  const dbs::DbsArea cells(form::kHalfRadius, settings.cell, area);
  return std::make_unique<FormSearch>(
      settings, area, cells, form::count_form(area, cells, team), find);
}

}  // namespace mezzo::search
