#include "kernels/search/gpu/gpu_moves.cuh"

#include <span>
#include <vector>

#include "kernels/base/error.h"

namespace mezzo::search::dbs {
namespace {

/// C in rows as long as a tile's: its middle at row and column edge + 1, with two rings of 0 around
/// it, so that what a move changes begins a row and a column from the corner and may be shifted by
/// one either way.
std::vector<int32_t> products_of(const Square& products, int edge, int row) {
  std::vector<int32_t> laid(static_cast<size_t>((2 * edge + 3) * row));
  const int reach = products.radius();
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      const int place = (edge + 1 + dy) * row + edge + 1 + dx;
      laid[static_cast<size_t>(place)] = products.at(dy, dx);
    }
  }
  return laid;
}

Costs costs_of(const Square& products) {
  Costs costs{};
  for (int move = 0; move < kPlaces; ++move) {
    const int32_t shared = move == kMiddle ? 0 : products.at(move / 3 - 1, move % 3 - 1);
    costs.of[move] = products.at(0, 0) - shared;
  }
  return costs;
}

size_t cells_of(const DbsArea& area) {
  return static_cast<size_t>(area.cell_rows) * static_cast<size_t>(area.cell_columns);
}

}  // namespace

CountsOnGpu::CountsOnGpu(gpu::Device device)
    : counts_(device, kCounts), fetched_(kCounts * sizeof(Counts), *device.context) {}

void CountsOnGpu::clear(cudaStream_t stream) const {
  gpu::check(cudaMemsetAsync(counts_.data(), 0, counts_.size() * sizeof(Counts), stream),
             "clearing counts");
}

Counts CountsOnGpu::fetch(cudaStream_t stream) const {
  gpu::check(cudaMemcpyAsync(
                 fetched_.data(), counts_.data(), fetched_.size(), cudaMemcpyDeviceToHost, stream),
             "fetching counts");
  gpu::check(cudaStreamSynchronize(stream), "searching");
  Counts sum{};
  for (uint32_t i = 0; i < kCounts; ++i) {
    const Counts& one = reinterpret_cast<const Counts*>(fetched_.data())[i];
    sum.changed += one.changed;
    sum.error += one.error;
  }
  return sum;
}

MovesOnGpu::MovesOnGpu(gpu::Device device,
                       const Square& products,
                       uint32_t cell,
                       uint32_t width_px,
                       uint32_t most_rows)
    : cell_(static_cast<int>(cell)),
      edge_(products.radius() + 1),
      tile_(cell_ + 2 * edge_),
      // A row of cells begins above the first free row, and one ends below the last.
      stale_(device, (size_t{most_rows} / cell + 2) * (width_px / cell + 1)),
      products_(gpu::on_gpu(device,
                            std::span<const int32_t>(products_of(products, edge_, tile_)),
                            "sending a filter")),
      costs_(costs_of(products)) {}

void MovesOnGpu::begin(const DbsArea& area, cudaStream_t stream) const {
  MZ_ASSERT(area.edge() == edge_ && area.cell == cell_ && cells_of(area) <= stale_.size());
  gpu::check(cudaMemsetAsync(stale_.data(), 1, cells_of(area), stream), "marking cells");
}

void MovesOnGpu::enqueue_round(const DbsOnDevice& board, cudaStream_t stream) const {
  const Visits visits{board,
                      stale_.data(),
                      products_.data(),
                      static_cast<uint32_t>(products_.size()),
                      edge_,
                      Divisor(cell_),
                      Divisor(cell_ + 2),
                      Divisor(tile_),
                      costs_};
  for (uint32_t group = 0; group < 4; ++group) enqueue_visits(visits, group, stream);
}

}  // namespace mezzo::search::dbs
