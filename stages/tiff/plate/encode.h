// Encoding of strips, on any number of threads at once. Codecs without a coder of
// their own (stages/tiff/plate/codecs.h) are coded by libtiff, through a TIFF of one strip in memory.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "stages/tiff/plate/plate.h"

namespace mezzo::tiff {

/// Encodes rows (a whole strip; the last of a page may be shorter), padding bits 0: the bytes that
/// libtiff would write, but for Deflate, see stages/tiff/plate/deflate.h. Thread-safe. `compression`
/// is not kAutomatic. Throws Error: kBug when libtiff refuses, kUnsupported for rows that most readers
/// cannot decode from G3.
std::vector<std::byte> encode_strip(const BitBand& rows, Compression compression);

/// The same by libtiff for every compression, in more time: for comparison.
std::vector<std::byte> encode_strip_by_libtiff(const BitBand& rows, Compression compression);

/// What choose_compression() returns most often.
inline constexpr Compression kLikelyCompression = Compression::kPackBits;

/// The compression that these sample strips suggest, of those that plate-setters and old RIPs read: the
/// one of none, PackBits and G4 that makes them smallest, where that saves a sixteenth of the raw bytes; LZW
/// where it saves a third of them beyond that. A tie goes to the simpler one.
Compression choose_compression(std::span<const BitBand> samples, Team& team);

}  // namespace mezzo::tiff
