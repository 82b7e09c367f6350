#include "kernels/codec/row_sum.h"

#include <algorithm>
#include <bit>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/codec/row_sum.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef MEZZOTINT_CODEC_ROW_SUM_ONCE
#define MEZZOTINT_CODEC_ROW_SUM_ONCE
namespace mezzo::codec {

/// The keys of words for each of the two sums, where vectors can be loaded whole.
struct AlignedKeys {
  alignas(64) uint64_t of[2][kSegmentWords];
};
inline constexpr AlignedKeys kKeys = [] {
  AlignedKeys keys{};
  for (size_t i = 0; i < kSegmentWords; ++i) {
    keys.of[0][i] = kSegmentKeys[i];
    keys.of[1][i] = kSegmentKeys[i + 1];
  }
  return keys;
}();

}  // namespace mezzo::codec
#endif

HWY_BEFORE_NAMESPACE();
namespace mezzo::codec::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Words = hn::ScalableTag<uint64_t>;
using WordVector = hn::Vec<Words>;

/// word_product() of each lane.
HWY_INLINE WordVector products(WordVector words, const uint64_t* keys) {
  const hn::Repartition<uint32_t, Words> halves;
  const auto sums =
      hn::Add(hn::BitCast(halves, words), hn::BitCast(halves, hn::Load(Words(), keys)));
  const auto high = hn::ShiftRight<32>(hn::BitCast(Words(), sums));
  return hn::MulEven(sums, hn::BitCast(halves, high));
}

/// Adds a vector of words, from word `word` of the segment on, to the lanes of its two sums.
HWY_INLINE void add_words(const uint8_t* data, size_t word, WordVector& first, WordVector& second) {
  const hn::Repartition<uint8_t, Words> bytes;
  const auto words = hn::BitCast(Words(), hn::LoadU(bytes, data + word * 8));
  first = hn::Add(first, products(words, &kKeys.of[0][word]));
  second = hn::Add(second, products(words, &kKeys.of[1][word]));
}

/// The two sums of `bytes` of a row, at most a segment.
RowSum segment_sums(const uint8_t* data, size_t bytes) {
  const Words d;
  const size_t lanes = hn::Lanes(d);
  auto first = hn::Zero(d), second = hn::Zero(d), more_first = hn::Zero(d),
       more_second = hn::Zero(d);
  size_t word = 0;
  for (; (word + 2 * lanes) * 8 <= bytes; word += 2 * lanes) {
    add_words(data, word, first, second);
    add_words(data, word + lanes, more_first, more_second);
  }
  first = hn::Add(first, more_first);
  second = hn::Add(second, more_second);
  RowSum sums = {hn::GetLane(hn::SumOfLanes(d, first)), hn::GetLane(hn::SumOfLanes(d, second))};
  for (; word * 8 < bytes; ++word) {
    uint64_t last = 0;
    std::memcpy(&last, data + word * 8, std::min<size_t>(bytes - word * 8, 8));
    sums += {word_product(last, kSegmentKeys[word]), word_product(last, kSegmentKeys[word + 1])};
  }
  return sums;
}

RowSum sum_row(const uint8_t* data, size_t row_bytes, uint32_t row) {
  constexpr size_t kSegmentBytes = size_t{kSegmentWords} * 8;
  RowSum sum;
  uint32_t segment = 0;
  for (size_t at = 0; at < row_bytes; at += kSegmentBytes, ++segment) {
    const RowSum sums = segment_sums(data + at, std::min(row_bytes - at, kSegmentBytes));
    sum += {placed_sum(sums.first, 0, row, segment), placed_sum(sums.second, 1, row, segment)};
  }
  return sum;
}

RowSum sum_rows(const BitBand& rows) {
  const size_t row_bytes = bit_row_bytes(rows.width_px, rows.bits_per_px);
  RowSum sum;
  for (uint32_t i = 0; i < rows.rows; ++i) {
    sum += sum_row(rows.row(i), row_bytes, rows.first_row + i);
  }
  return sum;
}

}  // namespace mezzo::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::codec {

HWY_EXPORT(sum_row);
HWY_EXPORT(sum_rows);

static_assert(std::endian::native == std::endian::little, "words are read as they lie in memory");

/// Damage of one half of a word changes one of its two products at least.
constexpr bool neighbours_differ() {
  for (size_t i = 0; i + 1 < kSegmentKeys.size(); ++i) {
    const uint64_t differing = kSegmentKeys[i] ^ kSegmentKeys[i + 1];
    if (static_cast<uint32_t>(differing) == 0 || differing >> 32 == 0) return false;
  }
  return true;
}
static_assert(neighbours_differ());

RowSum row_sum(const BitBand& rows) {
  return HWY_DYNAMIC_DISPATCH(sum_rows)(rows);
}

RowSum byte_sum(std::span<const std::byte> bytes) {
  return HWY_DYNAMIC_DISPATCH(sum_row)(reinterpret_cast<const uint8_t*>(bytes.data()),
                                       bytes.size(),
                                       static_cast<uint32_t>(bytes.size()));
}

std::string RowSum::hex() const {
  std::string digits;
  for (const uint64_t half : {first, second}) {
    for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[half >> shift & 15];
  }
  return digits;
}

}  // namespace mezzo::codec
#endif  // HWY_ONCE
