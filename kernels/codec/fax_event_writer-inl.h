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

#include "kernels/codec/fax_events.h"
#include "kernels/codec/fax_modes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::codec::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The kinds of a lane's events, a byte a column.
template <class D>
HWY_INLINE hn::Vec<D> kinds_of(D d, const Events& events, uint32_t lane, uint32_t column) {
  const auto plane = [&](uint32_t bit) {
    const auto* const bytes = reinterpret_cast<const uint8_t*>(&events.kind[bit][lane]);
    const auto mask = hn::LoadMaskBits(d, bytes + column / 8);
    return hn::IfThenElseZero(mask, hn::Set(d, static_cast<uint8_t>(1U << bit)));
  };
  return hn::Or(hn::Or(plane(0), plane(1)), hn::Or(plane(2), plane(3)));
}

/// Writes the events of rows to memory, as FaxBitWriter does.
class EventWriter {
 public:
  explicit EventWriter(uint8_t* to) : out_(to) {}

  void begin_row() { previous_ = 0; }

  /// Events of kColumns columns from `column` on.
  HWY_INLINE void put(const Events& events, uint32_t column) {
    for (uint32_t lanes = events.lanes; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
      put_lane(events, lane, column + 64 * lane);
    }
  }

  /// An event at the column of the last one, or at the end of a row of paper.
  void put_event(uint8_t kind) {
    const FaxCode& code = kEventCodes.codes[kind][0];
    out_.put(code.bits, code.length);
    out_.flush();
  }

  /// A code between rows.
  void put(FaxCode code) {
    out_.put(turned(code).bits, code.length);
    out_.flush();
  }

  uint8_t* finish() { return out_.finish(); }

 private:
  HWY_INLINE void put_lane(const Events& events, uint32_t lane, uint32_t column) {
    uint64_t left = events.any[lane];
    const auto last = column + 63 - static_cast<uint32_t>(std::countl_zero(left));
    if ((events.kind[1][lane] | events.kind[2][lane] | events.kind[3][lane]) == 0) {
      put_verticals(static_cast<uint32_t>(std::popcount(left)));
      previous_ = last;
      return;
    }
    const hn::CappedTag<uint8_t, 64> d;
    HWY_ALIGN uint8_t kinds[64 + 8];
    for (uint32_t x = 0; x < 64; x += static_cast<uint32_t>(hn::Lanes(d))) {
      hn::Store(kinds_of(d, events, lane, x), d, kinds + x);
    }
    kinds[64] = kNoEvent;

    const auto first = static_cast<uint32_t>(std::countr_zero(left));
    const uint32_t run = column + first - previous_;
    if (run >= kLongRun && kinds[first] >= kRun) {
      put_run(out_, kinds[first], run);
      left &= left - 1;
      previous_ = column + first;
    }
    uint32_t previous = previous_;
    while (left != 0) {
      for (int i = 0; i < 4; ++i) {
        const auto x = static_cast<uint32_t>(std::countr_zero(left));
        left &= left - 1;
        const FaxCode& code = kEventCodes.codes[kinds[x]][(x - previous) % 64];
        previous = x;
        out_.put(code.bits, code.length);
      }
      out_.flush();
    }
    previous_ = last;
  }

  void put_verticals(uint32_t count) {
    for (; count > 32; count -= 32) {
      out_.put(0xFFFFFFFF, 32);
      out_.flush();
    }
    out_.put((uint64_t{1} << count) - 1, count);
    out_.flush();
  }

  FaxBitWriter out_;
  uint32_t previous_ = 0;  ///< column of the event before
};

}  // namespace mezzo::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
