#include <algorithm>

#include "kernels/gpu/launch.cuh"
#include "kernels/prepress/gpu/gpu_levels.cuh"

namespace mezzo::prepress {
namespace {

constexpr uint32_t kThreads = 256;  ///< as many as there are levels
constexpr uint32_t kSamples = 4;    ///< a thread, at a time

__global__ void take_levels(const DeviceBytesIn from,
                            const uint16_t* levels,
                            const DeviceLevelsOut to) {
  __shared__ uint16_t level[kThreads];
  level[threadIdx.x] = levels[threadIdx.x];
  __syncthreads();
  const uint32_t x = (blockIdx.x * kThreads + threadIdx.x) * kSamples;
  if (x >= from.width_px) return;
  for (uint32_t y = blockIdx.y; y < from.rows; y += gridDim.y) {
    const auto in = *reinterpret_cast<const uchar4*>(from.samples + y * from.pitch + x);
    *reinterpret_cast<ushort4*>(to.samples + y * to.pitch + size_t{2} * x) = {
        level[in.x], level[in.y], level[in.z], level[in.w]};
  }
}

}  // namespace

void enqueue_levels(const DeviceBytesIn& from,
                    const uint16_t* levels,
                    const DeviceLevelsOut& to,
                    cudaStream_t stream) {
  const uint32_t across = kThreads * kSamples;
  const dim3 blocks((from.width_px + across - 1) / across, std::min(from.rows, 512U));
  gpu::launch("taking the levels of samples",
              take_levels,
              blocks,
              kThreads,
              stream,
              gpu::Start::kAfterPrevious,
              from,
              levels,
              to);
}

}  // namespace mezzo::prepress
