#include "kernels/pinwheel/gpu/gpu_unrolled_impl.cuh"

namespace mezzo::pinwheel {

template void launch_unrolled<2>(const Phase&, const InnerBlocks&, cudaStream_t);
template void launch_unrolled<4>(const Phase&, const InnerBlocks&, cudaStream_t);
template void launch_unrolled<6>(const Phase&, const InnerBlocks&, cudaStream_t);
template void launch_unrolled<8>(const Phase&, const InnerBlocks&, cudaStream_t);

}  // namespace mezzo::pinwheel
