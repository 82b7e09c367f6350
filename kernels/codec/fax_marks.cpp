#include "kernels/codec/fax_marks.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/codec/fax_marks.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace mezzo::codec::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Words with the first byte highest, and back.
template <class D>
HWY_INLINE hn::Vec<D> reverse_bytes(D d, hn::Vec<D> v) {
  const hn::Repartition<uint8_t, D> d8;
  alignas(16) static constexpr uint8_t kReversed[16] = {
      7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8};
  return hn::BitCast(d, hn::TableLookupBytes(hn::BitCast(d8, v), hn::LoadDup128(d8, kReversed)));
}

/// Each word by itself.
template <class V>
HWY_INLINE V pixels_of_words(V marks) {
  marks = hn::Xor(marks, hn::ShiftRight<1>(marks));
  marks = hn::Xor(marks, hn::ShiftRight<2>(marks));
  marks = hn::Xor(marks, hn::ShiftRight<4>(marks));
  marks = hn::Xor(marks, hn::ShiftRight<8>(marks));
  marks = hn::Xor(marks, hn::ShiftRight<16>(marks));
  return hn::Xor(marks, hn::ShiftRight<32>(marks));
}

/// Bit i, of 9: whether the number of ones up to it is odd.
HWY_INLINE uint32_t odd_up_to(uint32_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  return bits ^ bits << 8;
}

/// Full vectors alone. `is_odd`, 0 or 1: of the marks before, and then of those up to the end. Rows wait
/// for it from vector to vector, so it takes a single addition.
template <class D>
HWY_INLINE void finish_vector(D d, uint8_t* at, uint32_t& is_odd) {
  const hn::Repartition<uint8_t, D> d8;
  const auto words = pixels_of_words(reverse_bytes(d, hn::BitCast(d, hn::LoadU(d8, at))));
  uint8_t ends[8] = {};  // bit i: word i ends with ink
  hn::StoreMaskBits(d, hn::TestBit(words, hn::Set(d, 1)), ends);
  const uint32_t odd = odd_up_to(ends[0] << 1);
  const uint8_t before[8] = {static_cast<uint8_t>(odd ^ (0 - is_odd))};
  is_odd ^= odd >> hn::Lanes(d) & 1;
  const auto flips = hn::VecFromMask(d, hn::LoadMaskBits(d, before));
  hn::StoreU(hn::BitCast(d8, reverse_bytes(d, hn::Xor(words, flips))), d8, at);
}

void finish_row(uint8_t* row, size_t bytes) {
  const hn::CappedTag<uint64_t, 8> d;
  const hn::CappedTag<uint64_t, 2> pair;
  uint32_t is_odd = 0;
  size_t at = 0;
  for (; at + hn::Lanes(d) * 8 <= bytes; at += hn::Lanes(d) * 8) finish_vector(d, row + at, is_odd);
  while (at < bytes) {
    alignas(16) uint8_t rest[16] = {};
    const size_t count = std::min<size_t>(16, bytes - at);
    std::memcpy(rest, row + at, count);
    finish_vector(pair, rest, is_odd);
    std::memcpy(row + at, rest, count);
    at += count;
  }
}

}  // namespace mezzo::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::codec {

HWY_EXPORT(finish_row);

void marks_to_pixels(uint8_t* row, size_t bytes) {
  HWY_DYNAMIC_DISPATCH(finish_row)(row, bytes);
}

}  // namespace mezzo::codec
#endif
