#include "kernels/band/coverage.h"
#include "kernels/base/error.h"
#include "kernels/device_chain/gpu/bit_kernels.cuh"
#include "kernels/gpu/launch.cuh"
#include "kernels/gpu/plate_word.cuh"

namespace mezzo::device_chain {
namespace {

constexpr uint32_t kThreads = 256;
constexpr uint32_t kWarp = 32;
constexpr uint32_t kWordsPerWarp = 32;

/// The row and the first of the words of a warp that takes kWordsPerWarp of a row.
struct WarpPlace {
  uint64_t row;
  uint32_t first_word;
};

__device__ WarpPlace warp_place(uint32_t row_words) {
  const uint32_t row_warps = (row_words + kWordsPerWarp - 1) / kWordsPerWarp;
  const uint64_t warp = (uint64_t{blockIdx.x} * kThreads + threadIdx.x) / kWarp;
  return {warp / row_warps, static_cast<uint32_t>(warp % row_warps) * kWordsPerWarp};
}

dim3 blocks_for(uint32_t row_words, uint32_t rows) {
  const uint64_t row_warps = (row_words + kWordsPerWarp - 1) / kWordsPerWarp;
  return dim3(static_cast<uint32_t>((row_warps * rows * kWarp + kThreads - 1) / kThreads));
}

__device__ uint32_t sum_of_warp(uint32_t value) {
  return __reduce_add_sync(UINT32_MAX, value);
}

__device__ void add(uint64_t* to, uint32_t value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(to), value);
}

/// A pixel a thread, word by word.
__global__ void protect_words(const gpu::DeviceBand band,
                              const prepress::Protect protect,
                              prepress::Protection* counts) {
  const WarpPlace place = warp_place(band.row_words());
  if (place.row >= band.rows) return;
  const auto row = static_cast<uint32_t>(place.row);
  const uint32_t lane = threadIdx.x % kWarp;
  uint32_t paper_px = 0, solid_px = 0, mended_px = 0;
#pragma unroll 1
  for (uint32_t i = 0; i < kWordsPerWarp; ++i) {
    const uint32_t word = place.first_word + i, x = word * 32 + lane;
    if (word >= band.row_words()) break;
    const int tone = x < band.width_px ? band.tone(x, row) : -1;
    const uint32_t paper = __brev(__ballot_sync(UINT32_MAX, protect.paper && tone == 0));
    const uint32_t solid =
        __brev(__ballot_sync(UINT32_MAX, protect.solid && tone == static_cast<int>(kSolid)));
    if ((paper | solid) == 0) continue;
    uint32_t* at = band.words + uint64_t{row} * band.row_words() + word;
    const uint32_t bits = gpu::plate_word(*at);
    const uint32_t right = (bits & ~paper) | solid;
    __syncwarp();
    if (lane == 0) *at = gpu::plate_word(right);
    paper_px += static_cast<uint32_t>(__popc(static_cast<int>(paper)));
    solid_px += static_cast<uint32_t>(__popc(static_cast<int>(solid)));
    mended_px += static_cast<uint32_t>(__popc(static_cast<int>(bits ^ right)));
  }
  if (lane != 0 || (paper_px | solid_px) == 0) return;
  add(&counts->paper_px, paper_px);
  add(&counts->solid_px, solid_px);
  add(&counts->mended_px, mended_px);
}

/// A word a thread. The order of bits is the same in both, and of no matter.
__global__ void lay_over_words(const gpu::DeviceBand band,
                               const prepress::Overlay overlay,
                               const uint32_t* linework,
                               uint64_t* linework_px) {
  const WarpPlace place = warp_place(band.row_words());
  if (place.row >= band.rows) return;
  const uint32_t word = place.first_word + threadIdx.x % kWarp;
  uint32_t work = 0;
  if (word < band.row_words()) {
    const uint64_t at = place.row * band.row_words() + word;
    const uint32_t inside = min(band.width_px - word * 32, 32U);
    work = linework[at] & gpu::plate_word(UINT32_MAX << (32 - inside));
    if (work != 0) {
      band.words[at] =
          overlay == prepress::Overlay::kPrint ? band.words[at] | work : band.words[at] & ~work;
    }
  }
  const uint32_t ink = sum_of_warp(static_cast<uint32_t>(__popc(static_cast<int>(work))));
  if (threadIdx.x % kWarp == 0 && ink > 0) add(linework_px, ink);
}

/// Bits [first, first + 32) of a row, the first in the highest bit; 0 beyond the row.
__device__ uint32_t pixels(const uint32_t* row, uint32_t row_words, int64_t first) {
  const int64_t word = first >> 5;
  const auto at = [&](int64_t i) { return i >= 0 && i < row_words ? gpu::plate_word(row[i]) : 0U; };
  return __funnelshift_l(at(word + 1), at(word), static_cast<uint32_t>(first & 31));
}

/// The last pixel of a word first.
__device__ uint32_t reversed(uint32_t bits, uint32_t bits_per_px) {
  bits = __brev(bits);
  if (bits_per_px > 1) bits = (bits >> 1 & 0x55555555U) | (bits & 0x55555555U) << 1;
  if (bits_per_px > 2) bits = (bits >> 2 & 0x33333333U) | (bits & 0x33333333U) << 2;
  return bits;
}

/// Adds the pixels of each value that the warp's words have where `inside` is set: a lane a value.
__device__ void count_values(uint32_t bits,
                             uint32_t inside,
                             uint32_t bits_per_px,
                             uint64_t* pixels) {
  const uint32_t lane = threadIdx.x % kWarp;
  uint32_t own = 0;
#pragma unroll 1
  for (uint32_t value = 0; value < counts_of(bits_per_px); ++value) {
    const uint32_t marks = gpu::pixels_of_value(bits, bits_per_px, value) & inside;
    const uint32_t sum = sum_of_warp(static_cast<uint32_t>(__popc(static_cast<int>(marks))));
    if (lane == value) own = sum;
  }
  if (own > 0) add(&pixels[lane], own);
}

/// A word a thread.
__global__ void finish_words(const FinishedRows rows,
                             const prepress::Finish finish,
                             uint64_t* counts) {
  const WarpPlace place = warp_place(rows.row_words());
  if (place.row >= rows.rows) return;
  const uint32_t word = place.first_word + threadIdx.x % kWarp;
  uint32_t bits = 0, inside = 0;
  if (word < rows.row_words()) {
    const uint32_t* from = rows.from + place.row * rows.row_words();
    inside = UINT32_MAX << (32 - min(rows.row_bits() - word * 32, 32U));
    if (finish.mirror) {
      const int64_t first = int64_t{rows.row_bits()} - 32 - int64_t{word} * 32;
      bits = reversed(pixels(from, rows.row_words(), first), rows.bits_per_px);
    } else {
      bits = gpu::plate_word(from[word]);
    }
    if (finish.negative) bits = ~bits & inside;
    if (finish.mirror || finish.negative)
      rows.to[place.row * rows.row_words() + word] = gpu::plate_word(bits);
  }
  counts += place.row / rows.rows_per_strip * counts_of(rows.bits_per_px);
  if (rows.bits_per_px > 1) {
    count_values(bits, inside, rows.bits_per_px, counts);
    return;
  }
  const uint32_t ink = sum_of_warp(static_cast<uint32_t>(__popc(static_cast<int>(bits))));
  if (threadIdx.x % kWarp == 0 && ink > 0) add(counts, ink);
}

__global__ void send_either(const codec::CodedMemory coded, const DeviceBytes raw, uint4* to) {
  const uint64_t coded_bytes = reinterpret_cast<const codec::CodedIndex*>(coded.data)->bytes;
  const bool fits = coded_bytes <= coded.capacity;
  const auto* from = static_cast<const uint4*>(fits ? coded.data : raw.data);
  const uint64_t pieces = ((fits ? coded_bytes : raw.bytes) + sizeof(uint4) - 1) / sizeof(uint4);
  const uint64_t step = uint64_t{gridDim.x} * kThreads;
  for (uint64_t i = uint64_t{blockIdx.x} * kThreads + threadIdx.x; i < pieces; i += step) {
    to[i] = from[i];
  }
}

/// Where the GPU sees page-locked memory of the host.
void* on_gpu(std::byte* memory) {
  void* alias = nullptr;
  if (cudaHostGetDevicePointer(&alias, memory, 0) == cudaSuccess) return alias;
  (void)cudaGetLastError();
  throw Error(ErrorKind::kOutOfMemory, "no more memory can be locked for the GPU");
}

}  // namespace

