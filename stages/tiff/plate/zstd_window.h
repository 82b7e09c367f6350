// The memory that a strip of Zstandard asks its decoder for.
#pragma once

#include <string>

#include "stages/tiff/read/block_head.h"

namespace mezzo::tiff {

/// Refuses a frame with a larger window than those of plates have: a damaged file may claim any size. `decoding`
/// begins the message, as in "a.tif: decoding strip 1 of page 1". Throws Error (kLimit, kUnsupported, kData, kIo).
void check_zstd_window(const StoredBlock& strip, const std::string& decoding);

}  // namespace mezzo::tiff
