// A directory of a TIFF file as libtiff is to see it: the tags alone that decoding takes, with the values
// that we read of them.
//
// libtiff reads the values of every tag into memory, known or not, and each decoder has a handle of its
// own. Programs leave XMP packets of many MiB and whole layered pictures in tags, a small file may have
// thousands of tags that share the same bytes, and a tag that means nothing here may be broken. So libtiff
// is shown none of them. Internal to stages/tiff.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "stages/tiff/tags.h"

namespace mezzo::tiff {

/// A tag of one number, as it was read.
struct ShownNumber {
  uint16_t tag = 0;
  uint32_t value = 0;

  bool operator==(const ShownNumber&) const = default;
};

/// A directory in the place of that in the file.
class LeanDirectory {
 public:
  LeanDirectory() = default;

  /// The directory of `tags` with those alone of `numbers` and `tables` that it has. A number is stored anew; a
  /// table, which may be large, stays as it is in the file.
  LeanDirectory(const Tags& tags,
                std::vector<ShownNumber> numbers,
                std::span<const uint16_t> tables);

  uint64_t offset() const { return offset_; }
  std::span<const ShownNumber> numbers() const { return numbers_; }

  /// Puts those of its bytes into `to` that belong there, which was read from `at` on.
  void overlay(uint64_t at, std::span<std::byte> to) const;

 private:
  uint64_t offset_ = 0;
  std::vector<ShownNumber> numbers_;
  std::vector<std::byte> bytes_;
};

}  // namespace mezzo::tiff
