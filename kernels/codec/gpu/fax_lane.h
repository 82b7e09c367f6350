// Rows in T.6, as the lanes of a warp code them: 32 columns a lane, 1024 a step of a warp. Plain
// functions of words, for the host as well, where tests run 32 lanes one after another.
//
// What every change of the row becomes is decided without a loop over changes. In the words here,
// column x of a lane is bit x. Behind the last column both rows have the complement of their last
// pixel, so that the change that T.6 imagines there is a real one. Before each column a row is
// within a horizontal code (a1 has passed, a2 has not), or b1 has passed and b2 has not, or neither.
//
//  - Outside horizontal codes, b1 has passed and b2 has not exactly if the last change of either row
//    was one of the row above alone, after which the rows differ: where a pass may be due, and b1
//    of a vertical code lies to the left. An addition carries that mark over columns without change.
//  - A change outside horizontal codes is vertical if the row above changes at most 3 columns before
//    it, in that state, or at most 3 behind it to the same colour, in the other. Otherwise it begins
//    a horizontal code, which the next change ends, whatever it is. So a column is within one if
//    the changes before it that are not near the row above, without a near one between, are odd in
//    number: a prefix of exclusive ors, and at near changes another addition.
//
// Each state is a bit that passes from lane to lane.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "kernels/base/host_device.h"
#include "kernels/codec/fax_codes.h"

namespace mezzo::codec {

inline constexpr uint32_t kLaneColumns = 32;
inline constexpr uint32_t kStepColumns = 32 * kLaneColumns;

// Operations that a GPU has instructions for.

MZ_HD inline uint32_t reversed(uint32_t v) {
#ifdef __CUDA_ARCH__
  return __brev(v);
#else
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0F0F0F0F) | (v & 0x0F0F0F0F) << 4;
  return __builtin_bswap32(v);
#endif
}
MZ_HD inline uint32_t leading_zeros(uint32_t v) {
#ifdef __CUDA_ARCH__
  return static_cast<uint32_t>(__clz(static_cast<int>(v)));
#else
  return static_cast<uint32_t>(std::countl_zero(v));
#endif
}
/// The highest set bit of a number that is not 0.
MZ_HD inline uint32_t top_bit(uint32_t v) {
  return 31 - leading_zeros(v);
}
MZ_HD inline uint32_t set_bits(uint32_t v) {
#ifdef __CUDA_ARCH__
  return static_cast<uint32_t>(__popc(v));
#else
  return static_cast<uint32_t>(std::popcount(v));
#endif
}
/// The upper or lower half of high:low, shifted left or right by shift % 32.
MZ_HD inline uint32_t shifted_left(uint32_t high, uint32_t low, uint32_t shift) {
#ifdef __CUDA_ARCH__
  return __funnelshift_l(low, high, shift);
#else
  return static_cast<uint32_t>((uint64_t{high} << 32 | low) << shift % 32 >> 32);
#endif
}
MZ_HD inline uint32_t shifted_right(uint32_t high, uint32_t low, uint32_t shift) {
#ifdef __CUDA_ARCH__
  return __funnelshift_r(low, high, shift);
#else
  return static_cast<uint32_t>((uint64_t{high} << 32 | low) >> shift % 32);
#endif
}

/// Codes, each in the upper half of a word, its first bit topmost, with its length in the lower half.
struct FaxTables {
  /// Of kinds of events that need no run, vertical ones and passes: [kind]. Behind them, for runs
  /// below 64, of those that end one: [kRuns + 4 * run + kind]. FaxLane::put() has the kinds.
  static constexpr uint32_t kPass = 4, kRuns = 8;
  uint32_t events[kRuns + 4 * 64];
  uint32_t makeups[2][41];  ///< [ink][run / 64]
  uint32_t mode;            ///< of a horizontal code
};

