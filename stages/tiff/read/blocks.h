// Strips and tiles of moderate size: each is decoded whole by libtiff, many at once, each decoder
// with a handle of its own.
#pragma once

#include <cstdint>
#include <memory>

#include "stages/tiff/read/stored_rows.h"

namespace mezzo::tiff {

/// Uses no more than `memory_bytes` where one member of the team needs no more.
std::unique_ptr<StoredRows> make_block_rows(StoredPage page, uint64_t memory_bytes);

}  // namespace mezzo::tiff
