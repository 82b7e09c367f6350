#include "kernels/search/gpu/gpu_local_search.cuh"

namespace mezzo::search {

/// Defined in the sources that gpu_cells.cuh names.
template <uint32_t kRadius>
void launch_cells(const CellGroup& group, uint32_t multiprocessors, cudaStream_t stream);

void launch_bounds(const CellGroup& group, uint32_t multiprocessors, cudaStream_t stream) {
  static_assert(kMostWindowRadius == 6);
  switch (group.quad.radius) {
    case 1:
      return launch_cells<1>(group, multiprocessors, stream);
    case 2:
      return launch_cells<2>(group, multiprocessors, stream);
    case 3:
      return launch_cells<3>(group, multiprocessors, stream);
    case 4:
      return launch_cells<4>(group, multiprocessors, stream);
    case 5:
      return launch_cells<5>(group, multiprocessors, stream);
    default:
      return launch_cells<6>(group, multiprocessors, stream);
  }
}

}  // namespace mezzo::search
