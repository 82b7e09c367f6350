// Decodes strips of fax: T.6 (G4) and one-dimensional T.4 (G3), as libtiff writes them.
//
// Strips are independent of each other, and sixteen of them are decoded side by side where the
// processor has AVX-512: give as many at a time. The others go code by code, as do strips of few codes,
// such as type, which are hardly faster than by libtiff.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/band/bands.h"
#include "kernels/codec/fax_lookup.h"

namespace mezzo::codec {

/// A strip to decode. `coded` and `rows` belong to the caller; rows are of one bit a pixel.
struct FaxStrip {
  std::span<const std::byte> coded;
  BitBand rows;             ///< filled, padding bits are 0; undefined from row right_rows on
  uint32_t right_rows = 0;  ///< set to the rows before the first damage: rows.rows if there is none
};

/// Whether this processor decodes strips side by side. Where it does not, decode_fax() is hardly faster
/// than libtiff.
bool decodes_fax_side_by_side();

/// Decodes the strips, of any widths and heights. Any bytes may be given: damage, codes that encoders
/// do not write (fax_strip.h) and a missing end of the last row end a strip early. What stands behind
/// the last row is not looked at.
void decode_fax(std::span<FaxStrip> strips, FaxCoding coding);

}  // namespace mezzo::codec
