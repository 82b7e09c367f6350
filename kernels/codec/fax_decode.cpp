#include "kernels/codec/fax_decode.h"

#include <cstring>
#include <optional>
#include <source_location>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/codec/fax_strip.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/codec/fax_decode.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#ifndef MEZZOTINT_CODEC_FAX_DECODE_ONCE
#define MEZZOTINT_CODEC_FAX_DECODE_ONCE
namespace mezzo::codec {

/// Strips that are alike: kDense has a code for every few pixels, kMiddle for every few bytes.
enum class FaxDensity { kSparse, kMiddle, kDense };

using FaxStrips = std::vector<FaxStrip*>;

}  // namespace mezzo::codec
#endif

#undef MEZZOTINT_HAS_LANES
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
#define MEZZOTINT_HAS_LANES 1
// For counting leading zeros, which every processor with AVX3 has, and Highway's AVX3 leaves out.
HWY_PUSH_ATTRIBUTES(HWY_TARGET_STR ",avx512cd")
#else
#define MEZZOTINT_HAS_LANES 0
HWY_BEFORE_NAMESPACE();
#endif
namespace mezzo::codec::HWY_NAMESPACE {

#if MEZZOTINT_HAS_LANES

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::FixedTag<uint64_t, 8>;
using Vector = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;
constexpr uint32_t kLanes = 8;
constexpr uint64_t kHighest = uint64_t{1} << 63;

/// The last column of a window that a step may end at. Where the window has no b1, it counts as 65 px
/// away, so that VL(3) ends behind this column.
constexpr uint64_t kLastColumn = FaxStripDecoder::kWindow - 3;

HWY_INLINE Vector leading_zeros(Vector v) {
  return Vector{_mm512_lzcnt_epi64(v.raw)};
}

/// The lanes of the mask whose value, signed, is at most 0.
HWY_INLINE Mask at_most_zero(Mask mask, Vector v) {
  return Mask{_mm512_mask_cmple_epi64_mask(mask.raw, v.raw, _mm512_setzero_si512())};
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

/// Where lanes stand within their windows; shifts by 64 and more give 0.
struct Turn {
  Vector to_ink, to_white;  ///< bit 63 - x: the row above changes to that colour at x + 1
  Vector limit;             ///< the last column that is moved to
  Vector bits;              ///< of the stream, the next one highest
  Vector state;             ///< FaxState << FaxStep::kStateAt
  Mask fits;                ///< all steps did so far; the following are of the lanes where they did
  Vector column, marks, length, settled;  ///< settled: the state
};

template <uint32_t kMove>
HWY_INLINE void move(Vector step, Vector changes, Vector& column, Vector& marks, Mask& is_wrong) {
  const Tag d;
  const hn::RebindToSigned<Tag> di;
  const Mask is_to_change = lacks_bit(step, FaxStep::is_run(kMove));
  const Vector to_change =
      hn::IfThenElseZero(is_to_change, leading_zeros(hn::Shl(changes, column)));
  constexpr int kAbove = 56 - FaxStep::amount_at(kMove);
  const auto amount = hn::ShiftRight<56>(hn::BitCast(di, hn::ShiftLeft<kAbove>(step)));
  const Vector distance = hn::Add(to_change, hn::BitCast(d, amount));
  is_wrong = hn::Or(is_wrong, at_most_zero(is_to_change, distance));
  column = hn::Add(column, distance);
  const Mask is_marked = has_bit(step, FaxStep::is_marked(kMove));
  marks = hn::Xor(marks, hn::IfThenElseZero(is_marked, hn::Shr(hn::Set(d, kHighest), column)));
}

template <uint32_t kMoves>
HWY_INLINE void take_step(const uint64_t* steps, Turn& turn) {
  const Tag d;
  const hn::RebindToSigned<Tag> di;
  const Vector index = hn::Or(turn.state, hn::ShiftRight<64 - kStepBits>(turn.bits));
  const Vector step = hn::GatherIndex(d, steps, hn::BitCast(di, index));
  const Mask is_ink = has_bit(turn.state, uint64_t{1} << FaxStep::kStateAt);
  const Vector first = hn::IfThenElse(is_ink, turn.to_white, turn.to_ink);
  const Vector second = hn::IfThenElse(is_ink, turn.to_ink, turn.to_white);

  Vector column = turn.column, marks = turn.marks;
  Mask is_wrong = hn::MaskFromVec(hn::Zero(d));
  move<0>(step, first, column, marks, is_wrong);
  move<1>(step, second, column, marks, is_wrong);
  if constexpr (kMoves > 2) {
    move<2>(step, first, column, marks, is_wrong);
    move<3>(step, second, column, marks, is_wrong);
  }
  const Vector length = hn::And(step, hn::Set(d, FaxStep::kLengthMask));
  turn.bits = hn::Shl(turn.bits, length);
  turn.state = hn::And(step, hn::Set(d, FaxStep::kStateMask));

  turn.fits = hn::AndNot(hn::Or(is_wrong, hn::Gt(column, turn.limit)), turn.fits);
  turn.column = hn::IfThenElse(turn.fits, column, turn.column);
  turn.marks = hn::IfThenElse(turn.fits, marks, turn.marks);
  turn.length = hn::Add(turn.length, hn::IfThenElseZero(turn.fits, length));
  turn.settled = hn::IfThenElse(turn.fits, turn.state, turn.settled);
}

/// Strips side by side. A turn loads a window of each stream and of each row above, takes kSteps
/// steps of kMoves moves, and keeps those that stayed inside the windows. A lane that did not move
/// takes a code alone, and at the end of a row begins the next one.
template <uint32_t kMoves, uint32_t kSteps>
class Lanes {
 public:
  static_assert(kSteps * kStepBits <= FaxStripDecoder::kWindow - 7);

  Lanes(const FaxStrips& strips, FaxCoding coding)
      : strips_(strips), coding_(coding), steps_(fax_steps(coding, kMoves).data()) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) begin_strip(lane);
  }

