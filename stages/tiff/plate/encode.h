// Encoding of strips, on any number of threads at once: the bytes that libtiff would write to a
// file. G3 and G4 are coded by kernels/codec, the others by libtiff, through a TIFF of one strip in
// memory.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "stages/tiff/plate/plate.h"

namespace mezzo::tiff {

/// Encodes rows (a whole strip; the last of a page may be shorter) as libtiff would write them.
/// Thread-safe. `compression` is not kAutomatic. Throws Error(kBug) when libtiff refuses.
std::vector<std::byte> encode_strip(const BitBand& rows, Compression compression);

/// The same by libtiff for every compression, in more time: for comparison.
std::vector<std::byte> encode_strip_by_libtiff(const BitBand& rows, Compression compression);

/// The compression that makes these sample strips smallest; a tie goes to the simpler one. Tries
/// those that plate-setters and old RIPs read: none, PackBits, LZW, G4.
Compression choose_compression(std::span<const BitBand> samples, Team& team);

}  // namespace mezzo::tiff
