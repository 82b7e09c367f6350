// The chain of directories of a TIFF file, walked once with plain reads, before libtiff sees it.
//
// The walk bounds the cost of a file: it finds too many directories, loops and offsets outside the
// file, and reads the few tags that decide whether a directory is decoded at all.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "stages/files/input_file.h"

namespace mezzo::tiff {

/// The place of a directory, and those of its single-valued tags that are checked first. A tag that
/// is absent, or not one unsigned integer, is empty.
struct RawDirectory {
  uint64_t offset = 0;
  std::optional<uint64_t> width;
  std::optional<uint64_t> height;
  std::optional<uint64_t> samples;
  std::optional<uint64_t> compression;
  std::optional<uint64_t> strip_bytes;  ///< StripByteCounts of a single strip
  uint64_t extra_samples = 0;           ///< how many values the tag has
  uint64_t profile_bytes = 0;           ///< of its ICC profile
  std::vector<uint64_t> dot_range;      ///< DotRange, which libtiff reads with two values alone
  bool is_page = true;                  ///< not a reduced-resolution image and not a mask
};

/// All directories, in order. Throws Error: kData when the chain is damaged or loops, kLimit when
/// it has more than `max_directories`, kIo.
std::vector<RawDirectory> walk_directories(const files::InputFile& file, uint32_t max_directories);

}  // namespace mezzo::tiff
