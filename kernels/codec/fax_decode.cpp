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

#include "kernels/codec/fax_lanes-inl.h"

#ifndef MEZZOTINT_CODEC_FAX_DECODE_ONCE
#define MEZZOTINT_CODEC_FAX_DECODE_ONCE
namespace mezzo::codec {

/// Strips that are alike: kDense has a code for every few pixels, kMiddle for every few bytes.
enum class FaxDensity { kSparse, kMiddle, kDense };

using FaxStrips = std::vector<FaxStrip*>;

}  // namespace mezzo::codec
#endif

#if MEZZOTINT_HAS_LANES
HWY_PUSH_ATTRIBUTES(HWY_TARGET_STR ",avx512cd")
#else
HWY_BEFORE_NAMESPACE();
#endif
namespace mezzo::codec::HWY_NAMESPACE {

#if MEZZOTINT_HAS_LANES

/// Strips side by side, in two vectors whose steps alternate, as each of them is a chain of instructions
/// that wait for one another. A turn loads a window of each stream and of each row above, takes steps of
/// kMoves moves, kSteps in each of two frames, and keeps those that stayed inside. A lane that did not
/// move takes a code alone, and at the end of a row begins the next one.
template <uint32_t kMoves, uint32_t kSteps>
class Lanes {
 public:
  static constexpr uint32_t kLanes = 2 * kVectorLanes;

  Lanes(const FaxStrips& strips, FaxCoding coding)
      : strips_(strips), coding_(coding), steps_(fax_steps(coding, kMoves).data()) {
    for (uint32_t lane = 0; lane < kLanes; ++lane) begin_strip(lane);
  }

  void decode() {
    while (live_ != 0) {
      const Halted halted = take_turn();
      for (uint32_t lanes = halted.lanes & live_; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<uint32_t>(__builtin_ctz(lanes));
        go_on_alone(lane, (halted.stuck >> lane & 1) != 0);
      }
    }
  }

 private:
  /// Lanes, as bits, that must not take the next turn. Those that are stuck did not move in the last one.
  struct Halted {
    uint32_t lanes, stuck;
  };

  /// Of the first frame: the second one begins in the first 64 columns of the window, too.
  static constexpr uint64_t kLastOfFirstFrame = 63 - 7;

  /// Where the lanes of a vector stand, from the byte of their column on.
  struct Turn {
    Window above, marks;
    Vector left;           // columns of the row
    Vector column;         // of these
    Vector bits;           // of the stream, the next one highest
    Vector length, state;  // length: bits that were taken
  };

  Halted take_turn() {
    Turn a = begin_turn(0), b = begin_turn(kVectorLanes);
    take_frame(a, b, kLastOfFirstFrame);
    load_next_bits(a, 0);
    load_next_bits(b, kVectorLanes);
    take_frame(a, b, kLastColumn);
    const Halted of_a = end_turn(a, 0), of_b = end_turn(b, kVectorLanes);
    return {of_a.lanes | of_b.lanes << kVectorLanes, of_a.stuck | of_b.stuck << kVectorLanes};
  }

  HWY_INLINE Turn begin_turn(uint32_t lane) const {
    const Tag d;
    const Vector column = hn::Load(d, column_ + lane), seven = hn::Set(d, 7);
    return {.above = load_window(above_ + lane, column_ + lane),
            .marks = {hn::Load(d, marks_ + lane), hn::Zero(d)},
            .left = hn::Sub(hn::Load(d, width_ + lane), hn::AndNot(seven, column)),
            .column = hn::And(column, seven),
            .bits = load_bits(coded_ + lane, hn::Load(d, bit_ + lane)),
            .length = hn::Zero(d),
            .state = hn::Load(d, state_ + lane)};
  }

  static HWY_INLINE Frame frame_of(const Turn& turn, uint64_t last) {
    const Vector left = hn::Sub(turn.left, turn.column);
    return begin_frame(turn.above.at(turn.column), left, last, turn.bits, turn.length, turn.state);
  }

  HWY_INLINE void take_frame(Turn& a, Turn& b, uint64_t last) const {
    Frame frame_a = frame_of(a, last), frame_b = frame_of(b, last);
    for (uint32_t i = 0; i < kSteps; ++i) {
      take_step<kMoves>(steps_, frame_a);
      take_step<kMoves>(steps_, frame_b);
    }
    end_frame(frame_a, a);
    end_frame(frame_b, b);
  }

  static HWY_INLINE void end_frame(const Frame& frame, Turn& turn) {
    turn.marks.flip(frame.marks, turn.column);
    turn.column = hn::Add(turn.column, frame.column);
    turn.length = frame.length;
    turn.state = frame.state;
  }

  /// For the second frame, whose place is known only now.
  HWY_INLINE void load_next_bits(Turn& turn, uint32_t lane) const {
    constexpr uint32_t kBits = 64 - 7;  // of a load
    static_assert(kSteps * kStepBits <= kBits &&
                  kSteps * kStepBits + 64 <= FaxStripDecoder::kWindow);
    if constexpr (2 * kSteps * kStepBits <= kBits) {
      turn.bits = hn::Shl(turn.bits, turn.length);
    } else {
      turn.bits = load_bits(coded_ + lane, hn::Add(hn::Load(Tag(), bit_ + lane), turn.length));
    }
  }

  HWY_INLINE Halted end_turn(const Turn& turn, uint32_t lane) {
    const Tag d;
    const Vector column = hn::Load(d, column_ + lane), seven = hn::Set(d, 7);
    const Vector new_column = hn::Add(hn::AndNot(seven, column), turn.column);
    const Vector new_bit = hn::Add(hn::Load(d, bit_ + lane), turn.length);
    store_window(row_ + lane, column_ + lane, turn.marks);
    hn::Store(new_bit, d, bit_ + lane);
    hn::Store(new_column, d, column_ + lane);
    hn::Store(turn.state, d, state_ + lane);
    hn::Store(turn.marks.at(hn::AndNot(seven, turn.column)), d, marks_ + lane);
    const Mask is_stuck = hn::Eq(turn.length, hn::Zero(d));
    const Mask is_at_end = hn::Or(hn::Gt(new_bit, hn::Load(d, last_bit_ + lane)),
                                  hn::Gt(new_column, hn::Load(d, last_column_ + lane)));
    return {hn::Or(is_stuck, is_at_end).raw, is_stuck.raw};
  }

  void go_on_alone(uint32_t lane, bool is_stuck) {
    FaxStripDecoder& decoder = *decoders_[lane];
    decoder.move_to(bit_[lane],
                    static_cast<uint32_t>(column_[lane]),
                    static_cast<uint32_t>(state_[lane] >> FaxStep::kStateAt));
    if (is_stuck) decoder.decode_code();
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
  size_t next_ = 0;    // strip that no lane has begun
  uint32_t live_ = 0;  // lanes that have a strip, as bits
  // The stream and the rows of the others, which stay where they are.
  uint8_t idle_[FaxStripDecoder::kWindow / 8] = {};
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
    Lanes<2, 2>(strips, coding).decode();
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
