#include "kernels/search/colour/cpu/colour_search.h"

#include <algorithm>
#include <vector>

#include "kernels/search/colour/cpu/colour_board.h"

namespace mezzo::search::colour {
namespace {

class ColourDbs final : public Search {
 public:
  ColourDbs(const together::InkColours& colours, const Page& page, Team& team)
      : page_(page), board_(colours, page, team), error_(board_.start_error()) {}

  uint64_t error() const override { return error_; }
  double of_255(uint64_t error) const override { return colour::of_255(board_.area, error); }

  void finish() override {
    for (int y = 0; y < board_.area.rows; ++y) {
      std::copy_n(board_.state(y, 0),
                  page_.width_px,
                  page_.states + static_cast<size_t>(y) * page_.width_px);
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
      const uint32_t group = half / 2, first = group / 2 + half % 2 * 2;
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
        pause((half + static_cast<double>(begin + count) / rows) / kHalves);
      }
    }
    done.error = error_;
    return done;
  }

 private:
  /// Rows of cells that take a team some tenths of a second at most.
  uint32_t rows_a_batch(const Team& team) const {
    constexpr int64_t kPixelsAThread = 1 << 15;
    const int64_t cell = board_.area.cell, pixels_a_row = board_.area.width * cell / 2 + 1;
    return team.size() * static_cast<uint32_t>(std::max(kPixelsAThread / pixels_a_row, int64_t{1}));
  }

  const Page page_;
  Board board_;
  uint64_t error_;
};

}  // namespace

std::unique_ptr<Search> make_search(const together::InkColours& colours,
                                    const Page& page,
                                    Team& team) {
  return std::make_unique<ColourDbs>(colours, page, team);
}

}  // namespace mezzo::search::colour
