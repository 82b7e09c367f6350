// What T.6 writes at every column of a row, decided for many columns at once. Compiled once for
// each SIMD target.
//
// T.6 is defined as a walk: from a0, find the next change a1 of the row and the change b1 of the
// reference row, choose a mode, move a0. But before a column the walk is in one of three states,
// and each follows from the pixels to the left by an addition:
//
//   H  inside a horizontal mode: a1 is passed, a2 is not.
//   B  b1 is passed, and neither b2 nor a change of the row since.
//   N  neither.
//
// Let c and r be the pixels of the row and of the reference row, a and t their changes, and d = c ^
// r.
//
// B. Outside H, a0 is the last change of the row, or a b2 right of it, where r came back to the
// colour of a0. Either way c keeps the colour of a0 up to a1. So b1 is passed and b2 is not exactly
// if the last column with a change of either had one of r alone, after which r differs from c.
// Where it happens that is the bit t & ~a & d, and it holds up to the next change of either. An
// addition makes it hold: in a word with ones where nothing changes, a one added right of the bit
// is carried through them to the next change.
//
// V. A change of c outside H is a1, and b1 is known: in B it is the last change of r; in N it is
// the next one, not left of a1, that leaves the old colour of c. So the mode is vertical if r
// changed 1 to 3 columns before (B), or does so 0 to 3 columns further on (N). The change behind
// the last column has either colour.
//
// H. A change of c that has no b1 near begins a horizontal mode or, in H, ends it. After one that
// has, the walk is not in H, whether it was before or not. So H is the parity of the changes
// without since the last one with. That is the parity since the row began, less its value at that
// last one, which holds as B does.
//
// The rest is read off: at a change of c the mode is vertical or a run of a horizontal mode ends,
// and a change of r alone in B and outside H is b2, where a pass mode ends.
//
// A lane has 64 columns. The state before a lane comes from the lanes before it, of which each
// gives a state or passes on the one that it got: masks of a bit a lane, on which the same
// additions are done.

#if defined(MEZZOTINT_CODEC_FAX_MODES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MEZZOTINT_CODEC_FAX_MODES_INL_H
#undef MEZZOTINT_CODEC_FAX_MODES_INL_H
#else
#define MEZZOTINT_CODEC_FAX_MODES_INL_H
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "kernels/codec/fax_row.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::codec::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using WordTag = hn::CappedTag<uint64_t, WordLine::kWords>;
using Words = hn::Vec<WordTag>;
constexpr uint32_t kLanes = hn::MaxLanes(WordTag());
constexpr uint32_t kColumns = 64 * kLanes;  // that are decided at once

/// The events of kColumns columns: FaxEvent, a bit of it a word.
struct Events {
  HWY_ALIGN uint64_t kind[4][kLanes];
  HWY_ALIGN uint64_t any[kLanes];  ///< columns with an event
  uint32_t lanes;                  ///< with an event, a bit each
};

/// The state before the next column, from lane to lane and from step to step; a row begins in N.
struct WalkState {
  uint32_t b = 0;
  uint32_t h = 0;
};

/// A bit a lane.
HWY_INLINE uint32_t bits_of(hn::Mask<WordTag> mask) {
  uint8_t bits[8];
  hn::StoreMaskBits(WordTag(), mask, bits);
  return bits[0];
}
HWY_INLINE hn::Mask<WordTag> mask_of(uint32_t bits) {
  const uint8_t bytes[8] = {static_cast<uint8_t>(bits)};
  return hn::LoadMaskBits(WordTag(), bytes);
}
HWY_INLINE hn::Mask<WordTag> top_bits(Words v) {
  const hn::RebindToSigned<WordTag> d;
  return hn::RebindMask(WordTag(), hn::Lt(hn::BitCast(d, v), hn::Zero(d)));
}

/// Columns of `yes` where `where` is set, of `no` elsewhere.
HWY_INLINE Words select(Words where, Words yes, Words no) {
  return hn::Or(hn::And(where, yes), hn::AndNot(where, no));
}

/// For each column the one that lies kBy to its left, or to its right; `before` and `behind` are
/// the words one to the left and to the right.
template <int kBy>
HWY_INLINE Words from_left(Words before, Words v) {
#if HWY_TARGET <= HWY_AVX3_DL
  return Words{_mm512_shldi_epi64(v.raw, before.raw, kBy)};
#else
  return hn::Or(hn::ShiftLeft<kBy>(v), hn::ShiftRight<64 - kBy>(before));
#endif
}
template <int kBy>
HWY_INLINE Words from_right(Words v, Words behind) {
#if HWY_TARGET <= HWY_AVX3_DL
  return Words{_mm512_shrdi_epi64(v.raw, behind.raw, kBy)};
#else
  return hn::Or(hn::ShiftRight<kBy>(v), hn::ShiftLeft<64 - kBy>(behind));
#endif
}

