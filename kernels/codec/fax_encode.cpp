#include "kernels/codec/fax_encode.h"

#include <array>
#include <utility>

#include "kernels/base/error.h"
#include "kernels/codec/fax_events.h"

// Highway has AVX3_DL for sources that want it. Its choice of a target at run time, an inline function,
// is each source's own only where the compiler optimises.
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

void encode_t6_row(const FaxRow& reference, FaxRow& row, uint32_t width, Writer& out) {
  WalkState state;
  Events events;
  out.begin_row();
  for (uint32_t x = 0; x <= width; x += kColumns) {
    if (decide_t6(reference, row, x / 64, width, state, events)) out.put(events, x);
  }
  if (state.h == 0) return;
  // The row ends between the runs of a horizontal mode.
  const bool ink = (row.pixels()[(width - 1) / 64] >> (width - 1) % 64 & 1) != 0;
  out.put_event(kRun + kSecondRun + (ink ? 0 : kInkRun));
}

uint8_t* encode_t4(const BitBand& rows, uint8_t* to) {
  FaxRow row(rows.width_px);
  Events events;
  Writer out(to);
  for (uint32_t y = 0; y < rows.rows; ++y) {
    out.put(kEndOfLine);
    load_row(rows.row(y), rows.width_px, row);
    out.begin_row();
    for (uint32_t x = 0; x <= rows.width_px; x += kColumns) {
      if (decide_t4(row, x / 64, events)) out.put(events, x);
    }
  }
  uint8_t* const end = out.finish();
  turn_bytes(to, end);
  return end;
}

uint8_t* encode_t6(const BitBand& rows, uint8_t* to) {
  const size_t row_bytes = bit_row_bytes(rows.width_px);
  std::array<FaxRow, 2> words = {FaxRow(rows.width_px), FaxRow(rows.width_px)};
  FaxRow *reference = &words[0], *row = &words[1];
  bool below_paper = true;
  Writer out(to);
  for (uint32_t y = 0; y < rows.rows; ++y) {
    if (below_paper && is_paper(rows.row(y), row_bytes)) {
      out.put_event(kVertical);
      continue;
    }
    below_paper = load_row(rows.row(y), rows.width_px, *row);
    encode_t6_row(*reference, *row, rows.width_px, out);
    std::swap(reference, row);
  }
  out.put(kEndOfLine);
  out.put(kEndOfLine);
  uint8_t* const end = out.finish();
  turn_bytes(to, end);
  return end;
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
