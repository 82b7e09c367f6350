// Pages the right way up: the orientation tag, undone while reading, and a rotation that the reader
// was asked for.
//
// Orientations 1 to 4 stream: columns are mirrored, rows are read from the bottom. Orientations 5
// to 8 lie on their side: upright rows are stored columns, so they are gathered in slabs, one pass
// over the file each, as large as the memory allows. Internal to stages/tiff.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "stages/page_info.h"
#include "stages/tiff/read/page_reader.h"
#include "stages/tiff/read/stored_rows.h"

namespace mezzo::tiff {

/// Makes the reader of stored rows, within the memory that it is given.
using MakeStoredRows = std::function<std::unique_ptr<StoredRows>(uint64_t memory_bytes)>;

/// The orientation that turns a page as this one and then the rotation do.
uint32_t with_rotation(uint32_t orientation, Rotation rotation);

/// The least memory with which make_upright_reader() makes one that reads the file a few times and not
/// once for each row.
uint64_t least_reader_memory(const PageLayout& layout, const MakeStoredRows& make_stored);

/// Throws Error(kLimit) when `memory_bytes` are not enough for one upright row.
std::unique_ptr<PageReader> make_upright_reader(const PageLayout& layout,
                                                const PagePlace& place,
                                                uint64_t memory_bytes,
                                                const MakeStoredRows& make_stored);

}  // namespace mezzo::tiff