  void decode() {
    while (live_ != 0) {
      for (uint32_t waiting = take_turn() & live_; waiting != 0; waiting &= waiting - 1) {
        go_on_alone(static_cast<uint32_t>(__builtin_ctz(waiting)));
      }
    }
  }

 private:
  /// Moves all lanes on. Returns those, as bits, that stayed, or where the next turn is not allowed.
  uint32_t take_turn() {
    Turn turn = begin_turn();
    for (uint32_t i = 0; i < kSteps; ++i) take_step<kMoves>(steps_, turn);
    return end_turn(turn);
  }

  Turn begin_turn() const {
    const Tag d;
    const Vector column = hn::Load(d, column_), bit = hn::Load(d, bit_);
    const Vector in_byte = hn::And(column, hn::Set(d, 7));
    const Vector above = load_windows(above_, column);
    const Vector next = hn::ShiftLeft<1>(above);
    // Behind its last pixel a row changes to either colour. The pixel behind the window is unknown.
    const Vector left = hn::Sub(hn::Load(d, width_), hn::AndNot(hn::Set(d, 7), column));
    const Vector last = hn::Sub(left, hn::Set(d, 1));
    const Vector end = hn::Shr(hn::Set(d, kHighest), last);
    const Vector outside = hn::Or(hn::Shr(hn::Set(d, ~uint64_t{0}), last), hn::Set(d, 1));
    const Vector state = hn::Load(d, state_);
    return {.to_ink = hn::Or(hn::AndNot(outside, hn::AndNot(above, next)), end),
            .to_white = hn::Or(hn::AndNot(outside, hn::AndNot(next, above)), end),
            .limit = hn::Min(left, hn::Set(d, kLastColumn)),
            .bits = hn::Shl(load_windows(coded_, bit), hn::And(bit, hn::Set(d, 7))),
            .state = state,
            .fits = hn::Eq(column, column),
            .column = in_byte,
            .marks = hn::Load(d, marks_),
            .length = hn::Zero(d),
            .settled = state};
  }

