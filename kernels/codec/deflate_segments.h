// Rows cut where Deflate's matches pay without a search: runs of one byte, and what repeats the row
// above. That is the blank paper of a plate, its solids and the sides of its type.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace mezzo::codec {

/// Literals, and bytes behind them that repeat the byte before each, or the row above.
struct Segment {
  std::span<const uint8_t> literals;
  size_t repeated = 0;
  bool from_row = false;
};

/// The farthest that Deflate can look back, in bytes.
inline constexpr size_t kFarthestRow = 32768;

/// The segments that make up these rows. Matches have at least 8 bytes; none is from the row above where
/// that is farther than kFarthestRow.
std::vector<Segment> deflate_segments(std::span<const uint8_t> rows, size_t row_bytes);

/// How often each byte occurs.
class LiteralCounts {
 public:
  void add(std::span<const uint8_t> bytes) {
    size_t i = 0;
    for (; i + 8 <= bytes.size(); i += 8) {
      uint64_t eight;
      std::memcpy(&eight, &bytes[i], 8);
      for (size_t k = 0; k < 8; ++k) ++tables_[k % 4][eight >> 8 * k & 0xFF];
    }
    for (; i < bytes.size(); ++i) ++tables_[0][bytes[i]];
  }
  uint32_t operator[](size_t byte) const {
    return tables_[0][byte] + tables_[1][byte] + tables_[2][byte] + tables_[3][byte];
  }

 private:
  // Four: a byte need not wait for the count of its like before it.
  std::array<std::array<uint32_t, 256>, 4> tables_{};
};

}  // namespace mezzo::codec
