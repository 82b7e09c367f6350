// The head of ZSTD data (RFC 8878). Internal to stages/tiff.
#pragma once

#include <cstdint>

#include "stages/tiff/read/block_head.h"

namespace mezzo::tiff {

/// Returns the bytes of the window that libzstd allocates to decode the first frame, which is the only
/// one that is decoded. Throws Error: kUnsupported for data that begin otherwise and that libzstd
/// might still decode, as frames of the formats before 1.0; kData for damaged ones; kIo.
uint64_t zstd_window_bytes(BlockHead& head);

}  // namespace mezzo::tiff
