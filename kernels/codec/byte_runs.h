// Where the bytes of a strip repeat those at one distance before them: the byte before, or the row above.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mezzo::codec {

/// A mark for each byte that equals the one `distance` before it; the first `distance` have none.
class ByteRuns {
 public:
  /// `distance` is not 0.
  ByteRuns(std::span<const uint8_t> bytes, size_t distance);

  /// The marks of bytes 64 * word and following, the first in the lowest bit.
  uint64_t marks(size_t word) const { return marks_[word]; }
  size_t words() const { return marks_.size(); }

  /// The first byte from `at` on that is marked, or is not; the number of bytes where
  /// there is none. `at` is at most that number.
  size_t find_marked(size_t at) const { return find(at, 0); }
  size_t find_unmarked(size_t at) const { return find(at, UINT64_MAX); }

  /// Takes the mark of a byte.
  void unmark(size_t at) { marks_[at / 64] &= ~(uint64_t{1} << at % 64); }

 private:
  /// The first byte whose mark is not the one that `same` repeats.
  size_t find(size_t at, uint64_t same) const {
    size_t word = at / 64;
    if (word == marks_.size()) return size_;
    uint64_t wanted = (marks_[word] ^ same) & UINT64_MAX << at % 64;
    while (wanted == 0 && ++word < marks_.size()) wanted = marks_[word] ^ same;
    if (wanted == 0) return size_;
    const size_t found = word * 64 + static_cast<size_t>(std::countr_zero(wanted));
    return found < size_ ? found : size_;
  }

  size_t size_;
  std::vector<uint64_t> marks_;
};

}  // namespace mezzo::codec
