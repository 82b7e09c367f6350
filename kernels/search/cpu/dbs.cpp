#include "kernels/search/cpu/dbs.h"

#include <utility>

#include "kernels/search/cpu/dbs_round.h"

namespace mezzo::search::dbs {
namespace {

class Dbs final : public Search {
 public:
  Dbs(const Area& in, DbsArea area, const Square& products, CountedField start)
      : in_(in), board_(area, products, std::move(start.field), in), error_(start.error) {}

  uint64_t error() const override { return error_; }
  double of_255(uint64_t error) const override { return board_.area.of_255(error); }

  void finish() override { board_.copy_bits(in_); }

  Round round(Team& team, const std::function<void(double part)>& pause) override {
    constexpr int64_t kPixelsAPause = 1 << 21;
    Round done;
    visit_groups(
        board_.area,
        team,
        {[this](int row, int column) { return visit_cells(board_, row, column); }, kPixelsAPause},
        [&](const Tally& tally) {
          done.changed += tally.changed;
          error_ += static_cast<uint64_t>(tally.gain);
        },
        pause);
    done.error = error_;
    return done;
  }

 private:
  const Area in_;
  DbsBoard board_;
  uint64_t error_;
};

}  // namespace
}  // namespace mezzo::search::dbs

namespace mezzo::search {

std::unique_ptr<Search> make_dbs(const DbsSettings& settings, const Area& area, Team& team) {
  const dbs::DbsArea cells(settings, area);
  return std::make_unique<dbs::Dbs>(
      area, cells, autocorrelation(settings.eye), count_field(settings, area, cells, team));
}

}  // namespace mezzo::search
