// Packed rows to words, and back to the order of bits in a file; compiled once for each SIMD
// target.

#if defined(MEZZOTINT_CODEC_FAX_WORDS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MEZZOTINT_CODEC_FAX_WORDS_INL_H
#undef MEZZOTINT_CODEC_FAX_WORDS_INL_H
#else
#define MEZZOTINT_CODEC_FAX_WORDS_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/codec/fax_row.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::codec::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using ByteTag = hn::CappedTag<uint8_t, 64>;
using Bytes = hn::Vec<ByteTag>;
constexpr size_t kVectorBytes = hn::MaxLanes(ByteTag());
static_assert(kVectorBytes >= 16, "tables of 16 bytes fit; HWY_SCALAR is not supported");

/// The bits of each byte in reverse.
HWY_INLINE Bytes turned_bytes(Bytes bytes) {
  const ByteTag d;
  alignas(16) static constexpr uint8_t kLow[16] = {0x00,
                                                   0x80,
                                                   0x40,
                                                   0xC0,
                                                   0x20,
                                                   0xA0,
                                                   0x60,
                                                   0xE0,
                                                   0x10,
                                                   0x90,
                                                   0x50,
                                                   0xD0,
                                                   0x30,
                                                   0xB0,
                                                   0x70,
                                                   0xF0};
  alignas(16) static constexpr uint8_t kHigh[16] = {
      0x0, 0x8, 0x4, 0xC, 0x2, 0xA, 0x6, 0xE, 0x1, 0x9, 0x5, 0xD, 0x3, 0xB, 0x7, 0xF};
  const auto low = hn::TableLookupBytes(hn::LoadDup128(d, kLow), hn::And(bytes, hn::Set(d, 15)));
  return hn::Or(low, hn::TableLookupBytes(hn::LoadDup128(d, kHigh), hn::ShiftRight<4>(bytes)));
}

/// Turns the bytes of a finished strip, in place; as many as a vector has may be changed behind
/// them.
HWY_INLINE void turn_bytes(uint8_t* begin, const uint8_t* end) {
  const ByteTag d;
  for (; begin < end; begin += kVectorBytes) {
    hn::StoreU(turned_bytes(hn::LoadU(d, begin)), d, begin);
  }
}

/// Whether a packed row is paper. Padding bits must be 0.
HWY_INLINE bool is_paper(const uint8_t* row, size_t bytes) {
  const ByteTag d;
  constexpr size_t kStep = 4 * kVectorBytes;
  size_t i = 0;
  for (; i + kStep <= bytes; i += kStep) {
    const auto first = hn::Or(hn::LoadU(d, row + i), hn::LoadU(d, row + i + kVectorBytes));
    const auto second =
        hn::Or(hn::LoadU(d, row + i + 2 * kVectorBytes), hn::LoadU(d, row + i + 3 * kVectorBytes));
    if (!hn::AllTrue(d, hn::Eq(hn::Or(first, second), hn::Zero(d)))) return false;
  }
  uint64_t rest = 0;
  for (; i + 8 <= bytes; i += 8) {
    uint64_t word;
    std::memcpy(&word, row + i, 8);
    rest |= word;
  }
  for (; i < bytes; ++i) rest |= row[i];
  return rest == 0;
}

/// Turns a packed row into words. Returns whether it is paper.
HWY_INLINE bool load_row(const uint8_t* packed, uint32_t width, FaxRow& row) {
  const ByteTag d;
  const size_t bytes = (size_t{width} + 7) / 8;
  uint64_t* const words = row.pixels();
  auto* const to = reinterpret_cast<uint8_t*>(words);
  auto any = hn::Zero(d);
  size_t i = 0;
  for (; i + kVectorBytes <= bytes; i += kVectorBytes) {
    const auto v = hn::LoadU(d, packed + i);
    any = hn::Or(any, v);
    hn::StoreU(turned_bytes(v), d, to + i);
  }
  HWY_ALIGN uint8_t last[kVectorBytes] = {};
  std::memcpy(last, packed + i, bytes - i);
  const auto v = hn::Load(d, last);
  hn::StoreU(turned_bytes(v), d, to + i);

  const size_t full = width / 64;
  const uint64_t behind = ~uint64_t{0} << width % 64;
  const uint64_t end = (words[(width - 1) / 64] >> (width - 1) % 64 & 1) != 0 ? 0 : ~uint64_t{0};
  words[full] = (words[full] & ~behind) | (end & behind);
  std::fill(words + full + 1, words + row.words(), end);
  return hn::AllTrue(d, hn::Eq(hn::Or(any, v), hn::Zero(d)));
}

}  // namespace mezzo::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
