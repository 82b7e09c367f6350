// One contone page, read in bands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"

namespace mezzo::tiff {

/// Decodes one page. Made by TiffFile::open_page(); the TiffFile must outlive it. Not for use by
/// two threads at once; a call spreads its work over the team that it is given.
class PageReader {
 public:
  virtual ~PageReader() = default;

  /// Rows that are decoded together (a strip, a row of tiles): bands of a multiple of this,
  /// starting at a multiple, waste no work. 1 when all heights are equal.
  virtual uint32_t row_quantum() const = 0;

  /// False when going back to a row means decoding the page again from its top.
  virtual bool goes_back_cheaply() const = 0;

  /// The most memory that read() uses beside the caller's bands, with a team of `members`.
  virtual size_t working_bytes(uint32_t band_rows, uint32_t members) const = 0;

  /// Reads rows [first_row, first_row + rows) of every plane: planes[i] receives ink i, and all
  /// have the same first_row, rows and width (the page's). Calls may repeat rows or go back, though
  /// only ascending order is fast. Throws Error (kData, kIo, kLimit), which names file, page and
  /// place.
  virtual void read(std::span<const MutableSampleBand> planes, Team& team) = 0;
};

}  // namespace mezzo::tiff