void enqueue_protect(const gpu::DeviceBand& band,
                     prepress::Protect protect,
                     prepress::Protection* counts,
                     cudaStream_t stream) {
  gpu::launch("protecting paper and solids",
              protect_words,
              blocks_for(band.row_words(), band.rows),
              kThreads,
              stream,
              gpu::Start::kAfterPrevious,
              band,
              protect,
              counts);
}

void enqueue_lay_over(const gpu::DeviceBand& band,
                      prepress::Overlay overlay,
                      const uint32_t* linework,
                      uint64_t* linework_px,
                      cudaStream_t stream) {
  gpu::launch("laying line work over a plate",
              lay_over_words,
              blocks_for(band.row_words(), band.rows),
              kThreads,
              stream,
              gpu::Start::kAfterPrevious,
              band,
              overlay,
              linework,
              linework_px);
}

void enqueue_finish(const FinishedRows& rows,
                    prepress::Finish finish,
                    uint64_t* pixels,
                    cudaStream_t stream) {
  gpu::launch("finishing a plate",
              finish_words,
              blocks_for(rows.row_words(), rows.rows),
              kThreads,
              stream,
              gpu::Start::kAfterPrevious,
              rows,
              finish,
              pixels);
}

void enqueue_send(const codec::CodedMemory& coded,
                  const DeviceBytes& raw,
                  std::byte* to,
                  cudaStream_t stream) {
  constexpr uint32_t kBlocks = 32;  // enough for the bus; the rest is left to other planes
  gpu::launch("sending strips",
              send_either,
              kBlocks,
              kThreads,
              stream,
              gpu::Start::kAfterPrevious,
              coded,
              raw,
              static_cast<uint4*>(on_gpu(to)));
}

}  // namespace mezzo::device_chain
