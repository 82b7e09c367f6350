// Events to codes, 64 at a time: EventWriter for processors with AVX-512 VBMI2. Events are
// compressed to arrays, row behind row; their codes are looked up in registers and joined by
// eights.

#if defined(MEZZOTINT_CODEC_FAX_EVENT_WRITER_WIDE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MEZZOTINT_CODEC_FAX_EVENT_WRITER_WIDE_INL_H
#undef MEZZOTINT_CODEC_FAX_EVENT_WRITER_WIDE_INL_H
#else
#define MEZZOTINT_CODEC_FAX_EVENT_WRITER_WIDE_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>

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

/// The codes in the halves of each lane as one: the upper goes right above the lower, which has
/// `length` bits.
HWY_INLINE __m512i joined32(__m512i codes, __m512i length) {
  const auto upper = _mm512_sllv_epi32(_mm512_srli_epi32(codes, 16), length);
  return _mm512_ternarylogic_epi32(upper, codes, _mm512_set1_epi32(0xFFFF), 0xF8);  // a | (b & c)
}
HWY_INLINE __m512i joined64(__m512i codes, __m512i length) {
  const auto upper = _mm512_sllv_epi64(_mm512_srli_epi64(codes, 32), length);
  return _mm512_ternarylogic_epi64(upper, codes, _mm512_set1_epi64(0xFFFFFFFF), 0xF8);
}

/// Writes codes in their order. Pairs, fours and eights of them are joined in registers; fours have
/// at most 54 bits.
HWY_INLINE void put_codes(const Codes& codes, FaxBitWriter& out) {
  const auto zero = _mm512_setzero_si512();
  const auto length = codes.length.raw;
  const auto first_of_two = _mm512_and_si512(length, _mm512_set1_epi16(0xFF));
  const auto pairs = _mm512_maddubs_epi16(length, _mm512_set1_epi8(1));
  const auto first_pair = _mm512_and_si512(pairs, _mm512_set1_epi32(0xFFFF));
  const auto first_four =
      _mm512_sad_epu8(_mm512_and_si512(length, _mm512_set1_epi64(0xFFFFFFFF)), zero);
  const auto eight = _mm512_sad_epu8(length, zero);

  auto low = _mm512_unpacklo_epi8(codes.low.raw, codes.high.raw);
  auto high = _mm512_unpackhi_epi8(codes.low.raw, codes.high.raw);
  low = joined32(low, _mm512_unpacklo_epi16(first_of_two, zero));
  high = joined32(high, _mm512_unpackhi_epi16(first_of_two, zero));
  low = joined64(low, _mm512_unpacklo_epi32(first_pair, zero));
  high = joined64(high, _mm512_unpackhi_epi32(first_pair, zero));
  const auto first = _mm512_unpacklo_epi64(low, high);
  const auto second = _mm512_unpackhi_epi64(low, high);
  HWY_ALIGN uint64_t joined[8], lengths[8];
  _mm512_store_si512(lengths, eight);
  if (HWY_LIKELY(_mm512_cmpgt_epu64_mask(eight, _mm512_set1_epi64(56)) == 0)) {
    _mm512_store_si512(joined, _mm512_or_si512(first, _mm512_sllv_epi64(second, first_four)));
    for (int i = 0; i < 8; ++i) {
      out.put(joined[i], lengths[i]);
      out.flush();
    }
    return;
  }
  HWY_ALIGN uint64_t more[8], first_lengths[8];
  _mm512_store_si512(joined, first);
  _mm512_store_si512(more, second);
  _mm512_store_si512(first_lengths, first_four);
  for (int i = 0; i < 8; ++i) {
    out.put(joined[i], first_lengths[i]);
    out.flush();
    out.put(more[i], lengths[i] - first_lengths[i]);
    out.flush();
  }
}

/// EventWriter for rows of any number of events: they wait, row behind row, until they fill
/// vectors.
///
/// A run's length is the distance of its place from that of the event before, modulo 64. A place is
/// a column counted from the first row on, so that rows need no beginning; a long run has its
/// makeups before it, as events of their own.
class WideEventWriter {
 public:
  explicit WideEventWriter(uint8_t* to) : out_(to) { places_[kBefore - 1] = 0; }

  void put_row(std::span<const Events> row) {
    origin_ += previous_;
    previous_ = 0;
    uint32_t column = 0;
    Waiting waiting = {count_, previous_};
    for (const Events& events : row) {
      for (uint32_t lanes = events.lanes; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
        waiting = with_lane(waiting, events, lane, column + 64 * lane);
      }
      column += kColumns;
    }
    count_ = waiting.count;
    previous_ = waiting.previous;
  }

