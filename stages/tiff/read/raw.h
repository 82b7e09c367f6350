// Uncompressed strips: rows are read straight from the file, without libtiff.
#pragma once

#include <cstdint>
#include <memory>

#include "stages/tiff/read/stored_rows.h"

namespace mezzo::tiff {

/// Uses no more than `memory_bytes` where one member of the team needs no more.
std::unique_ptr<StoredRows> make_raw_rows(StoredPage page, uint64_t memory_bytes);

}  // namespace mezzo::tiff
