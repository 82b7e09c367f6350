// The way to read the stored rows of a page: uncompressed strips are read row by row with plain
// reads; strips and tiles of moderate size are decoded whole, many at once; large compressed strips
// are decoded row by row, in ascending order. Internal to stages/tiff.
#pragma once

#include <cstdint>
#include <memory>

#include "stages/tiff/read/stored_rows.h"

namespace mezzo::tiff {

/// Chooses the way for this page. Uses no more than `memory_bytes` where one member needs no more:
/// see its working_bytes(1).
std::unique_ptr<StoredRows> make_stored_rows(StoredPage page, uint64_t memory_bytes);

}  // namespace mezzo::tiff
