// Whether coded rows of T.6 decode to the rows that they were made of. For GPUs, where a thread takes a
// part of a row; plain functions of words, for the host as well.
//
// A strip decodes code by code, each row in the one above it. But where the rows are at hand, each can be
// decoded beside the row that the one above it should be, and from any place where the coder stood: if
// every part gives the right pixels, and ends where the next one begins, then so does decoding them one
// after the other. Thus all parts of all rows are checked at once. The coder's places
// need not be trusted: a wrong one fails the part that ends there.
#pragma once

#include <cstdint>

#include "kernels/codec/fax_codes.h"
#include "kernels/codec/gpu/fax_lane.h"

namespace mezzo::codec {

/// Codes as decoding meets them. Not the tables that coding uses, so that damage to those shows.
struct FaxCheckTables {
  static constexpr uint32_t kModeBits = 7, kVertical = 3, kPass = 7, kHorizontal = 8, kNone = 15;

  /// By the next bits: 16 times a kind, and its length. Kinds below kPass are vertical, a1 - b1 + 3.
  uint8_t modes[1U << kModeBits];
  /// Each in the upper bits of a word, its length in the lowest.
  uint32_t terminating[2][64];  ///< [ink][run]
  uint32_t makeups[2][41];      ///< [ink][run / 64]
};

inline constexpr FaxCheckTables kFaxCheckTables = [] {
  FaxCheckTables tables{};
  for (uint8_t& mode : tables.modes) mode = 16 * FaxCheckTables::kNone;
  const auto add_mode = [&](FaxCode code, uint32_t kind) {
    const uint32_t free = FaxCheckTables::kModeBits - code.length;
    for (uint32_t i = 0; i < 1U << free; ++i) {
      tables.modes[uint32_t{code.bits} << free | i] = static_cast<uint8_t>(16 * kind + code.length);
    }
  };
  for (uint32_t i = 0; i < 7; ++i) add_mode(kVerticalCodes[i], i);
  add_mode(kPassCode, FaxCheckTables::kPass);
  add_mode(kHorizontalCode, FaxCheckTables::kHorizontal);
  const auto entry = [](FaxCode code) {
    return uint32_t{code.bits} << (32 - code.length) | code.length;
  };
  for (uint32_t ink = 0; ink < 2; ++ink) {
    for (uint32_t i = 0; i < 64; ++i) {
      tables.terminating[ink][i] = entry(kRunCodes[ink].terminating[i]);
    }
    for (uint32_t i = 1; i <= 40; ++i) tables.makeups[ink][i] = entry(kRunCodes[ink].makeup[i]);
  }
  return tables;
}();

/// A word of bytes in memory order, its first bit topmost.
MZ_HD inline uint32_t big_endian(const uint32_t* word) {
#ifdef __CUDA_ARCH__
  return __byte_perm(__ldg(word), 0, 0x0123);
#else
  return __builtin_bswap32(*word);
#endif
}

/// Coded bits, from some bit of a strip on.
class CodedBits {
 public:
  /// `words` are those of the strip, `count` of them; bits behind them are 0.
  MZ_HD CodedBits(const uint32_t* words, uint64_t count, uint64_t begin)
      : words_(words), count_(count), at_(begin / 32), used_(begin % 32) {
    high_ = word(at_);
    low_ = word(at_ + 1);
  }

  /// The next 32.
  MZ_HD uint32_t peek() const { return shifted_left(high_, low_, used_); }

  /// At most 32.
  MZ_HD void skip(uint32_t bits) {
    used_ += bits;
    if (used_ < 32) return;
    used_ -= 32;
    ++at_;
    high_ = low_;
    low_ = word(at_ + 1);
  }

  /// Skips a table's code; false where another one follows.
  MZ_HD bool skip_code(uint32_t code) {
    const uint32_t length = code & 31;
    const bool is_next = (peek() ^ code) >> (32 - length) == 0;
    skip(length);
    return is_next;
  }

  /// Bits before the next one, in the strip.
  MZ_HD uint64_t position() const { return at_ * 32 + used_; }

 private:
  MZ_HD uint32_t word(uint64_t i) const { return i < count_ ? big_endian(words_ + i) : 0; }

  const uint32_t* words_;
  uint64_t count_, at_;
  uint32_t used_, high_, low_;
};

/// A place within a row, between two codes or between the two runs of a horizontal one.
struct RowPlace {
  uint32_t bits = 0;    ///< of the row that are before it; none at its start
  uint32_t column = 0;  ///< a0 of T.6, or a1 between the runs; 0 at the start of the row
  bool is_between_runs = false;

  /// The first pixel that may be a change.
  MZ_HD uint32_t next() const { return bits == 0 ? 0 : column + 1; }
  MZ_HD bool operator==(const RowPlace& other) const {
    return bits == other.bits && column == other.column && is_between_runs == other.is_between_runs;
  }
};

/// The pixels of a row whose colour is not that of the pixel before, as T.6 looks at them: before the
/// first pixel lies paper. The next three wait in a queue, which moves on by small steps of one length:
/// threads of a warp that looked for changes in loops would wait for each other at every change.
class RowChanges {
 public:
  /// Those from pixel `from` on. `is_paper`: a row without ink takes the place of `row`, whose padding
  /// bits are 0.
  MZ_HD RowChanges(const uint32_t* row, uint32_t width_px, bool is_paper, uint32_t from)
      : row_(row), width_(width_px), words_(is_paper ? 0 : (width_px + 31) / 32), at_(from / 32) {
    if (at_ < words_) {
      const uint32_t before = at_ == 0 ? 0 : big_endian(row_ + at_ - 1);
      word_ = big_endian(row_ + at_);
      left_ = (word_ ^ (word_ >> 1 | before << 31)) & UINT32_MAX >> from % 32;
      const uint32_t pixel = from % 32 == 0 ? before : word_ >> (32 - from % 32);
      is_ink_ = (pixel & 1) == 0;
    } else if (words_ > 0) {  // behind rows of whole words
      is_ink_ = (big_endian(row_ + words_ - 1) & 1) == 0;
    }
  }

