#include "kernels/search/cpu/dbs_board.h"

#include <algorithm>

namespace mezzo::search::dbs {
namespace {

/// A row of a move's change in whole vectors of any target.
size_t whole_vectors(int columns) {
  constexpr size_t kMostLanes = 16;
  static_assert(kMostLanes <= DbsField::kSpare);
  return (static_cast<size_t>(columns) + kMostLanes - 1) / kMostLanes * kMostLanes;
}

}  // namespace

DbsMoves::DbsMoves(const Square& eye)
    : edge_(2 * eye.radius() + 1),
      stride_(whole_vectors(2 * edge_ + 1)),
      changes_(static_cast<size_t>(kMoves * (2 * edge_ + 1)) * stride_) {
  const Square products = autocorrelation(eye);
  const auto product = [&](int dy, int dx) {
    const bool inside = std::max(std::abs(dy), std::abs(dx)) <= products.radius();
    return inside ? products.at(dy, dx) : 0;
  };
  for (int move = 0; move < kMoves; ++move) {
    const Step step = move == kToggle ? Step{4 * edge_, 4 * edge_} : kStep[move];  // or far away
    costs_[static_cast<size_t>(move)] = product(0, 0) - product(step.dy, step.dx);
    for (int dy = -edge_; dy <= edge_; ++dy) {
      const int place = move * (2 * edge_ + 1) + dy + edge_;
      const auto row = static_cast<size_t>(place);
      for (int dx = -edge_; dx <= edge_; ++dx) {
        changes_[row * stride_ + static_cast<size_t>(dx + edge_)] =
            product(dy, dx) - product(dy - step.dy, dx - step.dx);
      }
    }
  }
}

DbsBoard::DbsBoard(const DbsSettings& settings, const Area& in, Team& team)
    : area(settings, in),
      moves(settings.eye),
      field(settings, in, area, team),
      bit_stride(in.width_px + size_t{2} + DbsField::kSpare),
      bits(static_cast<size_t>(area.free_rows() + 2) * bit_stride, kNoBit),
      stale_cells(static_cast<size_t>(area.cell_rows) * static_cast<size_t>(area.cell_columns), 1) {
  for (int y = area.first_free; y < area.rows; ++y) {
    std::copy_n(in.bits + static_cast<size_t>(y) * in.width_px, in.width_px, bit(y, 0));
  }
}

}  // namespace mezzo::search::dbs
