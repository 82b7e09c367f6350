// The memory that a decoder will ask for, as the head of its data tells.
//
// A few bytes may ask for 128 MiB: the window of ZSTD, and the coefficients of a JPEG whose scans do
// not each hold all components. It is found before anything is decoded, so that a page is planned
// with it, or refused. Internal to stages/tiff.
#pragma once

#include <cstdint>

#include "stages/files/byte_store.h"
#include "stages/tiff/read/layout.h"

namespace mezzo::tiff {

/// The stored bytes of a strip or tile.
struct StoredBlock {
  const files::ByteStore& store;
  uint64_t offset = 0;
  uint64_t bytes = 0;
};

/// Memory beside the block itself, stored and decoded, that decoding it takes. 0 where the data are
/// damaged, which decoding finds. Throws Error(kUnsupported) for a progressive JPEG.
uint64_t codec_bytes(const StoredBlock& block, const PageLayout& layout);

}  // namespace mezzo::tiff
