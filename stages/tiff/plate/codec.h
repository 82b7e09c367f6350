// The names that libtiff gives to our compressions. Not a public header: it includes libtiff's.
#pragma once

#include <tiffio.h>

#include <cstdint>

#include "stages/tiff/plate/plate.h"

namespace mezzo::tiff {

/// libtiff's number of the compression, which is not kAutomatic.
uint16_t tiff_compression(Compression compression);

/// The reverse; kAutomatic for a number that is none of ours.
Compression compression_of_tiff(uint16_t number);

/// Sets on a handle what makes our coded strips: compression, level and options.
/// Returns false when libtiff refuses.
bool set_codec(TIFF* tiff, Compression compression);

}  // namespace mezzo::tiff
