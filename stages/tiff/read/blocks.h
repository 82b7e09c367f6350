// Strips and tiles of moderate size: each is decoded whole by libtiff, many at once, each decoder
// with a handle of its own.
#pragma once

#include <cstdint>
#include <memory>

#include "stages/tiff/read/stored_rows.h"

namespace mezzo::tiff {

/// Uses no more than `memory_bytes`, if it can with one member of the team.
std::unique_ptr<StoredRows> make_block_rows(StoredPage page, uint64_t memory_bytes);

}  // namespace mezzo::tiff
