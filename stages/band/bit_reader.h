// Reads a bilevel page as packed bits, ink and paper by its polarity.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/band/team.h"
#include "stages/band/contone_buffer.h"
#include "stages/page_info.h"
#include "stages/tiff/read/page_reader.h"

namespace mezzo {

/// Whether the file has one bit a sample: the samples handed out are 0 or max_sample.
bool is_bilevel(const PageInfo& info);

class BitReader {
 public:
  /// The rectangle of bits that a page is laid on, and where its top left pixel lies there. A page that is
  /// larger is cut, a smaller one is padded with 0.
  struct Frame {
    uint32_t width_px = 0;
    uint32_t height_px = 0;
    int64_t column = 0;  ///< negative: the page begins left of the bits
    int64_t row = 0;
    bool operator==(const Frame&) const = default;
  };

  /// `info` is bilevel and has one ink, and `reader` reads it; both must outlive this.
  BitReader(const PageInfo& info, tiff::PageReader& reader, const Frame& frame);

  /// Reads the rows of `bits`, which has the frame's width; each call the rows below those of the last.
  /// Throws what PageReader::read() throws.
  void read(const BitBand& bits, Team& team);

  /// Returns how many pixels of ink the page has outside the frame. No read() may follow. Throws likewise.
  uint64_t cut_ink_px(Team& team);

  /// The most memory that read() uses, the reader's included, with a team of `members`.
  static uint64_t working_bytes(const PageInfo& info,
                                const tiff::PageReader& reader,
                                const Frame& frame,
                                uint32_t members);

 private:
  void read_more(Team& team);
  void count_cut(const SampleBand& rows);
  void pack(const SampleBand& rows, const BitBand& bits);

  const PageInfo& info_;
  tiff::PageReader& reader_;
  const Frame frame_;
  const uint32_t left_px_;         ///< columns of the page that are cut at its left
  const uint32_t width_px_;        ///< and those that are left
  const uint8_t ink_;              ///< sample
  const uint32_t rows_at_a_time_;  ///< whole strips, each decoded once
  ContoneBuffer buffer_;
  SampleBand held_;              ///< rows of the page in `buffer_`
  std::vector<uint8_t> padded_;  ///< a row of the frame, for pages that are padded at their left
  uint64_t cut_ink_px_ = 0;      ///< so far
};

}  // namespace mezzo