/// The bit of column `x` in words from number `first` on, where it need not be.
HWY_INLINE Words bit_of_column(size_t x, size_t first) {
  const WordTag d;
  const auto lane = hn::Eq(hn::Iota(d, 0), hn::Set(d, x / 64 - first));
  return hn::IfThenElseZero(lane, hn::Set(d, uint64_t{1} << x % 64));
}

/// Bit i: the parity of bits 0 .. i of the lane.
HWY_INLINE Words parity_up_to(Words v) {
#if HWY_TARGET <= HWY_AVX3_DL
  const WordTag d;
  const auto ones = hn::Set(d, ~uint64_t{0});
  return hn::InterleaveLower(d, hn::CLMulLower(v, ones), hn::CLMulUpper(v, ones));
#else
  v = hn::Xor(v, hn::ShiftLeft<1>(v));
  v = hn::Xor(v, hn::ShiftLeft<2>(v));
  v = hn::Xor(v, hn::ShiftLeft<4>(v));
  v = hn::Xor(v, hn::ShiftLeft<8>(v));
  v = hn::Xor(v, hn::ShiftLeft<16>(v));
  return hn::Xor(v, hn::ShiftLeft<32>(v));
#endif
}

/// Each bit of `set`, and all columns behind it that `hold`; columns of `set` do not hold.
HWY_INLINE Words held(Words set, Words hold) {
  const auto flooded = hn::Add(hold, hn::And(hn::Add(set, set), hold));
  return hn::Or(set, hn::AndNot(flooded, hold));
}

/// A row and its reference at kColumns columns.
struct Columns {
  Words c, a, t, d;
};

/// Columns before which B holds. `state` is moved on.
HWY_INLINE Words before_b2(const Columns& at, WalkState& state) {
  const WordTag d;
  const auto changes = hn::Or(at.a, at.t);
  const auto begins = hn::And(hn::AndNot(at.a, at.t), at.d);
  // The last change of a lane decides for the next; one without changes passes on what it gets.
  const uint32_t gives = bits_of(hn::Gt(begins, hn::Xor(changes, begins)));
  const uint32_t passes = bits_of(hn::Eq(changes, hn::Zero(d)));
  const uint32_t sum = passes + (gives << 1 | state.b);
  state.b = sum >> kLanes & 1;
  const auto first = hn::IfThenElseZero(mask_of(sum ^ passes), hn::Set(d, 1));
  const auto behind = hn::Or(hn::Add(begins, begins), first);
  const auto hold = hn::Not(changes);
  return hn::Or(behind, hn::Add(hold, hn::And(behind, hold)));
}

/// Columns before which H holds. `vertical`: changes of the row that have a vertical mode outside
/// H.
HWY_INLINE Words in_horizontal(const Columns& at, Words vertical, WalkState& state) {
  const WordTag d;
  const auto others = hn::Not(vertical);
  const auto parity = parity_up_to(hn::AndNot(vertical, at.a));
  auto behind = hn::Xor(parity, held(hn::And(vertical, parity), others));
  // Before a lane it is that behind the lane before, and turns over in lanes without a vertical
  // mode.
  uint32_t after = bits_of(top_bits(behind));
  uint32_t turns = bits_of(hn::Eq(vertical, hn::Zero(d)));
  after ^= turns & state.h;
  for (uint32_t by = 1; by < kLanes; by *= 2) {
    after ^= turns & after << by;
    turns &= turns << by;
  }
  const auto before = mask_of(after << 1 | state.h);
  state.h = after >> (kLanes - 1) & 1;
  const auto up_to_vertical = hn::And(others, hn::Sub(vertical, hn::Set(d, 1)));
  behind = hn::Xor(behind, hn::IfThenElseZero(before, up_to_vertical));
  return hn::Or(hn::Add(behind, behind), hn::IfThenElseZero(before, hn::Set(d, 1)));
}

/// Where b1 lies from a change of the row: at it, or 1 .. 3 columns beside it, as far as it does.
struct Distances {
  Words at, one, two, three;
};

