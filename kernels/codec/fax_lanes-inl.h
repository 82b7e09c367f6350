// Eight strips of fax at once, each in a lane of a vector, for processors with AVX-512: steps of several
// codes within 64 columns of a row. fax_decode.cpp has two such vectors at work, and does the rest.

#if defined(MEZZOTINT_CODEC_FAX_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MEZZOTINT_CODEC_FAX_LANES_INL_H
#undef MEZZOTINT_CODEC_FAX_LANES_INL_H
#else
#define MEZZOTINT_CODEC_FAX_LANES_INL_H
#endif

#include <hwy/highway.h>

#include <cstdint>
#include <cstring>

#include "kernels/codec/fax_lookup.h"

#undef MEZZOTINT_HAS_LANES
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define MEZZOTINT_HAS_LANES 1
#else
#define MEZZOTINT_HAS_LANES 0
#endif

#if MEZZOTINT_HAS_LANES

// For counting leading zeros, which every processor with AVX3 has, and Highway's AVX3 leaves out.
HWY_PUSH_ATTRIBUTES(HWY_TARGET_STR ",avx512cd")
namespace mezzo::codec::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::FixedTag<uint64_t, 8>;
using Vector = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;
constexpr uint32_t kVectorLanes = 8;
constexpr uint64_t kHighest = uint64_t{1} << 63;

HWY_INLINE Vector leading_zeros(Vector v) {
  return Vector{_mm512_lzcnt_epi64(v.raw)};
}

/// Where the mask is set, the lesser one, signed; elsewhere `a`.
HWY_INLINE Vector min_where(Mask mask, Vector a, Vector b) {
  return Vector{_mm512_mask_min_epi64(a.raw, mask.raw, a.raw, b.raw)};
}

HWY_INLINE Mask is_positive(Vector v) {
  return Mask{_mm512_cmpgt_epi64_mask(v.raw, _mm512_setzero_si512())};
}

HWY_INLINE Mask has_bit(Vector v, uint64_t bit) {
  return hn::TestBit(v, hn::Set(Tag(), bit));
}

HWY_INLINE Mask lacks_bit(Vector v, uint64_t bit) {
  return Mask{_mm512_testn_epi64_mask(v.raw, hn::Set(Tag(), bit).raw)};
}

/// Eight bytes with the first one highest.
HWY_INLINE Vector high_first(Vector v) {
  const hn::Repartition<uint8_t, Tag> d8;
  alignas(16) static constexpr uint8_t kReversed[16] = {
      7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8};
  return hn::BitCast(Tag(),
                     hn::TableLookupBytes(hn::BitCast(d8, v), hn::LoadDup128(d8, kReversed)));
}

HWY_INLINE Vector joined(__m128i a, __m128i b, __m128i c, __m128i d) {
  const __m512i low = _mm512_castsi256_si512(_mm256_set_m128i(b, a));
  return Vector{_mm512_inserti64x4(low, _mm256_set_m128i(d, c), 1)};
}

/// load(lane, number) of each lane and its number. Measured: faster than a gather. The numbers go through
/// memory, and volatile, as compilers would else take them out of the vector one by one.
template <class Load>
HWY_INLINE Vector load_by_lane(Vector numbers, const Load& load) {
  HWY_ALIGN uint64_t stored[kVectorLanes];
  hn::Store(numbers, Tag(), stored);
  const volatile uint64_t* const of = stored;
  const auto pair = [&](uint32_t lane) {
    return _mm_set_epi64x(static_cast<int64_t>(load(lane + 1, of[lane + 1])),
                          static_cast<int64_t>(load(lane, of[lane])));
  };
  return joined(pair(0), pair(2), pair(4), pair(6));
}