  void put_event(uint8_t kind) { append(kind, static_cast<uint8_t>(origin_ + previous_)); }

  void put_code(FaxCode code) {
    write_all();
    out_.put(turned(code).bits, code.length);
    out_.flush();
  }

  void put_run_of_paper(uint32_t run) {
    write_all();
    out_ = put_run(out_, kRun + kSecondRun, run);
  }

  uint8_t* finish() {
    write_all();
    return out_.finish();
  }

 private:
  static constexpr size_t kMostEvents = 4096;
  static constexpr size_t kBefore = 64;

  /// count_ and previous_, in registers in the loop over a row.
  struct Waiting {
    size_t count;
    uint32_t previous;
  };

  /// Adds the events of a lane.
  HWY_INLINE Waiting with_lane(Waiting waiting,
                               const Events& events,
                               uint32_t lane,
                               uint32_t column) {
    const ByteTag d;
    const uint64_t any = events.any[lane];
    const uint32_t first = column + static_cast<uint32_t>(std::countr_zero(any));
    const uint64_t runs = events.kind[3][lane] & events.kind[2][lane];
    const uint32_t run = first - waiting.previous;
    const bool is_long = (static_cast<uint64_t>(run >= kLongRun) & runs >> first % 64) != 0;
    const auto kinds = _mm512_maskz_compress_epi8(any, kinds_of(d, events, lane, 0).raw);
    const auto columns = hn::Iota(d, static_cast<uint8_t>(origin_));
    const auto places = _mm512_maskz_compress_epi8(any, columns.raw);
    const auto first_kind = static_cast<uint8_t>(_mm_cvtsi128_si32(_mm512_castsi512_si128(kinds)));
    if (HWY_UNLIKELY(is_long)) waiting = with_makeups(waiting, first_kind, run);
    if (HWY_UNLIKELY(waiting.count > kMostEvents - 64)) waiting.count = write_groups(waiting.count);
    hn::StoreU(Bytes{kinds}, d, kinds_ + waiting.count);
    hn::StoreU(Bytes{places}, d, places_ + kBefore + waiting.count);
    if (HWY_UNLIKELY(is_long)) kinds_[waiting.count] = first_kind | kSecondRun;
    return {waiting.count + static_cast<size_t>(std::popcount(any)),
            column + 63 - static_cast<uint32_t>(std::countl_zero(any))};
  }

  /// Adds what comes before the last code of a run. That code has the rest of the run's length if
  /// the makeups do not move the place.
  HWY_NOINLINE Waiting with_makeups(Waiting waiting, uint8_t kind, uint32_t run) {
    count_ = waiting.count;
    const auto place = static_cast<uint8_t>(origin_ + waiting.previous);
    const uint8_t makeup = kMakeup + (kind & kInkRun);
    append((kind & kSecondRun) != 0 ? kNoEvent : kHorizontal, place);
    for (uint32_t units = run / 64; units > 0;) {
      const uint32_t taken = std::min(units, kLongestMakeup / 64);
      append(kNoEvent, static_cast<uint8_t>(place - taken));
      append(makeup, place);
      units -= taken;
    }
    return {count_, waiting.previous};
  }

  void append(uint8_t kind, uint8_t place) {
    if (count_ == kMostEvents) count_ = write_groups(count_);
    kinds_[count_] = kind;
    places_[kBefore + count_] = place;
    ++count_;
  }

  /// Writes events as far as they fill vectors, and moves the others to the front. Returns their
  /// number.
  HWY_NOINLINE size_t write_groups(size_t count) {
    const ByteTag d;
    const size_t whole = count & ~size_t{63};
    write(whole);
    const uint8_t before = places_[kBefore + whole - 1];
    hn::StoreU(hn::LoadU(d, kinds_ + whole), d, kinds_);
    hn::StoreU(hn::LoadU(d, places_ + kBefore + whole), d, places_ + kBefore);
    places_[kBefore - 1] = before;
    return count - whole;
  }

  HWY_NOINLINE void write_all() {
    const ByteTag d;
    hn::StoreU(hn::Zero(d), d, kinds_ + count_);  // kNoEvent
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
      put_codes(codes_of(hn::Load(d, kinds_ + i), distances), out);
    }
    out_ = out;
  }

  FaxBitWriter out_;
  uint32_t origin_ = 0;    ///< place of the row's first column
  uint32_t previous_ = 0;  ///< column of the last event
  size_t count_ = 0;       ///< events that wait
  HWY_ALIGN uint8_t kinds_[kMostEvents + 64];
  HWY_ALIGN uint8_t
      places_[kBefore + kMostEvents + 64];  ///< behind one of an event already written
};

}  // namespace mezzo::codec::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // HWY_TARGET <= HWY_AVX3_DL
#endif
