// A row of pixels as words, for coding many columns at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mezzo::codec {

/// Words as the widest vectors load them.
struct alignas(64) WordLine {
  static constexpr size_t kWords = 8;
  uint64_t words[kWords] = {};
};

/// 64 columns a word, a column further right in a higher bit. From column `width` on, all pixels
/// are the opposite of the last one: so a row ends with a change, the one that T.6 imagines there.
class FaxRow {
 public:
  /// A row of paper.
  explicit FaxRow(uint32_t width)
      : pixels_(width / 64 / WordLine::kWords + 3), changes_(pixels_.size()) {
    for (size_t i = width / 64; i < words(); ++i) pixels()[i] = ~uint64_t{0};
    pixels()[width / 64] <<= width % 64;
    changes()[width / 64] = uint64_t{1} << width % 64;
  }

  /// Whole lines, with column `width`. The words beside them may be read.
  size_t words() const { return (pixels_.size() - 2) * WordLine::kWords; }
  uint64_t* pixels() { return pixels_[1].words; }
  const uint64_t* pixels() const { return pixels_[1].words; }

  /// Columns whose pixel differs from the one to the left, which is paper left of the row.
  uint64_t* changes() { return changes_[1].words; }
  const uint64_t* changes() const { return changes_[1].words; }

 private:
  std::vector<WordLine> pixels_;
  std::vector<WordLine> changes_;
};

}  // namespace mezzo::codec
