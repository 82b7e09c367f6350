// Events to codes, 64 at a time: EventWriter for processors with AVX-512 VBMI2. Events are compressed
// to arrays, row behind row; their codes are looked up in registers and joined by eights.

#if defined(MEZZOTINT_CODEC_FAX_EVENT_WRITER_WIDE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MEZZOTINT_CODEC_FAX_EVENT_WRITER_WIDE_INL_H
#undef MEZZOTINT_CODEC_FAX_EVENT_WRITER_WIDE_INL_H
#else
#define MEZZOTINT_CODEC_FAX_EVENT_WRITER_WIDE_INL_H
#endif

#include <hwy/highway.h>

#include <bit>
#include <cstdint>

#include "kernels/codec/fax_event_bytes.h"
#include "kernels/codec/fax_event_writer-inl.h"
#include "kernels/codec/fax_events.h"
#include "kernels/codec/fax_modes-inl.h"
#include "kernels/codec/fax_words-inl.h"

#if HWY_TARGET <= HWY_AVX3_DL

HWY_BEFORE_NAMESPACE();
namespace mezzo::codec::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// The codes of 64 events.
struct Codes {
  Bytes low, high, length;
};

/// Entry `index`, below 128, of a table of bytes; of its second half where `second` is set.
HWY_INLINE Bytes entry(const uint8_t (&table)[2 * 64], Bytes index) {
  return Bytes{
      _mm512_permutex2var_epi8(_mm512_load_si512(table), index.raw, _mm512_load_si512(table + 64))};
}
HWY_INLINE Bytes entry(const uint8_t (&table)[4 * 64], Bytes index, __mmask64 second) {
  const auto a =
      _mm512_permutex2var_epi8(_mm512_load_si512(table), index.raw, _mm512_load_si512(table + 64));
  const auto b = _mm512_permutex2var_epi8(
      _mm512_load_si512(table + 128), index.raw, _mm512_load_si512(table + 192));
  return Bytes{_mm512_mask_blend_epi8(second, a, b)};
}

HWY_INLINE Codes codes_of(Bytes kinds, Bytes distances) {
  const ByteTag d;
  const CodeBytes& bytes = kCodeBytes;
  const auto ink = hn::And(kinds, hn::Set(d, kInkRun));
  const auto index = hn::Or(distances, hn::ShiftLeft<6>(ink));
  const __mmask64 second = hn::TestBit(kinds, hn::Set(d, kSecondRun)).raw;
  const auto is_run = hn::Gt(kinds, hn::Set(d, kRun - 1));
  const auto other = _mm512_permutexvar_epi8(kinds.raw, _mm512_load_si512(bytes.other));
  const auto length = _mm512_permutexvar_epi8(kinds.raw, _mm512_load_si512(bytes.other_length));
  Codes codes = {hn::IfThenElse(is_run, entry(bytes.run_low, index, second), Bytes{other}),
                 hn::IfThenElseZero(is_run, entry(bytes.run_high, index, second)),
                 hn::IfThenElse(is_run, entry(bytes.run_length, index, second), Bytes{length})};
  const auto is_makeup = hn::Gt(kinds, hn::Set(d, kMakeup - 1));
  if (HWY_UNLIKELY(!hn::AllFalse(d, is_makeup))) {
    codes.low = hn::IfThenElse(is_makeup, entry(bytes.makeup_low, index), codes.low);
    codes.high = hn::IfThenElse(is_makeup, entry(bytes.makeup_high, index), codes.high);
    codes.length = hn::IfThenElse(is_makeup, entry(bytes.makeup_length, index), codes.length);
  }
  return codes;
}