  uint32_t end_turn(const Turn& turn) {
    const Tag d;
    const Vector seven = hn::Set(d, 7);
    const Vector column = hn::Load(d, column_);
    store_windows(row_, column, turn.marks);
    const Vector new_bit = hn::Add(hn::Load(d, bit_), turn.length);
    const Vector new_column = hn::Add(hn::AndNot(seven, column), turn.column);
    hn::Store(new_bit, d, bit_);
    hn::Store(new_column, d, column_);
    hn::Store(turn.settled, d, state_);
    hn::Store(hn::Shl(turn.marks, hn::AndNot(seven, turn.column)), d, marks_);
    const Mask is_stuck = hn::Eq(turn.length, hn::Zero(d));
    const Mask is_at_end = hn::Or(hn::Gt(new_bit, hn::Load(d, last_bit_)),
                                  hn::Gt(new_column, hn::Load(d, last_column_)));
    uint8_t waiting[8] = {};
    hn::StoreMaskBits(d, hn::Or(is_stuck, is_at_end), waiting);
    return waiting[0];
  }

  static Vector load_windows(const uint8_t* const* from, Vector bit) {
    const Tag d;
    HWY_ALIGN uint64_t bytes[kLanes];
    HWY_ALIGN uint64_t words[kLanes];
    hn::Store(hn::ShiftRight<3>(bit), d, bytes);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      std::memcpy(&words[lane], from[lane] + bytes[lane], 8);
    }
    return high_first(hn::Load(d, words));
  }

  static void store_windows(uint8_t* const* to, Vector bit, Vector v) {
    const Tag d;
    HWY_ALIGN uint64_t bytes[kLanes];
    HWY_ALIGN uint64_t words[kLanes];
    hn::Store(hn::ShiftRight<3>(bit), d, bytes);
    hn::Store(high_first(v), d, words);
    for (uint32_t lane = 0; lane < kLanes; ++lane) {
      std::memcpy(to[lane] + bytes[lane], &words[lane], 8);
    }
  }

  void go_on_alone(uint32_t lane) {
    FaxStripDecoder& decoder = *decoders_[lane];
    const bool has_moved =
        decoder.move_to(bit_[lane],
                        static_cast<uint32_t>(column_[lane]),
                        static_cast<uint32_t>(state_[lane] >> FaxStep::kStateAt));
    if (!has_moved) decoder.decode_code();
    settle(lane);
  }

  /// Decodes code by code up to a place where the lane can take turns, or to the end of the strip.
  void settle(uint32_t lane) {
    FaxStripDecoder& decoder = *decoders_[lane];
    while (!decoder.is_done() && !decoder.has_window()) decoder.decode_code();
    if (decoder.is_done()) {
      strip_[lane]->right_rows = decoder.right_rows();
      begin_strip(lane);
      return;
    }
    const FaxStripDecoder::Place& place = decoder.place();
    coded_[lane] = place.coded;
    above_[lane] = place.above;
    row_[lane] = place.row;
    bit_[lane] = place.bit;
    column_[lane] = place.column;
    state_[lane] = uint64_t{place.state} << FaxStep::kStateAt;
    marks_[lane] = load_high_first(place.row + place.column / 8, 8);
    last_bit_[lane] = decoder.last_bit();
    last_column_[lane] = decoder.last_column();
    width_[lane] = strip_[lane]->rows.width_px;
  }

  void begin_strip(uint32_t lane) {
    if (next_ < strips_.size()) {
      FaxStrip& strip = *strips_[next_++];
      decoders_[lane].emplace(strip.coded, strip.rows, coding_);
      strip_[lane] = &strip;
      live_ |= 1U << lane;
      settle(lane);
      return;
    }
    live_ &= ~(1U << lane);
    coded_[lane] = above_[lane] = row_[lane] = idle_;
    bit_[lane] = column_[lane] = state_[lane] = marks_[lane] = 0;
    last_bit_[lane] = last_column_[lane] = width_[lane] = 0;
  }

  const FaxStrips& strips_;
  const FaxCoding coding_;
  const uint64_t* const steps_;
  size_t next_ = 0;       // strip that no lane has begun
  uint32_t live_ = 0;     // lanes that have a strip, as bits
  uint8_t idle_[8] = {};  // the stream and the rows of the others, which stay where they are
  std::optional<FaxStripDecoder> decoders_[kLanes];
  FaxStrip* strip_[kLanes] = {};
  const uint8_t* coded_[kLanes] = {};
  const uint8_t* above_[kLanes] = {};
  uint8_t* row_[kLanes] = {};
  HWY_ALIGN uint64_t bit_[kLanes] = {};
  HWY_ALIGN uint64_t column_[kLanes] = {};
  HWY_ALIGN uint64_t state_[kLanes] = {};
  HWY_ALIGN uint64_t marks_[kLanes] = {};  // of the row, from the byte of the column on
  HWY_ALIGN uint64_t last_bit_[kLanes] = {};
  HWY_ALIGN uint64_t last_column_[kLanes] = {};
  HWY_ALIGN uint64_t width_[kLanes] = {};
};

