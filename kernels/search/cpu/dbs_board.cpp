#include "kernels/search/cpu/dbs_board.h"

#include <algorithm>
#include <utility>

#include "kernels/base/error.h"

namespace mezzo::search::dbs {
namespace {

/// A row of a move's change in whole vectors of any target.
size_t whole_vectors(int columns) {
  constexpr size_t kMostLanes = 16;
  static_assert(kMostLanes <= DbsField::kSpare);
  return (static_cast<size_t>(columns) + kMostLanes - 1) / kMostLanes * kMostLanes;
}

}  // namespace

DbsMoves::DbsMoves(const Square& products)
    : edge_(products.radius() + 1),
      stride_(whole_vectors(2 * edge_ + 1)),
      changes_(static_cast<size_t>(kMoves * (2 * edge_ + 1)) * stride_) {
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

DbsBoard::DbsBoard(const DbsArea& of, const Square& products, DbsField counted, const Area& in)
    : area(of),
      moves(products),
      field(std::move(counted)),
      bit_stride(in.width_px + size_t{2} + DbsField::kSpare),
      bits(static_cast<size_t>(area.free_rows() + 2) * bit_stride, kNoBit),
      stale_cells(static_cast<size_t>(area.cell_rows) * static_cast<size_t>(area.cell_columns), 1) {
  MZ_ASSERT(products.radius() + 1 == area.edge());
  for (int y = area.first_free; y < area.rows; ++y) {
    std::copy_n(in.bits + static_cast<size_t>(y) * in.width_px, in.width_px, bit(y, 0));
  }
}

void DbsBoard::copy_bits(const Area& out) {
  for (int y = area.first_free; y < area.rows; ++y) {
    std::copy_n(bit(y, 0), out.width_px, out.bits + static_cast<size_t>(y) * out.width_px);
  }
}

}  // namespace mezzo::search::dbs
