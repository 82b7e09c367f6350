// A digest of packed rows that may be summed in any order and on any machine: by rows, strips,
// bands or planes, on the CPU or on a GPU, and always the same.
//
// A row's bytes are taken as 64-bit words in little-endian order (byte i of a word weighs 256^i),
// the last word filled up with zero bytes. Padding bits are 0, as BitBand promises, and strides do
// not matter. A segment is up to 512 words of a row. Each segment has two sums modulo 2^64,
//
//   sum[j] = sum over words w of (low + low of key[w + j]) * (high + high of key[w + j]),  j = 0, 1
//
// where low and high are the halves of the word, additions are modulo 2^32 and the products have 64
// bits. The digest adds up what mixed() makes of each of them and of its place on the page.
//
// How strong it is. The sums are NH of Black, Halevi, Krawczyk, Krovetz and Rogaway (UMAC: Fast and
// Secure Message Authentication, 1999): with random keys any two different segments have the same
// sum with a chance of at most 2^-32, and both sums, whose keys are shifted by a word, at most
// 2^-64. The chance that damage of several segments cancels out in the digest's two additions is
// 2^-64 for each of them. Damage within 32 pixels, those of one half of a word, is always found: the
// products change unless the other half annihilates both, for which both keys would have to be
// alike. Keys are fixed, and so this is no defence against forgery.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "kernels/band/bands.h"
#include "kernels/base/host_device.h"

namespace mezzo::codec {

/// 128 bits. A value of its own for each set of rows; zero for no rows.
struct RowSum {
  uint64_t first = 0;
  uint64_t second = 0;

  MZ_HD constexpr RowSum& operator+=(const RowSum& other) {
    first += other.first;
    second += other.second;
    return *this;
  }
  bool operator==(const RowSum&) const = default;

  /// 32 lower-case hexadecimal digits.
  std::string hex() const;
};

/// The sum of rows at their places on the page, first_row and after.
RowSum row_sum(const BitBand& rows);

/// The digest of other bytes, fewer than 4 GiB, such as a coded strip: that of one row of them, whose place
/// is their number, so that zeros at the end count.
RowSum byte_sum(std::span<const std::byte> bytes);

// The parts of it that a GPU computes as well.

inline constexpr uint32_t kSegmentWords = 512;

/// The end of Steele, Lea and Flood's splitmix64, a permutation: all bits depend on all bits.
MZ_HD constexpr uint64_t mixed(uint64_t z) {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
  z = (z ^ z >> 27) * 0x94D049BB133111EBU;
  return z ^ z >> 31;
}

/// The numbers of splitmix64 from seed 0 on.
MZ_HD constexpr uint64_t sum_key(uint64_t i) {
  return mixed((i + 1) * 0x9E3779B97F4A7C15U);
}

/// Keys of the words of a segment, and one more for the last word's second sum.
inline constexpr std::array<uint64_t, kSegmentWords + 1> kSegmentKeys = [] {
  std::array<uint64_t, kSegmentWords + 1> keys{};
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = sum_key(i);
  return keys;
}();

/// What a word adds to a sum of its segment.
MZ_HD constexpr uint64_t word_product(uint64_t word, uint64_t key) {
  const auto low = static_cast<uint32_t>(word) + static_cast<uint32_t>(key);
  const auto high = static_cast<uint32_t>(word >> 32) + static_cast<uint32_t>(key >> 32);
  return uint64_t{low} * high;
}

/// What sum j of the segment of that number in a row of the page adds to the digest.
MZ_HD constexpr uint64_t placed_sum(uint64_t sum, uint32_t j, uint32_t row, uint32_t segment) {
  const uint64_t place = uint64_t{row} << 32 | segment;
  return mixed(sum + sum_key(2 * place + j));
}

}  // namespace mezzo::codec
