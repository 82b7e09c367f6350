// The places of a page's strips or tiles in its file.
#pragma once

#include <cstdint>

#include "stages/tiff/handle.h"
#include "stages/tiff/read/layout.h"

namespace mezzo::tiff {

/// The largest of a page's strips or tiles, in each respect.
struct LargestBlock {
  uint64_t stored_bytes = 0;
  uint64_t codec_bytes = 0;  ///< see codec_memory.h
};

/// Checks that all strips or tiles lie within the file, have plausible sizes, and are of a kind that
/// is decoded. The directory of `layout` is the current one. Throws Error.
LargestBlock check_blocks(Handle& handle, const PageLayout& layout, const PagePlace& place);

}  // namespace mezzo::tiff
