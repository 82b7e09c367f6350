// Reads a page band by band, each with its context: the rows around it that a halftoner must see.
//
// Every row is read once, in order. Rows below a band are read ahead, and rows that the next band
// needs again are kept aside.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/band/team.h"
#include "stages/band/contone_buffer.h"
#include "stages/band/range_reader.h"
#include "stages/page_info.h"
#include "stages/tiff/read/reader.h"

namespace mezzo {

class BandReader {
 public:
  /// The bands of a page for reading.
  struct Shape {
    uint32_t rows = 0;          ///< of a band; the last of a page may have fewer
    uint32_t context_rows = 0;  ///< HalftonerTraits::context_rows
    uint32_t row_quantum = 1;   ///< PageReader::row_quantum()

    /// Rows read ahead of a band: the context, in whole strips.
    uint32_t rows_ahead() const {
      return (context_rows + row_quantum - 1) / row_quantum * row_quantum;
    }
    /// Rows that a band holds, context included.
    uint64_t rows_held() const { return uint64_t{rows} + context_rows + rows_ahead(); }
  };

  /// `info` and `reader` must outlive this.
  BandReader(const PageInfo& info,
             tiff::PageReader& reader,
             uint32_t band_rows,
             uint32_t context_rows);

  /// Reads the next band, the first at first, into `buffer`, which gets its memory when it has none
  /// yet. Returns views of the band, one a plane. Throws what PageReader::read() throws.
  std::vector<SampleBand> read(ContoneBuffer& buffer, BufferUse use, Team& team);

  /// The rows that the last read() took from the reader, and the rows of its band without context.
  const std::vector<MutableSampleBand>& fresh() const { return ranges_.fresh(); }

 private:
  const PageInfo& info_;
  Shape shape_;
  uint32_t next_row_ = 0;  ///< of the next band
  RangeReader ranges_;
};

}  // namespace mezzo
