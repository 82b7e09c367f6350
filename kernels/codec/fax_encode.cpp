#include "kernels/codec/fax_encode.h"

#include <utility>
#include <vector>

#include "kernels/base/error.h"
#include "kernels/codec/fax_events.h"

// Highway has AVX3_DL for sources that want it. Its choice of a target at run time, an inline
// function, is each source's own only where the compiler optimises.
#ifdef __OPTIMIZE__
#define HWY_WANT_AVX3_DL
#endif
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/codec/fax_encode.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/codec/fax_event_writer-inl.h"
#include "kernels/codec/fax_event_writer_wide-inl.h"
#include "kernels/codec/fax_modes-inl.h"
#include "kernels/codec/fax_words-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::codec::HWY_NAMESPACE {

#if HWY_TARGET <= HWY_AVX3_DL
using Writer = WideEventWriter;
#else
using Writer = EventWriter;
#endif

/// The rows of a strip, each turned into words and events in turn.
class StripEncoder {
 public:
  StripEncoder(const BitBand& rows, uint8_t* to)
      : rows_(rows),
        width_(rows.width_px),
        words_{FaxRow(width_), FaxRow(width_)},
        events_(width_ / kColumns + 1),
        begin_(to),
        out_(to) {}

  uint8_t* encode_t4() {
    const size_t row_bytes = bit_row_bytes(width_);
    for (uint32_t y = 0; y < rows_.rows; ++y) {
      out_.put_code(kEndOfLine);
      if (is_paper(rows_.row(y), row_bytes)) {
        out_.put_run_of_paper(width_);
        continue;
      }
      load_row(rows_.row(y), width_, *row_);
      for (size_t i = 0; i < events_.size(); ++i) decide_t4(*row_, kLanes * i, events_[i]);
      out_.put_row(events_);
    }
    return finish();
  }

  uint8_t* encode_t6() {
    const size_t row_bytes = bit_row_bytes(width_);
    bool below_paper = true;
    for (uint32_t y = 0; y < rows_.rows; ++y) {
      if (below_paper && is_paper(rows_.row(y), row_bytes)) {
        out_.put_event(kVertical);  // where both rows end
        continue;
      }
      below_paper = load_row(rows_.row(y), width_, *row_);
      encode_t6_row();
      std::swap(row_, reference_);
    }
    out_.put_code(kEndOfLine);
    out_.put_code(kEndOfLine);
    return finish();
  }

 private:
  void encode_t6_row() {
    WalkState state;
    for (size_t i = 0; i < events_.size(); ++i) {
      decide_t6(*reference_, *row_, kLanes * i, width_, state, events_[i]);
    }
    out_.put_row(events_);
    if (state.h == 0) return;
    // The row ended with the first run of a horizontal mode: the second is empty.
    const bool ink = (row_->pixels()[(width_ - 1) / 64] >> (width_ - 1) % 64 & 1) != 0;
    out_.put_event(kRun + kSecondRun + (ink ? 0 : kInkRun));
  }

  uint8_t* finish() {
    uint8_t* const end = out_.finish();
    turn_bytes(begin_, end);
    return end;
  }

  BitBand rows_;
  uint32_t width_;
  FaxRow words_[2];
  FaxRow* row_ = &words_[0];
  FaxRow* reference_ = &words_[1];
  std::vector<Events> events_;
  uint8_t* begin_;
  Writer out_;
};

uint8_t* encode_t4(const BitBand& rows, uint8_t* to) {
  return StripEncoder(rows, to).encode_t4();
}

uint8_t* encode_t6(const BitBand& rows, uint8_t* to) {
  return StripEncoder(rows, to).encode_t6();
}

}  // namespace mezzo::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::codec {

HWY_EXPORT(encode_t4);
HWY_EXPORT(encode_t6);

size_t encode_fax(const BitBand& rows, Fax fax, std::span<std::byte> to) {
  MZ_ASSERT(rows.bits_per_px == 1 && rows.width_px > 0);
  MZ_ASSERT(to.size() >= most_fax_bytes(rows.width_px, rows.rows));
  auto* const begin = reinterpret_cast<uint8_t*>(to.data());
  const uint8_t* const end = fax == Fax::kT6 ? HWY_DYNAMIC_DISPATCH(encode_t6)(rows, begin)
                                             : HWY_DYNAMIC_DISPATCH(encode_t4)(rows, begin);
  return static_cast<size_t>(end - begin);
}

}  // namespace mezzo::codec
#endif  // HWY_ONCE
