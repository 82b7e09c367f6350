// Reads ranges of a page's rows, from the top down, that may overlap: every row is read once.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/band/team.h"
#include "kernels/prepress/sample_range.h"
#include "stages/band/contone_buffer.h"
#include "stages/page_info.h"
#include "stages/tiff/read/reader.h"

namespace mezzo {

class RangeReader {
 public:
  /// `info` and `reader` must outlive this.
  RangeReader(const PageInfo& info, tiff::PageReader& reader) : info_(info), reader_(reader) {}

  /// Fills `planes`, which are one an ink: rows after those of the call before, or from `keep_from` of
  /// that call on. The rows from `keep_from` on, which is at most their end, are kept for the next.
  /// Throws what PageReader::read() throws.
  void read(const std::vector<MutableSampleBand>& planes, uint32_t keep_from, Team& team);

  /// The rows that the last read() took from the reader, and not from the call before.
  const std::vector<MutableSampleBand>& fresh() const { return fresh_; }

 private:
  void keep(const std::vector<MutableSampleBand>& planes, uint32_t first);

  const PageInfo& info_;
  tiff::PageReader& reader_;
  uint32_t read_rows_ = 0;
  uint32_t kept_room_ = 0;  ///< rows
  ContoneBuffer kept_buffer_;
  std::vector<MutableSampleBand> kept_;  ///< rows for the next call
  std::vector<MutableSampleBand> fresh_;
};

}  // namespace mezzo
