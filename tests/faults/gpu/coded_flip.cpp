#include "tests/faults/gpu/coded_flip.h"

#ifdef MEZZOTINT_HAS_CUDA

#include <cuda_runtime_api.h>

#include <cstring>
#include <optional>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/codec/gpu/gpu_row_sum.cuh"

namespace mezzo::test {
namespace {

struct Wanted {
  FlipTime time;
  uint32_t strip;  ///< of those that are still to come
  uint64_t seed;
};
std::optional<Wanted> wanted;

/// Flips the bit if its strip is among these. Strips that did not fit come down as rows.
void flip_in(codec::CodedMemory coded, uint32_t strips, cudaStream_t stream) {
  if (wanted->strip >= strips) {
    wanted->strip -= strips;
    return;
  }
  gpu::check(cudaStreamSynchronize(stream), "coding strips");
  const auto fetch = [](void* to, const std::byte* from, size_t bytes) {
    gpu::check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "fetching coded bytes");
  };
  codec::CodedIndex index;
  fetch(&index, coded.data, sizeof index);
  MZ_ASSERT(index.bytes <= coded.capacity);
  codec::CodedStrip place;
  fetch(&place, coded.data + sizeof index + wanted->strip * sizeof place, sizeof place);
  const uint64_t bit = wanted->seed % (8 * place.bytes);
  std::byte* const at = coded.data + place.offset + bit / 8;
  std::byte byte;
  fetch(&byte, at, 1);
  byte ^= static_cast<std::byte>(0x80U >> bit % 8);
  gpu::check(cudaMemcpy(at, &byte, 1, cudaMemcpyHostToDevice), "flipping a bit");
  wanted.reset();
}

}  // namespace

CodedFlip::CodedFlip(FlipTime time, uint32_t strip, uint64_t seed) {
  wanted = {time, strip, seed};
}
CodedFlip::~CodedFlip() {
  wanted.reset();
}

}  // namespace mezzo::test

// codec::enqueue_byte_sums(), which the linker calls by these names (--wrap).
#define MZ_BYTE_SUMS(NAME) \
  NAME##_ZN5mezzo5codec17enqueue_byte_sumsENS0_11CodedMemoryEjPNS0_6RowSumENS_3gpu6DeviceEP11CUstream_st

extern "C" void MZ_BYTE_SUMS(__real_)(mezzo::codec::CodedMemory coded,
                                      uint32_t strips,
                                      mezzo::codec::RowSum* sums,
                                      mezzo::gpu::Device device,
                                      cudaStream_t stream);

extern "C" void MZ_BYTE_SUMS(__wrap_)(mezzo::codec::CodedMemory coded,
                                      uint32_t strips,
                                      mezzo::codec::RowSum* sums,
                                      mezzo::gpu::Device device,
                                      cudaStream_t stream) {
  using mezzo::test::FlipTime;
  using mezzo::test::wanted;
  const bool first = wanted && wanted->time == FlipTime::kBeforeSum;
  const bool then = wanted && wanted->time == FlipTime::kAfterSum;
  if (first) mezzo::test::flip_in(coded, strips, stream);
  MZ_BYTE_SUMS(__real_)(coded, strips, sums, device, stream);
  if (then) mezzo::test::flip_in(coded, strips, stream);
}

#else

mezzo::test::CodedFlip::CodedFlip(FlipTime, uint32_t, uint64_t) {}
mezzo::test::CodedFlip::~CodedFlip() = default;

#endif
