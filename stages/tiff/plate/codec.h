// Our compressions in libtiff, and its errors of writing. Not a public header: it includes
// libtiff's.
#pragma once

#include <tiffio.h>

#include <cstdint>
#include <string_view>

#include "stages/files/publish.h"
#include "stages/tiff/handle.h"
#include "stages/tiff/plate/plate.h"

namespace mezzo::tiff {

/// libtiff's number of the compression, which is not kAutomatic.
uint16_t tiff_compression(Compression compression);

/// The reverse; kAutomatic for any other number.
Compression compression_of_tiff(uint16_t number);

/// Sets compression, level and options of our strips on a handle. Returns false when libtiff
/// refuses.
bool set_codec(TIFF* tiff, Compression compression);

/// Throws Error when any write through the handle has failed; `doing` is for the message.
void check_written(const Handle& handle, const files::PendingFile& file, std::string_view doing);

/// The most that libtiff may allocate at once for a file of ours: its tables of strips, and its
/// buffer for one coded strip.
inline constexpr uint64_t kMaxPlateAllocation = uint64_t{512} << 20;

}  // namespace mezzo::tiff
