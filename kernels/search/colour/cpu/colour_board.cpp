#include "kernels/search/colour/cpu/colour_board.h"

#include <algorithm>

namespace mezzo::search::colour {
namespace {

/// Rows that do not start at the same place of a cache's ways, as those of a power of two would.
size_t odd_lines(size_t columns) {
  constexpr size_t kLine = 16;
  return ((columns + kLine - 1) / kLine | 1) * kLine;
}

uint16_t freedom_at(const Page& page, int inks, size_t pixel) {
  uint16_t tones[kMostInks];
  for (int k = 0; k < inks; ++k) tones[k] = page.tones[k][pixel];
  return freedom_of(tones, inks);
}

}  // namespace

Board::Board(const together::InkColours& colours, const Page& page, Team& team)
    : area(area_of(page)),
      channels(colours),
      state_stride_(page.width_px + size_t{2} + kSpare),
      states_((page.rows + size_t{2}) * state_stride_, kNoState),
      freedom_(states_.size()),
      c_stride_(odd_lines(page.width_px + 2 * kEdge + kSpare)),
      c_((page.rows + size_t{2 * kEdge}) * static_cast<size_t>(channels.count()) * c_stride_),
      stale_(static_cast<size_t>(area.cell_rows) * static_cast<size_t>(area.cell_columns), 1) {
  for_each_index(team, page.rows, [&](uint32_t row) {
    const auto y = static_cast<int>(row);
    const size_t begin = size_t{row} * page.width_px;
    std::copy_n(page.states + begin, page.width_px, state(y, 0));
    for (uint32_t x = 0; x < page.width_px; ++x) {
      freedom_[index(y, static_cast<int>(x))] = freedom_at(page, channels.inks, begin + x);
    }
  });
  start_error_ = count_start(*this, page, team);
}

void Board::mark_stale(int y, int x) {
  const dbs::Box cells = area.cells_that_see(y, x);
  for (int row = cells.top; row < cells.bottom; ++row) {
    for (int column = cells.left; column < cells.right; ++column) stale(row, column) = 1;
  }
}

}  // namespace mezzo::search::colour