  /// Leaves out one change before pixel x, and finds one more.
  MZ_HD void step(uint32_t x) {
    if (first_ < x && first_ < width_) {
      first_ = second_;
      second_ = third_;
      third_ = kNone;
      is_ink_ = !is_ink_;
    }
    if (third_ != kNone) return;
    if (left_ == 0 && at_ + 1 < words_) {
      const uint32_t before = word_;
      word_ = big_endian(row_ + ++at_);
      left_ = word_ ^ (word_ >> 1 | before << 31);
    }
    if (left_ != 0) {
      const uint32_t bit = leading_zeros(left_), change = at_ * 32 + bit;
      left_ &= ~(0x80000000U >> bit);
      add(change < width_ ? change : width_);
    } else if (at_ + 1 >= words_) {
      add(width_);
    }
  }

  /// The first is known, and not before pixel x; or all three are.
  MZ_HD bool has_first(uint32_t x) const {
    return first_ != kNone && (first_ >= x || first_ == width_);
  }
  MZ_HD bool has_all(uint32_t x) const { return has_first(x) && third_ != kNone; }

  MZ_HD uint32_t first() const { return first_; }  ///< the width where there is none, as below
  MZ_HD bool is_ink() const { return is_ink_; }    ///< the first is to ink, the second to paper
  /// The first to ink or paper, and the one behind it.
  MZ_HD uint32_t first_to(bool ink) const { return ink == is_ink_ ? first_ : second_; }
  MZ_HD uint32_t behind_first_to(bool ink) const { return ink == is_ink_ ? second_ : third_; }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;

  MZ_HD void add(uint32_t change) {
    if (first_ == kNone) {
      first_ = change;
    } else if (second_ == kNone) {
      second_ = change;
    } else {
      third_ = change;
    }
  }

  const uint32_t* row_;
  uint32_t width_, words_;
  uint32_t at_, word_ = 0, left_ = 0;  ///< a word, and its changes that are not in the queue yet
  uint32_t first_ = kNone, second_ = kNone, third_ = kNone;
  bool is_ink_ = true;
};

/// The changes of a row and of the one above it, from a place on.
struct RowPair {
  RowChanges row, above;
  uint32_t width_px;
};

/// Skips the codes of a run; false where others follow.
MZ_HD inline bool skip_run(const FaxCheckTables& tables, CodedBits& bits, uint32_t run, bool ink) {
  bool is_right = true;
  for (; run >= kLongestMakeup + 64; run -= kLongestMakeup) {
    is_right &= bits.skip_code(tables.makeups[ink][kLongestMakeup / 64]);
  }
  if (run >= 64) is_right &= bits.skip_code(tables.makeups[ink][run / 64]);
  return bits.skip_code(tables.terminating[ink][run % 64]) && is_right;
}

/// Skips the codes of a row from a place on, which moves along, up to a bit of the strip or the end of
/// the row. False where they do not decode to the row.
MZ_HD inline bool skip_codes(
    const FaxCheckTables& tables, CodedBits& bits, uint64_t end, RowPair rows, RowPlace& place) {
  using Tables = FaxCheckTables;
  const uint64_t begin = bits.position() - place.bits;
  uint32_t next = place.next(), a0 = place.column;
  bool ink = !rows.row.is_ink(), is_between_runs = place.is_between_runs;
  while (bits.position() < end && (a0 < rows.width_px || is_between_runs)) {
    rows.row.step(next);
    rows.above.step(next);
    if (!rows.row.has_first(next) || !rows.above.has_all(next)) continue;
    const uint32_t a1 = rows.row.first(), b1 = rows.above.first_to(!ink);
    const uint32_t mode = tables.modes[bits.peek() >> (32 - Tables::kModeBits)];
    const uint32_t kind = is_between_runs ? Tables::kHorizontal : mode / 16;
    if (!is_between_runs) bits.skip(mode % 16);
    if (kind < Tables::kPass) {
      if (a1 + Tables::kVertical != b1 + kind) return false;
      ink = !ink;
      a0 = a1;
    } else if (kind == Tables::kHorizontal) {
      if (!skip_run(tables, bits, a1 - a0, ink)) return false;
      is_between_runs = !is_between_runs;
      ink = !ink;
      a0 = a1;
    } else if (kind == Tables::kPass) {
      a0 = rows.above.behind_first_to(!ink);
      if (a0 >= a1) return false;
    } else {
      return false;
    }
    next = a0 + 1;
  }
  place = {static_cast<uint32_t>(bits.position() - begin), a0, is_between_runs};
  return true;
}

}  // namespace mezzo::codec