/// The 57 or more bits of the streams from `bit` on, the first one highest.
HWY_INLINE Vector load_bits(const uint8_t* const* streams, Vector bit) {
  const auto load = [streams](uint32_t lane, uint64_t byte) {
    uint64_t word;
    std::memcpy(&word, streams[lane] + byte, sizeof word);
    return word;
  };
  const Vector words = high_first(load_by_lane(hn::ShiftRight<3>(bit), load));
  return hn::Shl(words, hn::And(bit, hn::Set(Tag(), 7)));
}

/// 128 columns of a row, the first one highest. Shifts by 64 and more, or less than 0, give 0.
struct Window {
  Vector high, low;

  /// 64 columns, from the given one on: 0 to 127.
  HWY_INLINE Vector at(Vector column) const {
    const Vector word = hn::Set(Tag(), 64);
    return hn::Or(hn::Or(hn::Shl(high, column), hn::Shr(low, hn::Sub(word, column))),
                  hn::Shl(low, hn::Sub(column, word)));
  }

  /// Flips the bits from a column on: 0 to 63.
  HWY_INLINE void flip(Vector bits, Vector column) {
    high = hn::Xor(high, hn::Shr(bits, column));
    low = hn::Xor(low, hn::Shl(bits, hn::Sub(hn::Set(Tag(), 64), column)));
  }
};

/// From the byte of the column on; rows and columns are those of the lanes.
HWY_INLINE Window load_window(const uint8_t* const* rows, const uint64_t* columns) {
  const auto pair = [&](uint32_t lane) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(rows[lane] + columns[lane] / 8));
  };
  const __m512i even = high_first(joined(pair(0), pair(2), pair(4), pair(6))).raw;
  const __m512i odd = high_first(joined(pair(1), pair(3), pair(5), pair(7))).raw;
  return {Vector{_mm512_unpacklo_epi64(even, odd)}, Vector{_mm512_unpackhi_epi64(even, odd)}};
}

template <int kPair>
HWY_INLINE void store_pair(uint8_t* const* rows, const uint64_t* columns, Vector even, Vector odd) {
  uint8_t* const first = rows[2 * kPair] + columns[2 * kPair] / 8;
  uint8_t* const second = rows[2 * kPair + 1] + columns[2 * kPair + 1] / 8;
  _mm_storeu_si128(reinterpret_cast<__m128i*>(first), _mm512_extracti64x2_epi64(even.raw, kPair));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(second), _mm512_extracti64x2_epi64(odd.raw, kPair));
}

HWY_INLINE void store_window(uint8_t* const* rows, const uint64_t* columns, const Window& window) {
  const __m512i high = window.high.raw, low = window.low.raw;
  const Vector even = high_first(Vector{_mm512_unpacklo_epi64(high, low)});
  const Vector odd = high_first(Vector{_mm512_unpackhi_epi64(high, low)});
  store_pair<0>(rows, columns, even, odd);
  store_pair<1>(rows, columns, even, odd);
  store_pair<2>(rows, columns, even, odd);
  store_pair<3>(rows, columns, even, odd);
}

/// 64 columns from one on that the lanes stand at, and how far they went.
struct Frame {
  Vector to_ink, to_white;  ///< bit 63 - x: the row above changes to that colour at x + 1
  Vector limit;             ///< the last column that is moved to
  Mask fits;                ///< all steps did so far; the following are of the lanes where they did
  Vector column, marks;
  Vector bits;    ///< of the stream, the next one highest
  Vector length;  ///< bits that were taken
  Vector state,
      new_state;  ///< FaxState << FaxStep::kStateAt; new: behind a step that did not fit, too
};

/// Where a frame has no b1, it counts as 65 px away, so that VL(3) ends behind this column.
constexpr uint64_t kLastColumn = 64 - 3;

