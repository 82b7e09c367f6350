// What writes through libtiff: its coders, and its errors. Not a public header: it includes libtiff's.
#pragma once

#include <tiffio.h>

#include <cstdint>
#include <string_view>

#include "stages/files/publish.h"
#include "stages/tiff/handle.h"
#include "stages/tiff/plate/plate.h"

namespace mezzo::tiff {

/// Sets the compression of our strips, and its level, on a handle. Returns false when libtiff refuses.
bool set_codec(TIFF* tiff, Compression compression);

/// Throws Error when any write through the handle has failed; `doing` is for the message.
void check_written(const Handle& handle, const files::PendingFile& file, std::string_view doing);

/// The most that libtiff may allocate at once for a file of ours: its tables of strips, and its
/// buffer for one coded strip.
inline constexpr uint64_t kMaxPlateAllocation = uint64_t{512} << 20;

}  // namespace mezzo::tiff
