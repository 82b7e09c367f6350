#include "kernels/codec/deflate_estimate.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "kernels/codec/deflate_segments.h"

namespace mezzo::codec {
namespace {

constexpr size_t kSampleBytes = 4096, kSampleRow = 256;

/// Pieces of 64 bytes from 4 columns of 4 rows at each of 4 heights, a row of kSampleRow for each.
/// Small rows are taken together.
std::vector<uint8_t> sample_of(std::span<const uint8_t> rows, size_t row_bytes) {
  constexpr size_t kPiece = 64, kColumns = kSampleRow / kPiece, kHeights = 4;
  constexpr size_t kRows = kSampleBytes / kSampleRow / kHeights;
  if (row_bytes < kSampleRow || rows.size() / row_bytes < kHeights * kRows) row_bytes = kSampleRow;
  const size_t height = rows.size() / row_bytes;
  std::vector<uint8_t> sample;
  sample.reserve(kSampleBytes);
  for (size_t i = 0; i < kHeights * kRows * kColumns; ++i) {
    const size_t place = i / kColumns / kRows, row = i / kColumns % kRows, column = i % kColumns;
    const size_t y = (height - kRows) * place / (kHeights - 1) + row;
    const size_t x = (row_bytes - kPiece) * column / (kColumns - 1);
    const auto piece = rows.subspan(y * row_bytes + x, kPiece);
    sample.insert(sample.end(), piece.begin(), piece.end());
  }
  return sample;
}

/// [n]: 16 log2(n), rounded down.
constexpr auto kLog2 = [] {
  std::array<uint8_t, kSampleBytes + 1> table{};
  for (uint32_t n = 1; n <= kSampleBytes; ++n) {
    const auto whole = static_cast<uint32_t>(std::bit_width(n)) - 1;
    uint32_t log = whole;
    uint64_t mantissa = uint64_t{n} << (31 - whole);  // 2^31 is 1
    for (int digit = 0; digit < 4; ++digit) {
      mantissa = mantissa * mantissa >> 31;
      const uint32_t carry = mantissa >> 32 != 0;
      mantissa >>= carry;
      log = 2 * log + carry;
    }
    table[n] = static_cast<uint8_t>(log);
  }
  return table;
}();

/// In 16ths of a bit, of each byte value in a Huffman code for these literals.
std::array<uint32_t, 256> literal_costs(std::span<const Segment> segments) {
  LiteralCounts counts;
  size_t literals = 0;
  for (const Segment& segment : segments) {
    counts.add(segment.literals);
    literals += segment.literals.size();
  }
  std::array<uint32_t, 256> costs{};
  for (size_t s = 0; s < costs.size(); ++s) {
    costs[s] = std::max<uint32_t>(16, uint32_t{kLog2[literals]} - kLog2[counts[s]]);
  }
  return costs;
}

uint32_t load32(const uint8_t* bytes) {
  uint32_t four;
  std::memcpy(&four, bytes, 4);
  return four;
}

/// 16ths of bits that matches would save among the literals of a sample.
uint64_t saved_by_matches(std::span<const uint8_t> sample) {
  constexpr uint32_t kMatchCost = 16 * 18;  // of a length and a distance
  const std::vector<Segment> segments = deflate_segments(sample, kSampleRow);
  const std::array<uint32_t, 256> costs = literal_costs(segments);
  std::array<uint16_t, 2048> latest{};  // place of four bytes, by their hash
  uint64_t saved = 0;
  for (const Segment& segment : segments) {
    const uint8_t* at = segment.literals.data();
    const uint8_t* const end = at + segment.literals.size();
    while (end - at >= 4) {
      const uint32_t four = load32(at);
      const auto place = static_cast<uint16_t>(at - sample.data());
      const uint8_t* before = &sample[std::exchange(latest[four * 0x9E3779B1U >> 21], place)];
      uint32_t cost = 0;
      const uint8_t* match = at;
      if (before < at && load32(before) == four) {
        for (; match != end && *match == *before; ++match, ++before) cost += costs[*match];
      }
      saved += cost > kMatchCost ? cost - kMatchCost : 0;
      at = cost > kMatchCost ? match : at + 1;
    }
  }
  return saved;
}

}  // namespace

bool matches_hardly_pay(std::span<const uint8_t> rows, size_t row_bytes) {
  if (rows.size() < kSampleBytes) return false;
  const std::vector<uint8_t> sample = sample_of(rows, row_bytes);
  constexpr uint64_t kWorthIt = 64;  // one part in so many
  return saved_by_matches(sample) < 16 * 8 * sample.size() / kWorthIt;
}

}  // namespace mezzo::codec