bool has_lanes() {
  return __builtin_cpu_supports("avx512cd") != 0;
}

void decode_side_by_side(const FaxStrips& strips, FaxCoding coding, FaxDensity density) {
  if (density == FaxDensity::kDense) {
    Lanes<4, 4>(strips, coding).decode();
  } else {
    Lanes<2, 3>(strips, coding).decode();
  }
}

#else

bool has_lanes() {
  return false;
}

void decode_side_by_side(const FaxStrips& /*strips*/,
                         FaxCoding /*coding*/,
                         FaxDensity /*density*/) {
  assertion_failed("has_lanes()", std::source_location::current());
}

#endif

}  // namespace mezzo::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::codec {

HWY_EXPORT(has_lanes);
HWY_EXPORT(decode_side_by_side);

namespace {

/// Measured: below 0.1 coded bits a pixel most codes are of long runs, for which a lane leaves its
/// window; from 0.8 on four moves a step are as often within it as two.
FaxDensity density_of(const FaxStrip& strip) {
  const double pixels = static_cast<double>(strip.rows.width_px) * strip.rows.rows;
  const double bits_per_px = 8 * static_cast<double>(strip.coded.size()) / pixels;
  if (bits_per_px < 0.1) return FaxDensity::kSparse;
  return bits_per_px < 0.8 ? FaxDensity::kMiddle : FaxDensity::kDense;
}

void decode_alone(FaxStrip& strip, FaxCoding coding) {
  FaxStripDecoder decoder(strip.coded, strip.rows, coding);
  decoder.decode();
  strip.right_rows = decoder.right_rows();
}

}  // namespace

bool decodes_fax_side_by_side() {
  return HWY_DYNAMIC_DISPATCH(has_lanes)();
}

void decode_fax(std::span<FaxStrip> strips, FaxCoding coding) {
  FaxStrips by_density[3];
  for (FaxStrip& strip : strips) {
    by_density[static_cast<size_t>(density_of(strip))].push_back(&strip);
  }
  for (const FaxDensity density : {FaxDensity::kSparse, FaxDensity::kMiddle, FaxDensity::kDense}) {
    const FaxStrips& group = by_density[static_cast<size_t>(density)];
    if (density != FaxDensity::kSparse && group.size() > 1 && decodes_fax_side_by_side()) {
      HWY_DYNAMIC_DISPATCH(decode_side_by_side)(group, coding, density);
    } else {
      for (FaxStrip* strip : group) decode_alone(*strip, coding);
    }
  }
}

}  // namespace mezzo::codec
#endif