/// Joins fours: 32 codes of 16 bits, and their lengths.
HWY_INLINE void join_fours(__m512i& codes, __m512i& lengths) {
  const auto low32 = _mm512_set1_epi64(0xFFFFFFFF), low16 = _mm512_set1_epi32(0xFFFF);
  constexpr int kOrAnd = 0xF8;  // a | (b & c)
  auto upper = _mm512_sllv_epi32(_mm512_srli_epi32(codes, 16), _mm512_and_si512(lengths, low16));
  codes = _mm512_ternarylogic_epi64(upper, codes, low16, kOrAnd);
  lengths = _mm512_madd_epi16(lengths, _mm512_set1_epi16(1));
  upper = _mm512_sllv_epi64(_mm512_srli_epi64(codes, 32), _mm512_and_si512(lengths, low32));
  codes = _mm512_ternarylogic_epi64(upper, codes, low32, kOrAnd);
  lengths = _mm512_and_si512(_mm512_add_epi32(lengths, _mm512_srli_epi64(lengths, 32)), low32);
}

HWY_INLINE void put_joined(const Codes& codes, FaxBitWriter& out) {
  const auto zero = _mm512_setzero_si512();
  auto low = _mm512_unpacklo_epi8(codes.low.raw, codes.high.raw);
  auto high = _mm512_unpackhi_epi8(codes.low.raw, codes.high.raw);
  auto low_length = _mm512_unpacklo_epi8(codes.length.raw, zero);
  auto high_length = _mm512_unpackhi_epi8(codes.length.raw, zero);
  join_fours(low, low_length);
  join_fours(high, high_length);
  const auto first = _mm512_unpacklo_epi64(low, high);
  const auto second = _mm512_unpackhi_epi64(low, high);
  const auto first_length = _mm512_unpacklo_epi64(low_length, high_length);
  const auto second_length = _mm512_unpackhi_epi64(low_length, high_length);
  const auto both_length = _mm512_add_epi64(first_length, second_length);
  HWY_ALIGN uint64_t joined[8], lengths[8];
  if (HWY_LIKELY(_mm512_cmpgt_epu64_mask(both_length, _mm512_set1_epi64(56)) == 0)) {
    _mm512_store_si512(joined, _mm512_or_si512(first, _mm512_sllv_epi64(second, first_length)));
    _mm512_store_si512(lengths, both_length);
    asm volatile("" ::: "memory");
    for (int i = 0; i < 8; ++i) {
      out.put(joined[i], lengths[i]);
      out.flush();
    }
    return;
  }
  HWY_ALIGN uint64_t more[8], more_lengths[8];
  _mm512_store_si512(joined, first);
  _mm512_store_si512(lengths, first_length);
  _mm512_store_si512(more, second);
  _mm512_store_si512(more_lengths, second_length);
  for (int i = 0; i < 8; ++i) {
    out.put(joined[i], lengths[i]);
    out.flush();
    out.put(more[i], more_lengths[i]);
    out.flush();
  }
}

class WideEventWriter {
 public:
  explicit WideEventWriter(uint8_t* to) : out_(to) { places_[kBefore - 1] = 0; }

  void begin_row() {
    origin_ += previous_;
    previous_ = 0;
  }

  HWY_INLINE void put(const Events& events, uint32_t column) {
    const ByteTag d;
    const auto columns = hn::Iota(d, static_cast<uint8_t>(origin_));
    for (uint32_t lanes = events.lanes; lanes != 0; lanes &= lanes - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
      put_lane(events, lane, column + 64 * lane, columns);
    }
  }

  void put_event(uint8_t kind) { append(kind, static_cast<uint8_t>(origin_ + previous_)); }

  void put(FaxCode code) {
    write_all();
    out_.put(turned(code).bits, code.length);
    out_.flush();
  }

  uint8_t* finish() {
    write_all();
    return out_.finish();
  }

 private:
  static constexpr size_t kMostEvents = 4096;  // of which some are left when the others are written
  static constexpr size_t kBefore = 64;

