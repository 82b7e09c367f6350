// A row of pixels as words, for coding many columns at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mezzo::codec {

/// 64 columns a word, a column further right in a higher bit. From column `width` on, all pixels are
/// the opposite of the last one: so a row ends with a change, the one that T.6 imagines there.
class FaxRow {
 public:
  /// Words that are decided at once at most, and as many that may be read on both sides of a row.
  static constexpr size_t kMostLanes = 8;

  /// A row of paper.
  explicit FaxRow(uint32_t width)
      : words_((size_t{width} / 64 / kMostLanes + 1) * kMostLanes),
        pixels_(words_ + 2 * kMostLanes),
        changes_(words_ + 2 * kMostLanes) {
    for (size_t i = size_t{width} / 64; i < words_; ++i) pixels()[i] = ~uint64_t{0};
    pixels()[width / 64] <<= width % 64;
    changes()[width / 64] = uint64_t{1} << width % 64;
  }

  size_t words() const { return words_; }  ///< a multiple of kMostLanes, with column `width`
  uint64_t* pixels() { return pixels_.data() + kMostLanes; }
  const uint64_t* pixels() const { return pixels_.data() + kMostLanes; }

  /// Columns whose pixel differs from the one to the left, which is paper left of the row.
  uint64_t* changes() { return changes_.data() + kMostLanes; }
  const uint64_t* changes() const { return changes_.data() + kMostLanes; }

 private:
  size_t words_;
  std::vector<uint64_t> pixels_;
  std::vector<uint64_t> changes_;
};

}  // namespace mezzo::codec
