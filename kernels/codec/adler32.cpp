#include "kernels/codec/adler32.h"

#include <algorithm>
#include <cstddef>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/codec/adler32.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef MEZZOTINT_CODEC_ADLER32_ONCE
#define MEZZOTINT_CODEC_ADLER32_ONCE
namespace mezzo::codec {

/// The sum of the bytes, and the sum of the first after each byte.
struct AdlerSums {
  uint32_t bytes = 1;
  uint32_t sums = 0;
};

/// Both are below it.
constexpr uint32_t kAdlerPrime = 65521;

}  // namespace mezzo::codec
#endif

HWY_BEFORE_NAMESPACE();
namespace mezzo::codec::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Adds whole groups of kGroup vectors; returns how many bytes these were. In a group of n bytes,
/// byte i counts n - i times in the sum of sums. Of column j of the vectors, which has the bytes
/// kGroup - k times from vector k on and j times less, the lanes keep sum_k (kGroup - k) b[k][j] and
/// sum_k b[k][j].
size_t add_groups(const uint8_t* bytes, size_t count, AdlerSums& adler) {
  constexpr uint32_t kGroup = 15;  // 255 * (15 + ... + 1) fits in 15 bits
  const hn::ScalableTag<int16_t> d16;
  const hn::Repartition<int32_t, decltype(d16)> d32;
  const hn::Rebind<uint8_t, decltype(d16)> d8;
  const auto lanes = static_cast<uint32_t>(hn::Lanes(d16));
  const auto column = hn::Iota(d16, 0), one = hn::Set(d16, 1);
  size_t done = 0;
  for (; done + kGroup * lanes <= count; done += kGroup * lanes) {
    auto sum = hn::Zero(d16), weighted = hn::Zero(d16);
    for (uint32_t k = 0; k < kGroup; ++k) {
      sum = hn::Add(sum, hn::PromoteTo(d16, hn::LoadU(d8, bytes + done + k * lanes)));
      weighted = hn::Add(weighted, sum);
    }
    const auto total = [&](auto v, auto weights) {
      auto odd = hn::Zero(d32);
      const auto even = hn::ReorderWidenMulAccumulate(d32, v, weights, hn::Zero(d32), odd);
      return static_cast<uint32_t>(hn::GetLane(hn::SumOfLanes(d32, hn::Add(even, odd))));
    };
    adler.sums += kGroup * lanes * adler.bytes + lanes * total(weighted, one) - total(sum, column);
    adler.sums %= kAdlerPrime;
    adler.bytes = (adler.bytes + total(sum, one)) % kAdlerPrime;
  }
  return done;
}

}  // namespace mezzo::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::codec {

HWY_EXPORT(add_groups);

uint32_t adler32(std::span<const uint8_t> bytes) {
  AdlerSums adler;
  const size_t done = HWY_DYNAMIC_DISPATCH(add_groups)(bytes.data(), bytes.size(), adler);
  // Fewer than a group, which 32 bits hold without a remainder taken.
  for (const uint8_t byte : bytes.subspan(done)) {
    adler.bytes += byte;
    adler.sums += adler.bytes;
  }
  return adler.sums % kAdlerPrime << 16 | adler.bytes % kAdlerPrime;
}

}  // namespace mezzo::codec
#endif  // HWY_ONCE
