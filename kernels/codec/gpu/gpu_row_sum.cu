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

/// Adds up both sums of all lanes: the lower half of the warp has the first, the upper the second.
__device__ uint64_t sum_of_lanes(const RowSum& sums) {
  const bool is_upper = threadIdx.x % 32 >= 16;
  const uint64_t given = is_upper ? sums.first : sums.second;
  uint64_t own = (is_upper ? sums.second : sums.first) + __shfl_xor_sync(UINT32_MAX, given, 16);
  for (uint32_t distance = 8; distance > 0; distance /= 2) {
    own += __shfl_xor_sync(UINT32_MAX, own, distance);
  }
  return own;
}

/// Two words of a row, which begins at a multiple of 8 bytes, or not.
template <bool kAligned>
__device__ uint64_t load_word(const uint32_t* words) {
  if constexpr (kAligned) return __ldg(reinterpret_cast<const unsigned long long*>(words));
  return uint64_t{__ldg(words + 1)} << 32 | __ldg(words);
}

/// The lane's part of the sums of `words` 32-bit words of a row, at most a segment.
template <bool kAligned>
__device__ RowSum lane_sums(const uint32_t* row, uint32_t words, const uint64_t* keys) {
  RowSum sums;
  const uint32_t lane = threadIdx.x % 32, whole = words / 2;
#pragma unroll 8
  for (uint32_t i = lane; i < whole; i += 32) {
    const uint64_t word = load_word<kAligned>(row + i * 2);
    sums += {word_product(word, keys[i]), word_product(word, keys[i + 1])};
  }
  if (words % 2 != 0 && lane == 0) {
    const uint64_t word = __ldg(row + whole * 2);
    sums += {word_product(word, keys[whole]), word_product(word, keys[whole + 1])};
  }
  return sums;
}

/// Both sums of `words` 32-bit words, at most a segment, as sum_of_lanes() has them.
__device__ uint64_t segment_sum(const uint32_t* from, uint32_t words, const uint64_t* keys) {
  const bool is_aligned = reinterpret_cast<uintptr_t>(from) % 8 == 0;
  return sum_of_lanes(is_aligned ? lane_sums<true>(from, words, keys)
                                 : lane_sums<false>(from, words, keys));
}

/// The keys in shared memory, once all threads of the block are here.
const __device__ uint64_t* shared_keys(const uint64_t* all_keys) {
  __shared__ uint64_t keys[kSegmentWords + 1];
  for (uint32_t i = threadIdx.x; i <= kSegmentWords; i += kThreads) keys[i] = all_keys[i];
  __syncthreads();
  return keys;
}

/// Adds what the warp's lanes have of both sums.
__device__ void add_sum(RowSum* to, uint64_t sum) {
  const uint32_t lane = threadIdx.x % 32;
  if (lane % 16 == 0) atomicAdd(reinterpret_cast<unsigned long long*>(to) + lane / 16, sum);
}

/// A segment a warp at a time.
__global__ void __launch_bounds__(kThreads)
    sum_rows(const SumJob job, const uint64_t* all_keys, RowSum* to) {
  const uint64_t* keys = shared_keys(all_keys);
  const DeviceRows& rows = job.rows;
  const uint64_t begin = (uint64_t{blockIdx.x} * kWarps + threadIdx.x / 32) * job.share;
  const uint64_t end = min(begin + job.share, uint64_t{rows.rows} * job.segments);
  const uint32_t j = threadIdx.x % 32 / 16;  // of the lane's sum
  uint64_t sum = 0;
  for (uint64_t i = begin; i < end; ++i) {
    const auto y = static_cast<uint32_t>(i / job.segments);
    const auto segment = static_cast<uint32_t>(i % job.segments);
    const uint32_t first = segment * kSegmentWords * 2;
    const uint32_t words = min(rows.row_words() - first, kSegmentWords * 2);
    const uint32_t* row = rows.words + y * rows.stride_words + first;
    sum += placed_sum(segment_sum(row, words, keys), j, rows.first_row + y, segment);
    const bool ends_strip = segment + 1 == job.segments && (y + 1) % job.rows_per_strip == 0;
    if (!ends_strip && i + 1 < end) continue;
    add_sum(to + y / job.rows_per_strip, sum);
    sum = 0;
  }
}

constexpr uint32_t kBlocksPerStrip = 2;  // warps for the segments of a strip of 64 KiB

/// A segment of a coded strip a warp at a time.
__global__ void __launch_bounds__(kThreads)
    sum_coded(const CodedMemory coded, const uint64_t* all_keys, RowSum* to) {
  const uint64_t* keys = shared_keys(all_keys);
  const auto* places = reinterpret_cast<const CodedStrip*>(coded.data + sizeof(CodedIndex));
  const CodedStrip strip = places[blockIdx.x];
  const auto all_words = static_cast<uint32_t>((strip.bytes + 3) / 4);  // what fills the last is 0
  if (strip.offset + uint64_t{all_words} * 4 > coded.capacity) return;
  const auto* from = reinterpret_cast<const uint32_t*>(coded.data + strip.offset);
  const uint32_t j = threadIdx.x % 32 / 16;
  const uint32_t step = kBlocksPerStrip * kWarps;
  uint64_t sum = 0;
  for (uint32_t segment = blockIdx.y * kWarps + threadIdx.x / 32;
       uint64_t{segment} * kSegmentWords * 2 < all_words;
       segment += step) {
    const uint32_t first = segment * kSegmentWords * 2;
    const uint32_t words = min(all_words - first, kSegmentWords * 2);
    const uint64_t own = segment_sum(from + first, words, keys);
    sum += placed_sum(own, j, static_cast<uint32_t>(strip.bytes), segment);
  }
  add_sum(to + blockIdx.x, sum);
}

const uint64_t* keys_on(gpu::Device device) {
  return static_cast<const uint64_t*>(
      gpu::table_on_gpu(device, kSegmentKeys.data(), sizeof kSegmentKeys));
}

}  // namespace

void enqueue_row_sums(const DeviceRows& rows,
                      uint32_t rows_per_strip,
                      RowSum* sums,
                      gpu::Device device,
                      cudaStream_t stream) {
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
              keys_on(device),
              sums);
}

void enqueue_byte_sums(
    CodedMemory coded, uint32_t strips, RowSum* sums, gpu::Device device, cudaStream_t stream) {
  gpu::launch("summing strips",
              sum_coded,
              dim3(strips, kBlocksPerStrip),
              kThreads,
              stream,
              gpu::Start::kAfterPrevious,
              coded,
              keys_on(device),
              sums);
}

}  // namespace mezzo::codec
