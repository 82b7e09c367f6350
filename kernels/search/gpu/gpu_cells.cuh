// Cells on a GPU: which warps search which windows. Compiled for each radius of the eye in a source
// of its own, which CMake makes of gpu_cells.cu.in.
#pragma once

#include <algorithm>

#include "kernels/gpu/launch.cuh"
#include "kernels/search/gpu/gpu_window.cuh"

namespace mezzo::search {

/// Takes cells as long as there are any, and searches their open windows row by row. A block is one
/// team, or several of one warp each.
template <uint32_t kRadius, uint32_t kOnSide, uint32_t kTeam>
__global__ void search_cells(const __grid_constant__ CellGroup group) {
  using Search = WarpSearch<kRadius, kOnSide, kTeam>;
  extern __shared__ uint4 memory[];
  auto& shared = *reinterpret_cast<Shared<kRadius, kOnSide>*>(memory);
  share(group, shared);
  const uint32_t warp = threadIdx.x / kWarpSize, lane = threadIdx.x % kWarpSize;
  auto* teams = reinterpret_cast<typename Search::Common*>(&shared + 1);
  auto* warps = reinterpret_cast<typename Search::Memory*>(teams + blockDim.x / kWarpSize / kTeam);
  auto& common = teams[warp / kTeam];
  Search search(group, shared, common, warps[warp]);
  const WindowGrid& grid = group.grid;
  for (;;) {
    if (search.is_first()) common.cell = atomicAdd(group.next_cell, 1U);
    Search::meet();
    const uint32_t cell = common.cell;
    if (cell >= group.rows * group.columns) break;
    const uint32_t cell_row = group.first_row + 2 * (cell / group.columns);
    const uint32_t cell_column = group.first_column + 2 * (cell % group.columns);
    const uint32_t first_row = grid.begin_of(cell_row), first_column = cell_column * grid.cell;
    const uint32_t columns = min(grid.cell, grid.columns - first_column);
    const uint32_t count = (grid.end_of(cell_row) - first_row) * columns;
    for (uint32_t base = 0; base < count; base += kWarpSize) {
      // All warps of a team look at the same flags.
      const uint32_t mine = base + lane;
      uint8_t* flag = group.is_open +
                      size_t{first_row - grid.first + mine / columns} * grid.columns +
                      first_column + mine % columns;
      uint32_t open = __ballot_sync(kAllLanes, mine < count && *flag != 0);
      while (open != 0) {
        const uint32_t next = __ffs(open) - 1;
        search.improve(first_row + (base + next) / columns, first_column + (base + next) % columns);
        if (warp % kTeam == 0 && lane == next) *flag = 0;
        Search::meet();
        // Windows after it may have been opened.
        const uint32_t after = next == kWarpSize - 1 ? 0 : kAllLanes << (next + 1);
        open = __ballot_sync(kAllLanes, mine < count && *flag != 0) & after;
      }
      Search::meet();
    }
    Search::meet();
  }
  if (search.is_first() && search.changed() > 0) {
    atomicAdd(group.changed, static_cast<unsigned long long>(search.changed()));
    atomicAdd(group.saved, search.saved());
  }
}

template <uint32_t kRadius, uint32_t kOnSide, uint32_t kTeam>
void launch_shape(const CellGroup& group,
                  uint32_t teams,
                  uint32_t multiprocessors,
                  cudaStream_t stream) {
  using Search = WarpSearch<kRadius, kOnSide, kTeam>;
  const auto kernel = search_cells<kRadius, kOnSide, kTeam>;
  const uint32_t cells = group.rows * group.columns, threads = teams * kTeam * kWarpSize;
  const size_t bytes = sizeof(Shared<kRadius, kOnSide>) + teams * sizeof(typename Search::Common) +
                       teams * kTeam * sizeof(typename Search::Memory);
  gpu::check(cudaFuncSetAttribute(
                 kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
             "searching");
  int resident = 0;
  gpu::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                 &resident, kernel, static_cast<int>(threads), bytes),
             "searching");
  const uint32_t blocks =
      std::min((cells + teams - 1) / teams, multiprocessors * static_cast<uint32_t>(resident));
  gpu::launch_with_memory("searching", kernel, blocks, threads, bytes, stream, group);
}

template <uint32_t kRadius, uint32_t kOnSide>
void launch_side(const CellGroup& group, uint32_t multiprocessors, cudaStream_t stream) {
  constexpr uint32_t kFewCells = 64;  // a multiprocessor: the slowest would keep the rest waiting
  constexpr uint32_t kTeam = kOnSide == 1 ? 1 : 4, kTeams = 4;
  if (kOnSide > 1 && group.rows * group.columns < kFewCells * multiprocessors) {
    launch_shape<kRadius, kOnSide, kTeam>(group, 1, multiprocessors, stream);
  } else {
    launch_shape<kRadius, kOnSide, 1>(group, kTeams, multiprocessors, stream);
  }
}

/// launch_bounds() for an eye of this radius.
template <uint32_t kRadius>
void launch_cells(const CellGroup& group, uint32_t multiprocessors, cudaStream_t stream) {
  static_assert(kMostQuadsOnSide == 3);
  switch (group.quad.on_side) {
    case 1:
      return launch_side<kRadius, 1>(group, multiprocessors, stream);
    case 2:
      return launch_side<kRadius, 2>(group, multiprocessors, stream);
    default:
      return launch_side<kRadius, 3>(group, multiprocessors, stream);
  }
}

}  // namespace mezzo::search
