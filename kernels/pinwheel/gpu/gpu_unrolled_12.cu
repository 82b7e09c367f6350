#include "kernels/pinwheel/gpu/gpu_unrolled_impl.cuh"

namespace mezzo::pinwheel {

template void launch_unrolled<12>(const Phase&, const InnerBlocks&, cudaStream_t);

}  // namespace mezzo::pinwheel
