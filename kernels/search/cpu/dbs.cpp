#include "kernels/search/cpu/dbs.h"

#include <algorithm>
#include <vector>

#include "kernels/search/cpu/dbs_board.h"

namespace mezzo::search::dbs {
namespace {

class Dbs final : public Search {
 public:
  Dbs(const DbsSettings& settings, const Area& in, Team& team)
      : in_(in), board_(settings, in, team), error_(board_.field.error()) {}

  uint64_t error() const override { return error_; }
  double of_255(uint64_t error) const override { return board_.area.of_255(error); }

  void finish() override {
    for (int y = board_.area.first_free; y < board_.area.rows; ++y) {
      std::copy_n(board_.bit(y, 0), in_.width_px, in_.bits + static_cast<size_t>(y) * in_.width_px);
    }
  }

  /// Neighbours among a group's cells change the same c. So threads take rows of cells, and first
  /// one half of a group's rows, then those in between.
  Round round(Team& team, const std::function<void(double part)>& pause) override {
    constexpr uint32_t kHalves = 8, kApart = 4;
    const auto cell_rows = static_cast<uint32_t>(board_.area.cell_rows);
    const uint32_t batch = rows_a_batch(team);
    Round done;
    for (uint32_t half = 0; half < kHalves; ++half) {
      const uint32_t group = half / 2;
      // Rows Y of the page with this Y mod 4.
      const uint32_t row_of_page = group / 2 + half % 2 * 2;
      const uint32_t first = (row_of_page + kApart - board_.area.top_cell % kApart) % kApart;
      const uint32_t rows = first < cell_rows ? (cell_rows - first - 1) / kApart + 1 : 0;
      for (uint32_t begin = 0; begin < rows; begin += batch) {
        const uint32_t count = std::min(batch, rows - begin);
        std::vector<Tally> tallies(count);
        for_each_index(team, count, [&](uint32_t i) {
          const uint32_t row = first + (begin + i) * kApart;
          tallies[i] = visit_cells(board_, static_cast<int>(row), static_cast<int>(group % 2));
        });
        for (const Tally& tally : tallies) {
          done.changed += tally.changed;
          error_ += static_cast<uint64_t>(tally.gain);
        }
        const double of_half = static_cast<double>(begin + count) / rows;
        pause((half + of_half) / kHalves);
      }
    }
    done.error = error_;
    return done;
  }

 private:
  /// Rows of cells that take a team some tenths of a second at most.
  uint32_t rows_a_batch(const Team& team) const {
    constexpr int64_t kPixelsAThread = 1 << 21;
    const int64_t cell = board_.area.cell, pixels_a_row = board_.area.width * cell / 2 + 1;
    return team.size() * static_cast<uint32_t>(std::max(kPixelsAThread / pixels_a_row, int64_t{1}));
  }

  const Area in_;
  DbsBoard board_;
  uint64_t error_;
};

}  // namespace
}  // namespace mezzo::search::dbs

namespace mezzo::search {

std::unique_ptr<Search> make_dbs(const DbsSettings& settings, const Area& area, Team& team) {
  return std::make_unique<dbs::Dbs>(settings, area, team);
}

}  // namespace mezzo::search