inline constexpr FaxTables kFaxTables = [] {
  const auto entry = [](FaxCode code) {
    return static_cast<uint32_t>(code.bits) << (32 - code.length) | code.length;
  };
  const auto with_mode = [](FaxCode run) {
    FaxCode both = kHorizontalCode;
    both.bits = static_cast<uint16_t>(both.bits << run.length | run.bits);
    both.length = static_cast<uint16_t>(both.length + run.length);
    return both;
  };
  FaxTables tables{};
  tables.mode = entry(kHorizontalCode);
  for (uint32_t i = 0; i < 4; ++i) {
    tables.events[i] = entry(kVerticalCodes[3 + i]);
    tables.events[4 + i] = entry(kVerticalCodes[3 - i]);
  }
  tables.events[FaxTables::kPass] = entry(kPassCode);
  for (uint32_t ink = 0; ink < 2; ++ink) {
    for (uint32_t run = 0; run < 64; ++run) {
      const FaxCode code = kRunCodes[ink].terminating[run];
      tables.events[FaxTables::kRuns + 4 * run + ink] = entry(with_mode(code));
      tables.events[FaxTables::kRuns + 4 * run + ink + 2] = entry(code);
    }
    for (uint32_t i = 1; i <= 40; ++i) tables.makeups[ink][i] = entry(kRunCodes[ink].makeup[i]);
  }
  return tables;
}();

/// The words of two rows that a lane looks at.
struct LaneWords {
  uint32_t coded, coded_before;
  uint32_t above, above_before, above_after;
};

/// The first event of a step, where it ends a run so long that kLongestMakeup comes before it
/// `makeups` times. These codes, and the mode before them, are put before those of the lanes.
struct LongRun {
  uint32_t makeups = 0;
  bool ink = false;
  bool has_mode = false;
};

/// A run of that length has LongRun::makeups.
MZ_HD inline uint32_t long_makeups(uint32_t run) {
  return run < kLongestMakeup + 64 ? 0 : (run - 64) / kLongestMakeup;
}

/// The codes of a lane. Call take(), pass() and horizontal() in this order, all lanes of a step
/// before the next; then put().
class FaxLane {
 public:
  /// Words that the codes of a lane may fill. A column has at most one event, with a code of at
  /// most 7 bits a column since the one before; the first may end a run of any length (28 bits with
  /// its mode), and the row may end with a run of 0 (10 bits).
  static constexpr uint32_t kMostWords = (kLaneColumns * 7 + 28 + 10 + 31) / 32;

  /// `first_column` of the lane in a row of `width`.
  MZ_HD void take(const LaneWords& words, uint32_t first_column, uint32_t width) {
    words_ = words;
    first_column_ = first_column;
    to_end_ = width - first_column;
    changes_ = words.coded ^ shifted_left(words.coded, words.coded_before, 1);
    above_changes_ = words.above ^ shifted_left(words.above, words.above_before, 1);
    differ_ = words.coded ^ words.above;
    const uint32_t before = (words.above_before ^ words.above_before << 1) &
                            ~(words.coded_before ^ words.coded_before << 1) &
                            (words.coded_before ^ words.above_before);
    passing_ = shifted_left(above_changes_ & ~changes_ & differ_, before, 1);
    const uint32_t hold = ~(changes_ | above_changes_);
    const uint32_t begin = passing_ & hold;
    held_ = hold + begin;
    generates_ = held_ < begin;
  }
  MZ_HD bool has_changes() const { return (changes_ | above_changes_) != 0; }
  /// Whether the state in which a pass may be due begins in the lane's first column.
  MZ_HD bool passing_begins() const { return (passing_ & 1) != 0; }
  /// Of the addition that carries that state.
  MZ_HD bool generates() const { return generates_; }
  MZ_HD bool propagates() const { return held_ == ~0U; }

  /// `carry` of the addition came from the lanes before.
  MZ_HD void pass(bool carry) {
    passing_ |= held_ + static_cast<uint32_t>(carry);
    find_near();
    uint32_t odd = changes_ & ~near_;
    for (uint32_t shift = 1; shift < 32; shift *= 2) odd ^= odd << shift;
    const uint32_t flip = near_ & odd;
    const uint32_t held = ~near_ + (flip << 1 & ~near_);
    horizontal_ = odd ^ (flip | (~near_ & ~held));
  }
  MZ_HD bool has_near() const { return near_ != 0; }
  /// Whether the row is within a horizontal code behind the lane; until horizontal(), if it is not
  /// before.
  MZ_HD bool ends_horizontal() const { return horizontal_ >> 31 != 0; }

