// Strips of G3 and G4, as the table of codecs wants them: kernels/codec codes and decodes them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/codec/fax_decode.h"

namespace mezzo::tiff {

/// Rows of one bit a pixel. encode_g3() throws Error(kUnsupported) for rows that most readers cannot decode.
std::vector<std::byte> encode_g3(const BitBand& rows);
std::vector<std::byte> encode_g4(const BitBand& rows);

void decode_g3(std::span<codec::FaxStrip> strips);
void decode_g4(std::span<codec::FaxStrip> strips);

/// Whether these decode so many strips faster than libtiff: several of them side by side, where the processor can.
bool decodes_fax_faster(size_t strips);

}  // namespace mezzo::tiff
