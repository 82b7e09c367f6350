// A plate, bilevel or of levels, as values: its compression, its geometry and its tags.
//
// Nothing here touches a file; stages/tiff/plate/writer.h writes plates,
// stages/tiff/plate/plate_reader.h reads them back.
#pragma once

#include <cstdint>
#include <string>

#include "kernels/band/bands.h"
#include "stages/page_info.h"
#include "stages/tiff/compression.h"

namespace mezzo::tiff {

/// One page of a plate: geometry and tags. A value; texts end at their first NUL.
struct PlatePage {
  uint32_t width_px = 0;
  uint32_t height_px = 0;
  uint32_t rows_per_strip = 0;  ///< see plate_rows_per_strip()
  Resolution resolution;
  std::string ink;            ///< tag InkNames and PageName; empty: none
  std::string document_name;  ///< tag DocumentName; empty: none
  uint32_t page_index = 0;    ///< tag PageNumber, when page_count > 1
  uint32_t page_count = 1;    ///< at most 65,535, as the tag is
  uint32_t bits_per_px = 1;   ///< 1, 2 or 4; more than 1: pixels are levels of ink

  bool operator==(const PlatePage&) const = default;
};

/// What the tags of a page name; 0 and empty: no such tag.
struct PlateNames {
  std::string ink, page, document;           ///< InkNames, PageName, DocumentName
  uint16_t ink_set = 0;                      ///< InkSet; 2: the ink is the one that InkNames has
  uint16_t ink_count = 0;                    ///< NumberOfInks
  uint32_t subfile_type = 0;                 ///< 2: a page of several
  uint16_t page_number = 0, page_total = 0;  ///< PageNumber

  bool operator==(const PlateNames&) const = default;
};

/// Those that a page gets.
PlateNames names_of(const PlatePage& page);

/// Rows of a strip of a plate of this width: about 64 KiB of packed rows, a multiple of 8. It
/// depends on the width and the bits alone, so that a plate is the same file on any engine.
uint32_t plate_rows_per_strip(uint32_t width_px, uint32_t bits_per_px = 1);

/// Bytes of a packed row of the page.
size_t row_bytes_of(const PlatePage& page);

/// Rows of the page in `bits`, without gaps between them.
BitBand rows_of(const PlatePage& page, uint8_t* bits, uint32_t rows);

/// Number of strips of the page.
uint32_t strip_count(const PlatePage& page);

/// Rows of strip `strip` of the page: rows_per_strip, fewer for the last.
uint32_t strip_rows(const PlatePage& page, uint32_t strip);

/// Room for the texts in tags, where they are not known yet.
inline constexpr uint64_t kMostTextBytes = 64 * 1024;

/// The most bytes of the page in a file, for any bits: coded strips, their tables and the tags, with
/// `text_bytes` for texts. kAutomatic: the worst of those it may choose.
uint64_t worst_case_bytes(const PlatePage& page,
                          Compression compression,
                          uint64_t text_bytes = kMostTextBytes);

}  // namespace mezzo::tiff
