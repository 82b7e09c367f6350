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

/// Measured on error-diffused photographs, 64 KiB strips, one core, libdeflate: level 1 makes them 0 to
/// 2.5 % of raw larger than level 6, and is 1.5 to 6 times as fast (750 to 1,280 Mpx/s); it beats LZW in
/// both. Level 9 gains 1.5 % more and takes 4 to 20 times as long.
inline constexpr int kDeflateLevel = 1;

/// Sets compression, level and options of our strips on a handle. Returns false when libtiff
/// refuses.
bool set_codec(TIFF* tiff, Compression compression);

/// Throws Error when any write through the handle has failed; `doing` is for the message.
void check_written(const Handle& handle, const files::PendingFile& file, std::string_view doing);

/// The most that libtiff may allocate at once for a file of ours: its tables of strips, and its
/// buffer for one coded strip.
inline constexpr uint64_t kMaxPlateAllocation = uint64_t{512} << 20;

}  // namespace mezzo::tiff