  HWY_INLINE void put_lane(const Events& events, uint32_t lane, uint32_t column, Bytes columns) {
    const ByteTag d;
    const uint64_t any = events.any[lane];
    const auto first = static_cast<uint32_t>(std::countr_zero(any));
    const uint32_t run = column + first - previous_;
    const bool is_long =
        run >= kLongRun && ((events.kind[3][lane] & events.kind[2][lane]) >> first & 1) != 0;
    const auto kind = static_cast<uint8_t>(kRun | (events.kind[1][lane] >> first & 1) << 1 |
                                           (events.kind[0][lane] >> first & 1));
    if (is_long) append_makeups(kind, run);
    if (count_ > kMostEvents - 64) write_groups();
    const auto kinds = _mm512_maskz_compress_epi8(any, kinds_of(d, events, lane, 0).raw);
    hn::StoreU(Bytes{kinds}, d, kinds_ + count_);
    const auto places = _mm512_maskz_compress_epi8(any, columns.raw);
    hn::StoreU(Bytes{places}, d, places_ + kBefore + count_);
    if (is_long) kinds_[count_] = kind | kSecondRun;
    count_ += static_cast<size_t>(std::popcount(any));
    previous_ = column + 63 - static_cast<uint32_t>(std::countl_zero(any));
  }

  /// What comes before the last code of a run. Its distance stays the one modulo 64: the makeups lead
  /// back to the place before it.
  HWY_NOINLINE void append_makeups(uint8_t kind, uint32_t run) {
    const auto place = static_cast<uint8_t>(origin_ + previous_);
    const uint8_t makeup = kMakeup + (kind & kInkRun);
    append((kind & kSecondRun) != 0 ? kNoEvent : kHorizontal, place);
    for (; run >= kLongestMakeup + 64; run -= kLongestMakeup) {
      append(kNoEvent, static_cast<uint8_t>(place - kLongestMakeup / 64));
      append(makeup, place);
    }
    append(kNoEvent, static_cast<uint8_t>(place - run / 64));
    append(makeup, place);
  }

  void append(uint8_t kind, uint8_t place) {
    if (count_ == kMostEvents) write_groups();
    kinds_[count_] = kind;
    places_[kBefore + count_] = place;
    ++count_;
  }

  /// Writes events as far as they fill vectors, and moves the others to the front.
  HWY_NOINLINE void write_groups() {
    const ByteTag d;
    const size_t whole = count_ & ~size_t{63};
    const uint8_t before = places_[kBefore + whole - 1];
    write(whole);
    hn::StoreU(hn::LoadU(d, kinds_ + whole), d, kinds_);
    hn::StoreU(hn::LoadU(d, places_ + kBefore + whole), d, places_ + kBefore);
    places_[kBefore - 1] = before;
    count_ -= whole;
  }

  HWY_NOINLINE void write_all() {
    const ByteTag d;
    hn::StoreU(hn::Zero(d), d, kinds_ + count_);  // no events
    write(count_);
    if (count_ > 0) places_[kBefore - 1] = places_[kBefore + count_ - 1];
    count_ = 0;
  }

  /// Writes `count` events; behind them there are none up to a multiple of 64.
  void write(size_t count) {
    const ByteTag d;
    FaxBitWriter out = out_;
    for (size_t i = 0; i < count; i += 64) {
      const auto places = hn::LoadU(d, places_ + kBefore + i);
      const auto before = hn::LoadU(d, places_ + kBefore + i - 1);
      const auto distances = hn::And(hn::Sub(places, before), hn::Set(d, 63));
      put_joined(codes_of(hn::Load(d, kinds_ + i), distances), out);
    }
    out_ = out;
  }

  FaxBitWriter out_;
  uint32_t origin_ = 0;    ///< all rows before, in columns
  uint32_t previous_ = 0;  ///< column of the event before
  size_t count_ = 0;       ///< events that wait
  HWY_ALIGN uint8_t kinds_[kMostEvents + 64];
  HWY_ALIGN uint8_t places_[kBefore + kMostEvents + 64];  ///< columns behind origin, modulo 64
};

}  // namespace mezzo::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET <= HWY_AVX3_DL
#endif
