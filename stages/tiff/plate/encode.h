// Encoding of strips, through a TIFF of one strip in memory: the bytes that libtiff would write to
// a file, on any number of threads at once.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "stages/tiff/plate/plate.h"

namespace mezzo::tiff {

/// Encodes rows (a whole strip; the last of a page may be shorter), padding bits 0, as libtiff would
/// write them. Thread-safe. `compression` is not kAutomatic. Throws Error: kBug when libtiff refuses,
/// kUnsupported for rows that most readers cannot decode from G3.
std::vector<std::byte> encode_strip(const BitBand& rows, Compression compression);

/// The compression that makes these sample strips smallest; a tie goes to the simpler one. Tries
/// those that plate-setters and old RIPs read: none, PackBits, LZW, G4.
Compression choose_compression(std::span<const BitBand> samples, Team& team);

}  // namespace mezzo::tiff
