#include "kernels/codec/gpu/gpu_row_sum.cuh"
#include "kernels/gpu/launch.cuh"

namespace mezzo::codec {
namespace {

constexpr uint32_t kWarps = 8;  // a block
constexpr uint32_t kThreads = kWarps * 32;
constexpr uint64_t kEnoughWarps = 8192;  // to fill a large GPU

/// Segments of rows, in the order of their places.
struct SumJob {
  DeviceRows rows;
  uint32_t rows_per_strip;
  uint32_t segments;  ///< of a row
  uint64_t share;     ///< segments that a warp takes, one behind the other
};

/// The sum of all lanes, in all of them.
__device__ uint64_t sum_of_lanes(uint64_t value) {
  for (uint32_t distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(UINT32_MAX, value, distance);
  }
  return value;
}

/// The two sums of `words` 32-bit words of a row, at most a segment, in all lanes.
__device__ RowSum segment_sums(const uint32_t* row, uint32_t words, const uint64_t* keys) {
  RowSum sums;
#pragma unroll 4
  for (uint32_t i = threadIdx.x % 32; i * 2 < words; i += 32) {
    const uint64_t high = i * 2 + 1 < words ? __ldg(row + i * 2 + 1) : 0;
    const uint64_t word = high << 32 | __ldg(row + i * 2);
    sums += {word_product(word, keys[i]), word_product(word, keys[i + 1])};
  }
  return {sum_of_lanes(sums.first), sum_of_lanes(sums.second)};
}

/// One lane of a warp adds its sum.
__device__ void add(RowSum* to, const RowSum& sum) {
  static_assert(sizeof(unsigned long long) == sizeof(uint64_t));
  if (threadIdx.x % 32 != 0) return;
  atomicAdd(reinterpret_cast<unsigned long long*>(&to->first), sum.first);
  atomicAdd(reinterpret_cast<unsigned long long*>(&to->second), sum.second);
}

__global__ void __launch_bounds__(kThreads)
    sum_rows(const SumJob job, const uint64_t* all_keys, RowSum* to) {
  __shared__ uint64_t keys[kSegmentWords + 1];
  for (uint32_t i = threadIdx.x; i <= kSegmentWords; i += kThreads) keys[i] = all_keys[i];
  __syncthreads();
  const DeviceRows& rows = job.rows;
  const uint64_t begin = (uint64_t{blockIdx.x} * kWarps + threadIdx.x / 32) * job.share;
  const uint64_t end = min(begin + job.share, uint64_t{rows.rows} * job.segments);
  RowSum sum;
  for (uint64_t i = begin; i < end; ++i) {
    const auto y = static_cast<uint32_t>(i / job.segments);
    const auto segment = static_cast<uint32_t>(i % job.segments);
    const uint32_t first = segment * kSegmentWords * 2;
    const uint32_t words = min(rows.row_words() - first, kSegmentWords * 2);
    const RowSum sums = segment_sums(rows.words + y * rows.stride_words + first, words, keys);
    sum += placed_segment(sums, rows.first_row + y, segment);
    const bool ends_strip = segment + 1 == job.segments && (y + 1) % job.rows_per_strip == 0;
    if (!ends_strip && i + 1 < end) continue;
    add(to + y / job.rows_per_strip, sum);
    sum = {};
  }
}

}  // namespace

void enqueue_row_sums(const DeviceRows& rows,
                      uint32_t rows_per_strip,
                      RowSum* sums,
                      gpu::Device device,
                      cudaStream_t stream) {
  const auto* keys = static_cast<const uint64_t*>(
      gpu::table_on_gpu(device, kSegmentKeys.data(), sizeof kSegmentKeys));
  const uint32_t segments = (rows.row_words() + 2 * kSegmentWords - 1) / (2 * kSegmentWords);
  const uint64_t all = uint64_t{rows.rows} * segments;
  if (all == 0) return;
  const SumJob job = {rows, rows_per_strip, segments, (all + kEnoughWarps - 1) / kEnoughWarps};
  const uint64_t blocks = (all + job.share * kWarps - 1) / (job.share * kWarps);
  gpu::launch("summing rows",
              sum_rows,
              dim3(static_cast<uint32_t>(blocks)),
              kThreads,
              stream,
              gpu::Start::kAfterPrevious,
              job,
              keys,
              sums);
}

}  // namespace mezzo::codec
