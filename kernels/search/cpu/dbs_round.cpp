#include "kernels/search/cpu/dbs_round.h"

#include <algorithm>
#include <vector>

namespace mezzo::search::dbs {
namespace {

/// Rows of cells between pauses.
uint32_t rows_a_batch(const DbsArea& area, const Team& team, int64_t pixels_a_thread) {
  const int64_t pixels_a_row = int64_t{area.width} * area.cell / 2 + 1;
  return team.size() * static_cast<uint32_t>(std::max(pixels_a_thread / pixels_a_row, int64_t{1}));
}

}  // namespace

// Neighbours among a group's cells change the same c. So threads take rows of cells, and first one
// half of a group's rows, then those in between.
void visit_groups(const DbsArea& area,
                  Team& team,
                  const RowVisit& visits,
                  const std::function<void(const Tally& tally)>& done,
                  const std::function<void(double part)>& pause) {
  constexpr uint32_t kHalves = 8, kApart = 4;
  const auto cell_rows = static_cast<uint32_t>(area.cell_rows);
  const uint32_t batch = rows_a_batch(area, team, visits.pixels_a_pause);
  for (uint32_t half = 0; half < kHalves; ++half) {
    const uint32_t group = half / 2;
    // Rows Y of the page with this Y mod 4.
    const uint32_t row_of_page = group / 2 + half % 2 * 2;
    const uint32_t first = (row_of_page + kApart - area.top_cell % kApart) % kApart;
    const uint32_t rows = first < cell_rows ? (cell_rows - first - 1) / kApart + 1 : 0;
    for (uint32_t begin = 0; begin < rows; begin += batch) {
      const uint32_t count = std::min(batch, rows - begin);
      std::vector<Tally> tallies(count);
      for_each_index(team, count, [&](uint32_t i) {
        const uint32_t row = first + (begin + i) * kApart;
        tallies[i] = visits.visit(static_cast<int>(row), static_cast<int>(group % 2));
      });
      for (const Tally& tally : tallies) done(tally);
      const double of_half = static_cast<double>(begin + count) / rows;
      pause((half + of_half) / kHalves);
    }
  }
}

}  // namespace mezzo::search::dbs
