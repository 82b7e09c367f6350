// The memory that a decoder will ask for, as the head of its data says.
//
// A few bytes may ask for 128 MiB: the window of ZSTD, and the coefficients of a JPEG whose scans do
// not each hold all components. It is found before anything is decoded, so that a page is planned
// with it, or refused. A head that is not understood is refused: the decoder might understand it.
// Internal to stages/tiff.
#pragma once

#include <cstdint>

#include "stages/tiff/read/block_head.h"
#include "stages/tiff/read/layout.h"

namespace mezzo::tiff {

/// Returns the memory that decoding a block takes beside the block itself, stored and decoded. Throws
/// Error: kUnsupported for data that are not decoded, as progressive JPEG, or whose own markers
/// contradict the tags; kData for a head that is damaged; kIo.
uint64_t codec_bytes(const StoredBlock& block, const PageLayout& layout);

}  // namespace mezzo::tiff
