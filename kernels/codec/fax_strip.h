// A strip of fax while it is decoded, code by code.
//
// Rows are made in place: each code marks the column where the colour changes, and the end of a row
// turns marks into pixels. The row above is the reference of T.6.
//
// Strict: it takes what encoders write. What the standards leave open or forbid (runs of 0 px inside a
// row, rows that are too long, T.6's extensions) counts as damage; libtiff may read some of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/codec/fax_lookup.h"

namespace mezzo::codec {

/// The next 8 bytes, of which `bytes` may be read, as a number with the first byte highest; 0 behind.
inline uint64_t load_high_first(const uint8_t* from, size_t bytes) {
  uint64_t word = 0;
  if (bytes >= 8) {
    std::memcpy(&word, from, 8);
  } else if (bytes > 0) {
    std::memcpy(&word, from, bytes);
  }
  return __builtin_bswap64(word);
}

class FaxStripDecoder {
 public:
  /// `coded` and `rows` stay where they are; rows are of one bit a pixel and at least 1 px wide.
  FaxStripDecoder(std::span<const std::byte> coded, const BitBand& rows, FaxCoding coding);

  /// Decodes all that is left of the strip.
  void decode();

  /// Decodes a code, and the end of the row if it is one.
  void decode_code();

  /// All rows are there, or the next code is damaged.
  bool is_done() const { return is_damaged_ || right_rows_ == rows_.rows; }
  uint32_t right_rows() const { return right_rows_; }

  /// Where the decoder stands, for one that takes several codes at once. It may move `bit`, `column`
  /// and `state` on by whole steps (FaxStep), and mark columns in `row`.
  struct Place {
    const uint8_t* coded = nullptr;
    uint64_t bit = 0;                ///< of `coded`, the next one
    uint32_t column = 0;             ///< a0 of T.6: the first pixel that is not coded yet
    uint32_t state = kModeOfWhite;   ///< FaxState
    const uint8_t* above = nullptr;  ///< pixels of the row above
    uint8_t* row = nullptr;          ///< marks; 0 from `column` on, but for a mark at it
  };
  const Place& place() const { return place_; }

  /// Bits of the stream, of the row above and of marks that may be read, and of marks that may be
  /// written, from the byte of the place on.
  static constexpr uint32_t kWindow = 128;
  /// Whether they may be. Not at the start of a row below ink, where b1 may be the first pixel, for
  /// which steps have no rule.
  bool has_window() const;
  /// The last places of this row with these windows.
  uint64_t last_bit() const { return end_bit_ - kWindow; }
  uint64_t last_column() const;
  /// Goes to a place that whole steps led to, and to the next row when this one is complete.
  void move_to(uint64_t bit, uint32_t column, uint32_t state);

 private:
  void skip_blank_rows();
  void take_verticals();
  bool is_row_complete() const;
  void begin_row();
  void end_row();
  bool begin_g3_row();
  bool take_code();
  bool take_mode();
  bool take_vertical(int distance);
  bool take_pass();
  bool take_runs();
  bool take_run();
  bool move(int64_t column);
  void mark();
  uint64_t bits_at(uint64_t bit) const;
  FaxSymbol take_symbol();
  uint64_t bytes_left() const;
  uint32_t next_b1() const;
  uint32_t next_change(uint32_t from, bool to_ink) const;

  BitBand rows_;
  FaxCoding coding_;
  const FaxSymbols& symbols_ = fax_symbols();
  uint64_t end_bit_;
  size_t row_bytes_;
  std::vector<uint8_t> blank_;  // the row above the first, and a window behind it
  Place place_;
  bool is_at_start_ = true;  // of a row: a0 is before its first pixel
  bool is_marked_ = false;   // some column of the row
  bool is_above_blank_ = true;
  bool is_damaged_ = false;
  uint32_t right_rows_ = 0;
};

}  // namespace mezzo::codec
