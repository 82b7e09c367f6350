// Sums for a small picture of a plane, gathered where its rows are: in the memory of a GPU.
// stages/preview.h says what the picture shows, and makes it of these sums or of the rows themselves.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/drop_levels.h"
#include "kernels/band/tone.h"
#include "kernels/base/rect.h"

namespace mezzo::device_chain {

/// The cells and pieces of a plane that sums are taken of.
struct PictureGrid {
  std::vector<uint32_t> column_ends;  ///< of the cells across: the pixel after each
  std::vector<uint32_t> row_ends;     ///< of the cells down
  std::vector<uint32_t> row_steps;    ///< of the cells down: every so many rows one is sampled
  std::vector<Rect> pieces;           ///< kept dot for dot; all of one size, x a multiple of 8
  uint32_t tones = 0;                 ///< kinds of tone that are counted in a piece
  uint32_t tone_rows = 1;             ///< of a piece one row in so many is counted
  uint32_t max_sample = 0;
  Polarity polarity = Polarity::kMaxIsInk;
  std::optional<DropLevels> levels = {};  ///< of plates of 2 or 4 bits a pixel; none: bilevel

  size_t cells() const { return column_ends.size() * row_ends.size(); }
  size_t piece_row_bytes() const {
    return bit_row_bytes(pieces.front().width_px, levels ? packed_bits(levels->count) : 1);
  }
  size_t piece_bytes() const { return piece_row_bytes() * pieces.front().height_px; }
};

/// The sums of a whole plane. Cells come row by row, pieces one after the other.
struct PictureSums {
  std::vector<uint64_t> samples;  ///< of the rows that count, a cell
  std::vector<uint64_t> ink;      ///< of the finished plate, a cell: pixels, or the tones of levels
  std::vector<uint32_t> tones;    ///< PictureGrid::tones samples a piece, light tones first
  std::vector<uint8_t> pieces;    ///< rows of bits, as in a BitBand
};

}  // namespace mezzo::device_chain