HWY_INLINE Distances
distances(const Columns& at, const FaxRow& reference, size_t word, uint32_t width, Words in_b) {
  const WordTag d;
  const uint64_t* const changes = reference.changes() + word;
  const auto left = hn::LoadU(d, changes - 1), right = hn::LoadU(d, changes + 1);
  const auto next1 = from_right<1>(at.t, right);
  const auto next2 = from_right<2>(at.t, right);
  const auto next3 = from_right<3>(at.t, right);
  const auto differs2 = hn::Xor(at.d, next1), differs3 = hn::Xor(differs2, next2);
  Distances n = {hn::AndNot(at.d, at.t),
                 hn::And(next1, at.d),
                 hn::And(next2, differs2),
                 hn::And(next3, differs3)};
  if (64 * (word + kLanes) + 3 > width) {
    n.at = hn::Or(n.at, bit_of_column(width, word));
    if (width >= 1) n.one = hn::Or(n.one, bit_of_column(width - 1, word));
    if (width >= 2) n.two = hn::Or(n.two, bit_of_column(width - 2, word));
    if (width >= 3) n.three = hn::Or(n.three, bit_of_column(width - 3, word));
  }
  return {hn::AndNot(in_b, n.at),
          select(in_b, from_left<1>(left, at.t), n.one),
          select(in_b, from_left<2>(left, at.t), n.two),
          select(in_b, from_left<3>(left, at.t), n.three)};
}

/// The changes of a row in words from number `word` on.
HWY_INLINE Words changes_of(const FaxRow& row, size_t word, Words pixels) {
  const auto left = hn::LoadU(WordTag(), row.pixels() + word - 1);
  return hn::Xor(pixels, from_left<1>(left, pixels));
}

HWY_INLINE void store_events(
    Words ones, Words twos, Words fours, Words eights, Words any, Events& to) {
  const WordTag d;
  hn::Store(ones, d, to.kind[0]);
  hn::Store(twos, d, to.kind[1]);
  hn::Store(fours, d, to.kind[2]);
  hn::Store(eights, d, to.kind[3]);
  hn::Store(any, d, to.any);
  to.lanes = bits_of(hn::Ne(any, hn::Zero(d)));
}

/// The runs of T.4 that end in the columns from word `word` on.
HWY_INLINE void decide_t4(const FaxRow& row, size_t word, Events& to) {
  const auto c = hn::LoadU(WordTag(), row.pixels() + word);
  const auto a = changes_of(row, word, c);
  store_events(hn::AndNot(c, a), a, a, a, a, to);
}

/// What T.6 has for the columns from word `word` on. Leaves the changes of the row in it.
HWY_INLINE void decide_t6(const FaxRow& reference,
                          FaxRow& row,
                          size_t word,
                          uint32_t width,
                          WalkState& state,
                          Events& to) {
  const WordTag d;
  Columns at;
  at.c = hn::LoadU(d, row.pixels() + word);
  at.a = changes_of(row, word, at.c);
  at.t = hn::LoadU(d, reference.changes() + word);
  hn::StoreU(at.a, d, row.changes() + word);
  to.lanes = 0;
  if (hn::AllTrue(d, hn::Eq(hn::Or(at.a, at.t), hn::Zero(d)))) return;  // B and H hold
  at.d = hn::Xor(at.c, hn::LoadU(d, reference.pixels() + word));

  const auto in_b = before_b2(at, state);
  const Distances b1 = distances(at, reference, word, width, in_b);
  const auto within_three = hn::Or(hn::Or(b1.at, b1.one), hn::Or(b1.two, b1.three));
  const auto near = hn::And(at.a, within_three);
  const auto in_h = in_horizontal(at, near, state);

  const auto vertical = hn::AndNot(in_h, near);
  const auto beside = hn::AndNot(b1.at, vertical);
  const auto run = hn::AndNot(vertical, at.a);
  const auto pass = hn::And(hn::AndNot(at.a, at.t), hn::AndNot(in_h, in_b));
  // The bits of FaxEvent: a distance of 1 is 01, of 2 is 10, of 3 is 11.
  const auto odd = hn::AndNot(hn::AndNot(b1.one, b1.two), beside);
  store_events(hn::Or(hn::Or(hn::And(vertical, b1.at), odd), hn::AndNot(at.c, run)),
               hn::Or(hn::AndNot(b1.one, beside), hn::And(run, in_h)),
               hn::Or(hn::And(beside, in_b), run),
               hn::Or(hn::AndNot(in_b, beside), hn::Or(pass, run)),
               hn::Or(at.a, pass),
               to);
}

}  // namespace mezzo::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
