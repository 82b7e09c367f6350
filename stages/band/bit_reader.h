// Reads a bilevel page as packed bits, ink and paper by its polarity.
#pragma once

#include <cstdint>

#include "kernels/band/team.h"
#include "stages/band/contone_buffer.h"
#include "stages/page_info.h"
#include "stages/tiff/read/page_reader.h"

namespace mezzo {

/// Whether the file has one bit a sample: the samples handed out are 0 or max_sample.
bool is_bilevel(const PageInfo& info);

class BitReader {
 public:
  /// `info` is bilevel and has one ink, and `reader` reads it; both must outlive this.
  BitReader(const PageInfo& info, tiff::PageReader& reader);

  /// Reads the rows of `bits`; each call the rows below those of the last. What is beyond the page at
  /// its right or below it becomes 0, like padding; what the page has beyond `bits` is left out. Throws
  /// what PageReader::read() throws.
  void read(const BitBand& bits, Team& team);

  /// The most memory that read() uses, the reader's included, with a team of `members`.
  static uint64_t working_bytes(const PageInfo& info,
                                const tiff::PageReader& reader,
                                uint32_t members);

 private:
  const PageInfo& info_;
  tiff::PageReader& reader_;
  const uint32_t rows_at_a_time_;  ///< whole strips, each decoded once
  ContoneBuffer buffer_;
  SampleBand held_;  ///< rows of the page in `buffer_`
};

}  // namespace mezzo
