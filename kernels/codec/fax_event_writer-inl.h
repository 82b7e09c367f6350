// Events to codes, one after another; compiled once for each SIMD target.

#if defined(MEZZOTINT_CODEC_FAX_EVENT_WRITER_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MEZZOTINT_CODEC_FAX_EVENT_WRITER_INL_H
#undef MEZZOTINT_CODEC_FAX_EVENT_WRITER_INL_H
#else
#define MEZZOTINT_CODEC_FAX_EVENT_WRITER_INL_H
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>
#include <span>
#include <utility>

#include "kernels/codec/fax_events.h"
#include "kernels/codec/fax_modes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::codec::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A bit of the kinds of a lane's events, with its value, a byte a column.
template <class D>
HWY_INLINE hn::Vec<D> kind_bit(
    D d, const Events& events, uint32_t bit, uint32_t lane, uint32_t column) {
  const auto* const bytes = reinterpret_cast<const uint8_t*>(&events.kind[bit][lane]);
  const auto mask = hn::LoadMaskBits(d, bytes + column / 8);
  return hn::IfThenElseZero(mask, hn::Set(d, static_cast<uint8_t>(1U << bit)));
}

/// The kinds of a lane's events, a byte a column; columns without have no kind that counts.
template <class D>
HWY_INLINE hn::Vec<D> kinds_of(D d, const Events& events, uint32_t lane, uint32_t column) {
  return hn::Or(hn::Or(kind_bit(d, events, 0, lane, column), kind_bit(d, events, 1, lane, column)),
                hn::Or(kind_bit(d, events, 2, lane, column), kind_bit(d, events, 3, lane, column)));
}

/// Writes the codes of events to memory, as FaxBitWriter does.
class EventWriter {
 public:
  explicit EventWriter(uint8_t* to) : out_(to) {}

  /// All events of a row, kColumns columns each.
  void put_row(std::span<const Events> row) {
    previous_ = 0;
    uint32_t column = 0;
    FaxBitWriter out = out_;
    for (const Events& events : row) {
      for (uint32_t lanes = events.lanes; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
        put_lane(events, lane, column + 64 * lane, out);
      }
      column += kColumns;
    }
    out_ = out;
  }

  /// One more event, at the column of the last.
  void put_event(uint8_t kind) {
    const FaxCode& code = kEventCodes.codes[kind][0];
    out_.put(code.bits, code.length);
    out_.flush();
  }

  /// A code between rows.
  void put_code(FaxCode code) {
    out_.put(turned(code).bits, code.length);
    out_.flush();
  }

  /// A run of paper that is a whole row of T.4.
  void put_run_of_paper(uint32_t run) { out_ = put_run(out_, kRun + kSecondRun, run); }

  uint8_t* finish() { return out_.finish(); }

 private:
  HWY_INLINE void put_lane(const Events& events,
                           uint32_t lane,
                           uint32_t column,
                           FaxBitWriter& out) {
    uint64_t left = events.any[lane];
    const uint32_t last = column + 63 - static_cast<uint32_t>(std::countl_zero(left));
    uint32_t previous = std::exchange(previous_, last);
    if ((events.kind[1][lane] | events.kind[2][lane] | events.kind[3][lane]) == 0) {
      put_verticals(static_cast<uint32_t>(std::popcount(left)), out);
      return;
    }
    const hn::CappedTag<uint8_t, 64> d;
    HWY_ALIGN uint8_t kinds[64 + 8];
    for (uint32_t x = 0; x < 64; x += static_cast<uint32_t>(hn::Lanes(d))) {
      hn::Store(kinds_of(d, events, lane, x), d, kinds + x);
    }
    kinds[64] = kNoEvent;  // the column of std::countr_zero(0)

    const uint32_t first = column + static_cast<uint32_t>(std::countr_zero(left));
    if (first - previous >= kLongRun && kinds[first % 64] >= kRun) {
      out = put_run(out, kinds[first % 64], first - previous);
      left &= left - 1;
      previous = first;
    }
    while (left != 0) {
      for (int i = 0; i < 4; ++i) {  // with at most 2 first runs of 15 bits and 2 others of 12
        const auto x = static_cast<uint32_t>(std::countr_zero(left));
        left &= left - 1;
        const FaxCode& code = kEventCodes.codes[kinds[x]][(x - previous) % 64];
        previous = x;
        out.put(code.bits, code.length);
      }
      out.flush();
    }
  }

  /// As many V(0).
  static HWY_INLINE void put_verticals(uint32_t count, FaxBitWriter& out) {
    for (; count > 32; count -= 32) {
      out.put(0xFFFFFFFF, 32);
      out.flush();
    }
    out.put((uint64_t{1} << count) - 1, count);
    out.flush();
  }

  FaxBitWriter out_;
  uint32_t previous_ = 0;  ///< column of the last event
};

}  // namespace mezzo::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
