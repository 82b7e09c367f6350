// The data of direct binary search's visits: bits, c, and the cells that need a visit.
#pragma once

#include <array>
#include <vector>

#include "kernels/band/team.h"
#include "kernels/search/cpu/dbs_field.h"

namespace mezzo::search::dbs {

/// The moves of a pixel: the first kSteps are swaps.
inline constexpr int kToggle = kSteps;
inline constexpr int kMoves = kSteps + 1;

/// The changes when a pixel with bit 0 makes a move; with bit 1 the signs turn.
class DbsMoves {
 public:
  /// C within 2 `radius`: an eye's autocorrelation, or any other Q of E = b'Q b - 2 T'b.
  explicit DbsMoves(const Square& products);

  /// A swap's C(0) - C(m1 - m); of a toggle C(0).
  int32_t cost(int move) const { return costs_[static_cast<size_t>(move)]; }

  /// The values added to c at (y + dy, x - edge()) and the stride() - 1 after it, |dy| <= edge().
  /// All of it is 0 past x + edge().
  const int32_t* change(int move, int dy) const {
    const int row = move * (2 * edge_ + 1) + dy + edge_;
    return changes_.data() + static_cast<size_t>(row) * stride_;
  }

  int edge() const { return edge_; }
  /// A multiple of 16.
  size_t stride() const { return stride_; }

 private:
  int edge_;
  size_t stride_;
  std::array<int32_t, kMoves> costs_;
  std::vector<int32_t> changes_;
};

/// Rows of cells may be visited at the same time if three others lie between them.
struct DbsBoard {
  /// `counted` is of the bits of `in`.
  DbsBoard(const DbsArea& of, const Square& products, DbsField counted, const Area& in);

  /// To the free pixels of `out`.
  void copy_bits(const Area& out);

  uint8_t* bit(int y, int x) {
    return bits.data() + static_cast<size_t>(y - area.first_free + 1) * bit_stride +
           static_cast<size_t>(x + 1);
  }

  uint8_t& stale(int cell_row, int cell_column) {
    return stale_cells[static_cast<size_t>(cell_row) * static_cast<size_t>(area.cell_columns) +
                       static_cast<size_t>(cell_column)];
  }

  /// Cells that see a move of pixel (y, x).
  void mark_stale(int y, int x) {
    const Box cells = area.cells_that_see(y, x);
    for (int row = cells.top; row < cells.bottom; ++row) {
      for (int column = cells.left; column < cells.right; ++column) stale(row, column) = 1;
    }
  }

  DbsArea area;
  DbsMoves moves;
  DbsField field;
  size_t bit_stride;
  std::vector<uint8_t> bits;         ///< of the free pixels, kNoBit around them
  std::vector<uint8_t> stale_cells;  ///< 1: a visit may change something
};

/// The results of visits.
struct Tally {
  uint64_t changed = 0;  ///< pixels
  int64_t gain = 0;      ///< sum of dE
};

/// Visits every other cell of a row of cells, from column 0 or 1 on. In SIMD: dbs_visits.cpp.
Tally visit_cells(DbsBoard& board, int cell_row, int first_column);

/// Changes a free pixel, and c around it; marks no cells.
void toggle(DbsBoard& board, int y, int x);

}  // namespace mezzo::search::dbs
