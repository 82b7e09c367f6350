#include "kernels/codec/fax_strip.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "kernels/base/error.h"
#include "kernels/codec/fax_codes.h"
#include "kernels/codec/fax_marks.h"

namespace mezzo::codec {
namespace {

constexpr uint64_t kHighest = uint64_t{1} << 63;

}  // namespace

FaxStripDecoder::FaxStripDecoder(std::span<const std::byte> coded,
                                 const BitBand& rows,
                                 FaxCoding coding)
    : rows_(rows),
      coding_(coding),
      end_bit_(uint64_t{coded.size()} * 8),
      row_bytes_(bit_row_bytes(rows.width_px)),
      blank_(row_bytes_ + kWindow / 8) {
  MZ_ASSERT(rows.bits_per_px == 1 && rows.width_px > 0);
  place_.coded = reinterpret_cast<const uint8_t*>(coded.data());
  place_.above = blank_.data();
  if (rows_.rows > 0) begin_row();
}

void FaxStripDecoder::decode() {
  while (!is_done()) {
    if (is_above_blank_ && is_at_start_ && coding_ == FaxCoding::kG4) skip_blank_rows();
    if (!is_done()) take_verticals();
    if (!is_done()) decode_code();
  }
}

/// Takes vertical codes up to one of another kind, to the end of the row or to one that is wrong: most
/// codes are vertical, and here they need no memory but that of the rows.
void FaxStripDecoder::take_verticals() {
  uint8_t* const row = place_.row;
  const uint32_t width = rows_.width_px;
  uint64_t bit = place_.bit;
  uint32_t column = place_.column, state = place_.state;
  bool is_at_start = is_at_start_, is_marked = is_marked_;
  while (bit < end_bit_ && column < width) {
    const FaxSymbol symbol = symbols_.of[state][bits_at(bit) >> (64 - kSymbolBits)];
    if (symbol.kind != FaxKind::kVertical || bit + symbol.length > end_bit_) break;
    const uint32_t b1 = next_change(is_at_start ? 0 : column + 1, (state & 1) == 0);
    const int64_t a1 = int64_t{b1} + symbol.amount;
    const bool is_right = a1 > column || (is_at_start && a1 == 0);
    if (!is_right || a1 > width) break;
    column = static_cast<uint32_t>(a1);
    if (column < width) {
      row[column / 8] = static_cast<uint8_t>(row[column / 8] ^ 0x80U >> column % 8);
      is_marked = true;
    }
    bit += symbol.length;
    state ^= 1;
    is_at_start = false;
  }
  is_marked_ = is_marked;
  is_at_start_ = is_at_start;
  place_.bit = bit;
  place_.column = column;
  place_.state = state;
  if (is_row_complete()) end_row();
}

/// Below a blank row, a blank row is a single V(0), whose code is a one.
void FaxStripDecoder::skip_blank_rows() {
  const uint64_t ones = static_cast<uint32_t>(std::countl_one(bits_at(place_.bit)));
  const uint64_t rows =
      std::min<uint64_t>({ones, 56, rows_.rows - right_rows_, end_bit_ - place_.bit});
  for (uint64_t i = 0; i < rows; ++i) {
    ++place_.bit;
    end_row();
  }
}

void FaxStripDecoder::decode_code() {
  if (!take_code() || place_.bit > end_bit_) {
    is_damaged_ = true;
    return;
  }
  if (is_row_complete()) end_row();
}

bool FaxStripDecoder::has_window() const {
  const bool begins_below_ink = is_at_start_ && (place_.above[0] & 0x80) != 0;
  return !is_done() && !begins_below_ink && place_.bit + kWindow <= end_bit_ &&
         bytes_left() >= kWindow / 8 && place_.column <= last_column();
}

uint64_t FaxStripDecoder::last_column() const {
  return std::min<uint64_t>(rows_.width_px - 1, bytes_left() * 8 - kWindow);
}

/// Bytes from the row on that belong to rows: to this one alone, if there are gaps between them.
uint64_t FaxStripDecoder::bytes_left() const {
  const bool has_gaps = rows_.stride_bytes != row_bytes_;
  return has_gaps ? row_bytes_ : uint64_t{rows_.rows - right_rows_} * row_bytes_;
}

void FaxStripDecoder::move_to(uint64_t bit, uint32_t column, uint32_t state) {
  if (column == rows_.width_px && state >= kFirstRunOfWhite) {
    // The horizontal code, which moves nothing, is the next row's.
    bit -= kHorizontalCode.length;
    state = kModeOfWhite + (state & 1);
  }
  if (bit == place_.bit) return;
  place_.bit = bit;
  place_.column = column;
  place_.state = state;
  is_at_start_ = is_at_start_ && column == 0;  // behind a horizontal code
  is_marked_ = true;
  if (is_row_complete()) end_row();
}

/// In G4 the second run of a horizontal code may be one of 0 px behind the row.
bool FaxStripDecoder::is_row_complete() const {
  const bool is_run_missing = coding_ == FaxCoding::kG4 && place_.state >= kRunOfWhite;
  return place_.column == rows_.width_px && !is_run_missing;
}

void FaxStripDecoder::begin_row() {
  place_.row = rows_.row(right_rows_);
  std::memset(place_.row, 0, row_bytes_);
  place_.column = 0;
  place_.state = coding_ == FaxCoding::kG3 ? kRunOfWhite : kModeOfWhite;
  is_at_start_ = true;
  is_marked_ = false;
  if (coding_ == FaxCoding::kG3 && !begin_g3_row()) is_damaged_ = true;
}

void FaxStripDecoder::end_row() {
  if (is_marked_) {
    marks_to_pixels(place_.row, row_bytes_);
    const uint32_t padding = static_cast<uint32_t>(row_bytes_ * 8 - rows_.width_px);
    place_.row[row_bytes_ - 1] &= static_cast<uint8_t>(0xFF << padding);
  }
  is_above_blank_ = !is_marked_;
  place_.above = place_.row;
  if (++right_rows_ < rows_.rows) begin_row();
}

/// Takes an end-of-line code: at least 11 zeros, and a one.
bool FaxStripDecoder::begin_g3_row() {
  uint64_t zeros = 0;
  while (place_.bit < end_bit_) {
    const uint64_t bits = bits_at(place_.bit);
    const uint64_t more = std::min<uint64_t>(static_cast<uint32_t>(std::countl_zero(bits)), 56);
    zeros += more;
    place_.bit += more;
    if (more < 56) {
      ++place_.bit;
      return zeros >= 11;
    }
  }
  return false;
}

/// The bits from `bit` on, the first one highest: at least 57 of them, and zeros behind the end.
uint64_t FaxStripDecoder::bits_at(uint64_t bit) const {
  const uint64_t byte = std::min(bit, end_bit_) / 8;
  return load_high_first(place_.coded + byte, end_bit_ / 8 - byte) << bit % 8;
}

FaxSymbol FaxStripDecoder::take_symbol() {
  const FaxSymbol symbol = symbols_.of[place_.state][bits_at(place_.bit) >> (64 - kSymbolBits)];
  place_.bit += symbol.length;
  return symbol;
}

bool FaxStripDecoder::take_code() {
  return place_.state < kRunOfWhite ? take_mode() : take_runs();
}

bool FaxStripDecoder::take_mode() {
  const FaxSymbol symbol = take_symbol();
  if (symbol.length == 1) return take_vertical(0);  // V(0), most of them
  switch (symbol.kind) {
    case FaxKind::kVertical:
      return take_vertical(symbol.amount);
    case FaxKind::kPass:
      return take_pass();
    case FaxKind::kHorizontal:
      place_.state = kFirstRunOfWhite + (place_.state & 1);
      return take_runs();
    default:
      return false;
  }
}

bool FaxStripDecoder::take_vertical(int distance) {
  const int64_t a1 = int64_t{next_b1()} + distance;
  const bool is_right = a1 > place_.column || (is_at_start_ && a1 == 0);
  if (!is_right || !move(a1)) return false;
  mark();
  place_.state ^= 1;
  return true;
}

bool FaxStripDecoder::take_pass() {
  const uint32_t b1 = next_b1();
  return b1 < rows_.width_px && move(next_change(b1 + 1, (place_.state & 1) != 0));
}

/// A run of G3, or those that are left of a horizontal code.
bool FaxStripDecoder::take_runs() {
  do {
    if (!take_run()) return false;
    place_.state = fax_state_behind_run(coding_, place_.state);
  } while (coding_ == FaxCoding::kG4 && place_.state >= kRunOfWhite);
  return true;
}

/// A run of the state's colour, with its make-up codes.
bool FaxStripDecoder::take_run() {
  const bool may_be_empty = is_at_start_ || place_.column == rows_.width_px;
  const uint32_t begin = place_.column;
  FaxSymbol symbol = take_symbol();
  for (; symbol.kind == FaxKind::kMakeup; symbol = take_symbol()) {
    if (!move(int64_t{place_.column} + symbol.amount)) return false;
  }
  if (symbol.kind != FaxKind::kRun || !move(int64_t{place_.column} + symbol.amount)) return false;
  mark();
  return place_.column > begin || may_be_empty;
}

bool FaxStripDecoder::move(int64_t column) {
  if (column > rows_.width_px) return false;
  place_.column = static_cast<uint32_t>(column);
  is_at_start_ = false;
  return true;
}

void FaxStripDecoder::mark() {
  const uint32_t column = place_.column;
  if (column == rows_.width_px) return;
  place_.row[column / 8] = static_cast<uint8_t>(place_.row[column / 8] ^ 0x80U >> column % 8);
  is_marked_ = true;
}

uint32_t FaxStripDecoder::next_b1() const {
  return next_change(is_at_start_ ? 0 : place_.column + 1, (place_.state & 1) == 0);
}

/// The first column from `from` on where the row above changes to that colour, or its width.
uint32_t FaxStripDecoder::next_change(uint32_t from, bool to_ink) const {
  const uint32_t width = rows_.width_px;
  if (is_above_blank_ || from >= width) return width;
  // The pixel before `from` is in the first word, where there is one.
  size_t at = (from - std::min(from, 1U)) / 8;
  uint64_t word = load_high_first(place_.above + at, row_bytes_ - at);
  uint64_t before = from == 0 ? 0 : word & kHighest;
  uint64_t wanted = ~uint64_t{0} >> (from - at * 8);
  for (;;) {
    const uint64_t changes = (word ^ (word >> 1 | before)) & (to_ink ? word : ~word) & wanted;
    if (changes != 0) {
      const uint64_t column = at * 8 + static_cast<uint32_t>(std::countl_zero(changes));
      return static_cast<uint32_t>(std::min<uint64_t>(column, width));
    }
    at += 8;
    if (at >= row_bytes_) return width;
    before = word << 63;
    wanted = ~uint64_t{0};
    word = load_high_first(place_.above + at, row_bytes_ - at);
  }
}

}  // namespace mezzo::codec
