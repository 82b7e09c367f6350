#include "kernels/search/colour/cpu/colour_search.h"

#include <algorithm>

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

  Round round(Team& team, const std::function<void(double part)>& pause) override {
    constexpr int64_t kPixelsAPause = 1 << 15;
    Round done;
    dbs::visit_groups(
        board_.area,
        team,
        {[this](int row, int column) { return visit_cells(board_, row, column); }, kPixelsAPause},
        [&](const dbs::Tally& tally) {
          done.changed += tally.changed;
          error_ += static_cast<uint64_t>(tally.gain);
        },
        pause);
    done.error = error_;
    return done;
  }

 private:
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