  /// `before`: whether the row is within a horizontal code before the lane.
  MZ_HD void horizontal(bool before) {
    if (before) horizontal_ ^= ~near_ & (near_ - 1);
    within_ = shifted_left(horizontal_, before ? ~0U : 0U, 1);
    passes_ = above_changes_ & ~changes_ & passing_ & ~within_;
  }
  /// Columns with a code.
  MZ_HD uint32_t events() const { return changes_ | passes_; }
  /// The column of the row that its last event is at; there is one.
  MZ_HD uint32_t last_event() const { return first_column_ + top_bit(events()); }

  /// Of the first lane with events in its step: what is put before it.
  MZ_HD LongRun long_run(uint32_t last_event) const {
    const uint32_t first = events() & ~(events() - 1);
    if ((first & runs()) == 0) return {};
    const uint32_t x = first_column_ + top_bit(first);
    return {long_makeups(x - last_event), (first & words_.coded) == 0, (first & within_) == 0};
  }

  /// Codes all events. `last_event`: the column of the last one before the lane. Calls out.put()
  /// with words in order, whose topmost bit is the first; returns the number of bits. Without the
  /// codes of long_run().
  template <typename Out>
  MZ_HD uint32_t put(const FaxTables& tables, uint32_t last_event, Out out) const;

 private:
  MZ_HD uint32_t runs() const { return changes_ & ~(near_ & ~within_); }
  MZ_HD void find_near();
  MZ_HD void add_end();
  MZ_HD bool ends_within_code() const {
    return to_end_ < kLaneColumns && (horizontal_ >> to_end_ & 1) != 0;
  }

  LaneWords words_;
  uint32_t first_column_, to_end_;
  uint32_t changes_, above_changes_, differ_;
  uint32_t passing_, held_;
  bool generates_;
  uint32_t near_, straight_, right1_, right2_, left1_, left2_, left3_;
  uint32_t horizontal_, within_, passes_;
};

/// Finds changes near those of the row above, and how far: right of one in the state of a pass,
/// else at or left of one with the same colour.
MZ_HD inline void FaxLane::find_near() {
  const uint32_t t = above_changes_;
  const uint32_t before = words_.above_before ^ words_.above_before << 1;  // its upper bits
  const uint32_t after = words_.above_after ^ shifted_left(words_.above_after, words_.above, 1);
  right1_ = shifted_left(t, before, 1);
  right2_ = shifted_left(t, before, 2);
  const uint32_t right3 = shifted_left(t, before, 3);
  const uint32_t t1 = shifted_right(after, t, 1);
  const uint32_t t2 = shifted_right(after, t, 2);
  const uint32_t t3 = shifted_right(after, t, 3);
  straight_ = t & ~differ_;
  left1_ = t1 & differ_;
  left2_ = t2 & (differ_ ^ t1);
  left3_ = t3 & (differ_ ^ t1 ^ t2);
  if (to_end_ < kLaneColumns + 3) add_end();
  near_ = changes_ & ((passing_ & (right1_ | right2_ | right3)) |
                      (~passing_ & (straight_ | left1_ | left2_ | left3_)));
}

/// The end of the row above has any colour.
MZ_HD inline void FaxLane::add_end() {
  const auto end = [to_end = to_end_](uint32_t columns) {
    const uint32_t x = to_end - columns;
    return x < kLaneColumns ? 1U << x : 0U;
  };
  straight_ |= end(0);
  left1_ |= end(1);
  left2_ |= end(2);
  left3_ |= end(3);
}

/// Bits, one code after another.
template <typename Out>
class FaxBits {
 public:
  MZ_HD explicit FaxBits(Out out) : out_(out) {}

  /// `code` as FaxTables has it. The sum of its lengths counts in the lower half of bits_; what
  /// codes add to the upper half means nothing.
  MZ_HD void put(uint32_t code) {
    const uint32_t sum = bits_ + code;
    if (((sum ^ bits_) & 32) != 0) out_.put(shifted_right(last_, code, bits_));
    last_ = shifted_left(last_, code, code);
    bits_ = sum;
  }
  /// Puts the last word; returns the number of bits.
  MZ_HD uint32_t end() {
    const uint32_t count = bits_ & 0xFFFF;
    if (count % 32 != 0) out_.put(last_ << (32 - count % 32));
    return count;
  }

