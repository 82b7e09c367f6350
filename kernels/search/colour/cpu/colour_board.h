// The data of visits in colour direct binary search: states, c, and the cells that need a visit.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/band/team.h"
#include "kernels/search/colour/channels.h"
#include "kernels/search/colour/colour_area.h"
#include "kernels/search/colour/gains.h"
#include "kernels/search/colour/products.h"
#include "kernels/search/cpu/dbs_round.h"

namespace mezzo::search::colour {

/// Rows of cells may be visited at the same time if three others lie between them.
class Board {
 public:
  Board(const together::InkColours& colours, const Page& page, Team& team);

  static constexpr uint8_t kNoState = 0xFF;  ///< around the page

  uint8_t* state(int y, int x) { return states_.data() + index(y, x); }
  /// freedom_of() a pixel; of one outside the page, none.
  const uint16_t* freedom(int y, int x) const { return freedom_.data() + index(y, x); }
  ptrdiff_t state_stride() const { return static_cast<ptrdiff_t>(state_stride_); }

  /// c of a channel; up to kEdge outside of the page there is memory, and to the right kSpare more.
  int32_t* c(int channel, int y, int x) {
    const ptrdiff_t row = ptrdiff_t{y + kEdge} * channels.count() + channel;
    return c_.data() + row * c_stride() + x + kEdge;
  }
  PixelC pixel_c(int y, int x) { return {c(0, y, x), c_stride()}; }
  /// From a channel to the next; from a row to the next it is this times the channels.
  ptrdiff_t c_stride() const { return static_cast<ptrdiff_t>(c_stride_); }

  uint8_t& stale(int cell_row, int cell_column) {
    return stale_[static_cast<size_t>(cell_row) * static_cast<size_t>(area.cell_columns) +
                  static_cast<size_t>(cell_column)];
  }
  /// Cells that see a move of pixel (y, x).
  void mark_stale(int y, int x);

  /// E of the start.
  uint64_t start_error() const { return start_error_; }

  // The fixed numbers, as gains.h takes them.
  int value(int channel, uint32_t state) const { return channels.values[channel][state]; }
  int32_t product(int eye, int dy, int dx) const { return products.at(eye, dy, dx); }

  const dbs::DbsArea area;
  const Channels channels;
  const Products products;

 private:
  static constexpr int kEdge = 2 * kEyeRadius + 1;
  static constexpr size_t kSpare = 32;

  size_t index(int y, int x) const {
    return static_cast<size_t>(y + 1) * state_stride_ + static_cast<size_t>(x + 1);
  }

  size_t state_stride_;
  std::vector<uint8_t> states_;
  std::vector<uint16_t> freedom_;
  size_t c_stride_;
  std::vector<int32_t> c_;
  std::vector<uint8_t> stale_;  ///< 1: a visit may change something
  uint64_t start_error_ = 0;
};

/// Visits every other cell of a row of cells, from column 0 or 1 on (colour_visits.cpp).
dbs::Tally visit_cells(Board& board, int cell_row, int first_column);

/// Counts c of all channels into the board from the states and tones of `page`; returns E
/// (colour_start.cpp).
uint64_t count_start(Board& board, const Page& page, Team& team);

}  // namespace mezzo::search::colour
