// The chain of directories of a TIFF file, walked once with plain reads, before libtiff sees it.
//
// The walk bounds the cost of a file: it finds too many directories, loops and offsets outside the
// file, and reads the tags that decide whether a directory is a page at all.
#pragma once

#include <cstdint>
#include <vector>

#include "stages/files/input_file.h"
#include "stages/tiff/tags.h"

namespace mezzo::tiff {

/// The place of a directory, and what it says that it is. One that cannot say is a page: reading its tags
/// finds the reason.
struct RawDirectory {
  FileFormat format;
  uint64_t offset = 0;
  bool is_page = true;   ///< not a reduced-resolution image and not a mask
  bool is_mask = false;  ///< a transparency mask
};

/// All directories, in order. Throws Error: kData when the chain is damaged or loops, kLimit when
/// it has more than `max_directories`, kIo.
std::vector<RawDirectory> walk_directories(const files::InputFile& file, uint32_t max_directories);

}  // namespace mezzo::tiff