 private:
  Out out_;
  uint32_t last_ = 0;  ///< its lower bits are those not put out
  uint32_t bits_ = 0;
};

/// Kinds of events as three planes, a bit a column. Vertical: 0, 1 .. 3 right, 5 .. 7 left; pass: 4.
/// The end of a run: ink + 2 * whether it is the second of its code. The first column is the topmost
/// bit, and a plane is turned so that turning it by x brings column x to the bit of the plane in an
/// offset of 4-byte words.
struct KindPlanes {
  uint32_t planes[3];

  MZ_HD void set(uint32_t plane, uint32_t columns) {
    const uint32_t first_on_top = reversed(columns);
    planes[plane] = shifted_left(first_on_top, first_on_top, plane + 3);
  }
  /// 4 * kind of the event in column x.
  MZ_HD uint32_t offset(uint32_t x) const {
    uint32_t offset = 0;
    for (uint32_t i = 0; i < 3; ++i) offset |= shifted_left(planes[i], planes[i], x) & 4U << i;
    return offset;
  }
};

template <typename Out>
MZ_HD uint32_t FaxLane::put(const FaxTables& tables, uint32_t last_event, Out out) const {
  FaxBits<Out> bits(out);
  const uint32_t moved = near_ & ~within_ & (passing_ | ~straight_);
  const uint32_t one = (passing_ & right1_) | (~passing_ & left1_);
  const uint32_t two = ~one & ((passing_ & right2_) | (~passing_ & left2_));
  KindPlanes kinds;
  kinds.set(0, (moved & ~two) | (runs() & ~words_.coded));
  kinds.set(1, (moved & ~one) | (runs() & within_));
  kinds.set(2, (moved & ~passing_) | passes_);
  const uint32_t runs = reversed(this->runs());
  uint32_t rest = reversed(events());

  uint32_t last = last_event - first_column_;
  const uint32_t first = leading_zeros(rest);
  const uint32_t first_run = first - last;
  if (first_run >= 64 && (runs >> (31 - first % 32) & 1) != 0) {
    const uint32_t makeups = long_makeups(first_run), left = first_run - makeups * kLongestMakeup;
    const uint32_t kind = kinds.offset(first) / 4;
    if (makeups == 0 && (kind & 2) == 0) bits.put(tables.mode);
    bits.put(tables.makeups[kind & 1][left / 64]);
    kinds.planes[1] |= shifted_left(0x80000000U >> first, 0x80000000U >> first, 4);
    last = first - left % 64;
  }
  while (rest != 0) {
    const uint32_t x = leading_zeros(rest);
    const uint32_t column = 0x80000000U >> x;
    rest &= ~column;
    uint32_t offset = kinds.offset(x);
    if ((runs & column) != 0) offset += (x - last) * 16 + FaxTables::kRuns * 4;
    last = x;
    bits.put(*reinterpret_cast<const uint32_t*>(reinterpret_cast<const std::byte*>(tables.events) +
                                                offset));
  }
  if (ends_within_code()) {
    bits.put(tables.events[FaxTables::kRuns + 2 + (words_.coded >> to_end_ & 1)]);
  }
  return bits.end();
}

/// The carries of an addition over the lanes of a step: bit i is what comes into lane i, bit 32 what
/// goes on to the next step. Masks of lanes that generate and that propagate one.
MZ_HD inline uint64_t lane_carries(uint32_t generate, uint32_t propagate, bool carry) {
  const uint64_t generated = uint64_t{generate} << 1 | static_cast<uint64_t>(carry);
  return (propagate + generated) ^ propagate;
}

/// Whether the row is within a horizontal code before lane `lane`, from masks of has_near() and
/// ends_horizontal(), and whether it is before the step.
MZ_HD inline bool within_code_before(uint32_t lane, uint32_t near, uint32_t ends, bool before) {
  const uint32_t below = (1U << lane) - 1;
  const uint32_t last_near = near & below;
  if (last_near == 0) return ((set_bits(ends & below) & 1) != 0) != before;
  return (set_bits(ends & below & ~0U << top_bit(last_near)) & 1) != 0;
}

}  // namespace mezzo::codec