/// `above`: the row above, `left`: columns up to the end of the row, `last`: at most kLastColumn.
HWY_INLINE Frame
begin_frame(Vector above, Vector left, uint64_t last, Vector bits, Vector length, Vector state) {
  const Tag d;
  const Vector next = hn::ShiftLeft<1>(above);
  // Behind its last pixel a row changes to either colour. The pixel behind the frame is unknown.
  const Vector last_of_row = hn::Sub(left, hn::Set(d, 1));
  const Vector end = hn::Shr(hn::Set(d, kHighest), last_of_row);
  const Vector outside = hn::Or(hn::Shr(hn::Set(d, ~uint64_t{0}), last_of_row), hn::Set(d, 1));
  return {.to_ink = hn::Or(hn::AndNot(outside, hn::AndNot(above, next)), end),
          .to_white = hn::Or(hn::AndNot(outside, hn::AndNot(next, above)), end),
          .limit = hn::Min(left, hn::Set(d, last)),
          .fits = hn::Eq(left, left),
          .column = hn::Zero(d),
          .marks = hn::Zero(d),
          .bits = bits,
          .length = length,
          .state = state,
          .new_state = state};
}

/// `nearest`: how far vertical codes went, at least.
template <uint32_t kMove>
HWY_INLINE void move(Vector step, Vector changes, Vector& column, Vector& marks, Vector& nearest) {
  const Tag d;
  const hn::RebindToSigned<Tag> di;
  const Mask is_to_change = lacks_bit(step, FaxStep::is_run(kMove));
  const Vector to_change =
      hn::IfThenElseZero(is_to_change, leading_zeros(hn::Shl(changes, column)));
  constexpr int kAbove = 56 - FaxStep::amount_at(kMove);
  const auto amount = hn::ShiftRight<56>(hn::BitCast(di, hn::ShiftLeft<kAbove>(step)));
  const Vector distance = hn::Add(to_change, hn::BitCast(d, amount));
  nearest = min_where(is_to_change, nearest, distance);
  column = hn::Add(column, distance);
  const Mask is_marked = has_bit(step, FaxStep::is_marked(kMove));
  marks = hn::Xor(marks, hn::IfThenElseZero(is_marked, hn::Shr(hn::Set(d, kHighest), column)));
}

template <uint32_t kMoves>
HWY_INLINE void take_step(const uint64_t* steps, Frame& frame) {
  static_assert(kMoves == 2 || kMoves == 4);
  const Tag d;
  const Vector index = hn::Or(frame.new_state, hn::ShiftRight<64 - kStepBits>(frame.bits));
  const Vector step = load_by_lane(index, [steps](uint32_t, uint64_t at) { return steps[at]; });
  const Mask is_ink = has_bit(frame.new_state, uint64_t{1} << FaxStep::kStateAt);
  const Vector first = hn::IfThenElse(is_ink, frame.to_white, frame.to_ink);
  const Vector second = hn::IfThenElse(is_ink, frame.to_ink, frame.to_white);

  Vector column = frame.column, marks = frame.marks, nearest = hn::Set(d, 1);
  move<0>(step, first, column, marks, nearest);
  move<1>(step, second, column, marks, nearest);
  if constexpr (kMoves == 4) {
    move<2>(step, first, column, marks, nearest);
    move<3>(step, second, column, marks, nearest);
  }
  const Vector length = hn::And(step, hn::Set(d, FaxStep::kLengthMask));
  frame.bits = hn::Shl(frame.bits, length);
  frame.new_state = hn::And(step, hn::Set(d, FaxStep::kStateMask));

  const Mask is_right = hn::AndNot(hn::Gt(column, frame.limit), is_positive(nearest));
  frame.fits = hn::And(frame.fits, is_right);
  frame.column = hn::IfThenElse(frame.fits, column, frame.column);
  frame.marks = hn::IfThenElse(frame.fits, marks, frame.marks);
  frame.length = hn::Add(frame.length, hn::IfThenElseZero(frame.fits, length));
  frame.state = hn::IfThenElse(frame.fits, frame.new_state, frame.state);
}

}  // namespace mezzo::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // MEZZOTINT_HAS_LANES

#endif
