// A block of page pixels in vectors, for scaling by edges (edge_tile.h has the words).

#if defined(MEZZOTINT_PREPRESS_EDGE_PIXELS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MEZZOTINT_PREPRESS_EDGE_PIXELS_INL_H
#undef MEZZOTINT_PREPRESS_EDGE_PIXELS_INL_H
#else
#define MEZZOTINT_PREPRESS_EDGE_PIXELS_INL_H
#endif

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "kernels/prepress/edge_grid.h"
#include "kernels/prepress/scale_sums-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::prepress::HWY_NAMESPACE {

using Pixels = Levels;
using Values = Level;
using Where = hn::Mask<Pixels>;
constexpr ptrdiff_t kStride = EdgeGrid<int16_t>::kStride;
constexpr ptrdiff_t kBlock = hn::MaxLanes(Pixels());  ///< px
constexpr int32_t kSolid = kInk15;

HWY_INLINE Values all(int32_t value) {
  return hn::Set(Pixels(), static_cast<int16_t>(value));
}
HWY_INLINE Values load(const int16_t* from) {
  return hn::LoadU(Pixels(), from);
}
HWY_INLINE void store(Values values, int16_t* to) {
  hn::StoreU(values, Pixels(), to);
}
HWY_INLINE Values load(const uint8_t* from) {
  const hn::Rebind<uint8_t, Pixels> bytes;
  return hn::PromoteTo(Pixels(), hn::LoadU(bytes, from));
}
HWY_INLINE void store(Values values, uint8_t* to) {
  const hn::Rebind<uint8_t, Pixels> bytes;
  hn::StoreU(hn::DemoteTo(bytes, values), bytes, to);
}
/// Stores where `mask` is set.
template <typename T>
HWY_INLINE void store_where(Where mask, Values values, T* to) {
  store(hn::IfThenElse(mask, values, load(to)), to);
}
HWY_INLINE bool is_any(Where mask) {
  return !hn::AllFalse(Pixels(), mask);
}
/// 1 more where `mask` is set.
HWY_INLINE Values counted(Values count, Where mask) {
  return hn::Sub(count, hn::VecFromMask(Pixels(), mask));
}
HWY_INLINE Values kept_where(Where mask, Values values, int32_t otherwise) {
  return hn::IfThenElse(mask, values, all(otherwise));
}
/// Values are those of ink, or 1 beyond; `more` and `less` are not negative.
HWY_INLINE Where is_at_most(Values values, Values limit, int32_t more = 0) {
  return hn::Lt(values, hn::SaturatedAdd(limit, all(more + 1)));
}
HWY_INLINE Where is_at_least(Values values, Values limit, int32_t less = 0) {
  return hn::Gt(values, hn::Sub(limit, all(less + 1)));
}
/// The mean of two inks, rounded down.
HWY_INLINE Values mean_of(Values a, Values b) {
  const hn::RebindToUnsigned<Pixels> d;
  return hn::BitCast(Pixels(), hn::ShiftRight<1>(hn::BitCast(d, hn::Add(a, b))));
}

/// The ink of the pixels around those of a block.
struct Around {
  const int16_t* ink;
  HWY_INLINE Values at(ptrdiff_t right, ptrdiff_t down) const {
    return load(ink + down * kStride + right);
  }
};

// ---- 32 bits ----

/// Values of 32 bits, in the order of pairs_of().
struct Wide {
  Sum lower, upper;
};
HWY_INLINE Wide all_wide(int32_t value) {
  return {hn::Set(Sums(), value), hn::Set(Sums(), value)};
}
HWY_INLINE Wide widened(Values values) {
  const Pairs high = pairs_of(hn::Zero(Pixels()), values);
  return {hn::ShiftRight<16>(hn::BitCast(Sums(), high.lower)),
          hn::ShiftRight<16>(hn::BitCast(Sums(), high.upper))};
}
/// Saturates.
HWY_INLINE Values narrowed(const Wide& values) {
  return hn::ReorderDemote2To(Pixels(), values.lower, values.upper);
}
template <typename Call>
HWY_INLINE Wide each_of(const Wide& a, const Wide& b, Call call) {
  return {call(a.lower, b.lower), call(a.upper, b.upper)};
}
HWY_INLINE Wide added(const Wide& a, const Wide& b) {
  return each_of(a, b, [](Sum x, Sum y) { return hn::Add(x, y); });
}
/// The sum of two products.
HWY_INLINE Wide products(const Pairs& values, const Pairs& factors) {
  return {add_pairs(values.lower, factors.lower, hn::Zero(Sums())),
          add_pairs(values.upper, factors.upper, hn::Zero(Sums()))};
}
HWY_INLINE Wide product(Values a, Values b) {
  return products(pairs_of(a, hn::Zero(Pixels())), pairs_of(b, hn::Zero(Pixels())));
}
/// a / b, of 0 <= a and 0 < b, rounded down; it is below 2^20. A float is 1 away from it at most.
HWY_INLINE Sum quotient(Sum a, Sum b) {
  const hn::RebindToFloat<Sums> d;
  const Sum near = hn::ConvertTo(Sums(), hn::Div(hn::ConvertTo(d, a), hn::ConvertTo(d, b)));
  const Sum rest = hn::Sub(a, hn::Mul(near, b));
  const Sum less = hn::VecFromMask(Sums(), hn::Lt(rest, hn::Zero(Sums())));
  const Sum more = hn::VecFromMask(Sums(), hn::Not(hn::Lt(rest, b)));
  return hn::Sub(hn::Add(near, less), more);
}
HWY_INLINE Wide quotient(const Wide& a, const Wide& b) {
  return each_of(a, b, [](Sum x, Sum y) { return quotient(x, y); });
}
/// a / b, of 0 < b, rounded towards 0.
HWY_INLINE Wide signed_quotient(const Wide& a, const Wide& b) {
  return each_of(a, b, [](Sum x, Sum y) {
    const Sum found = quotient(hn::Abs(x), y);
    return hn::IfThenElse(hn::Lt(x, hn::Zero(Sums())), hn::Neg(found), found);
  });
}

// ---- The surface of cubic scaling ----

/// 16 samples of each pixel.
using Surface = Values[16];

/// The weights of cubic scaling by 4/1. Two samples are 5/8 and 7/8 px behind the centre of a pixel, the other two 1/8
/// and 3/8 px behind the centre of the next pixel.
constexpr int16_t kQuarters[2][2][4] = {{{-720, 6384, 11920, -1200}, {-112, 1488, 15792, -784}},
                                        {{-784, 15792, 1488, -112}, {-1200, 11920, 6384, -720}}};

/// Four samples on the third of five pixels.
HWY_INLINE void mix_quarters(const Values (&of)[5], Values (&samples)[4]) {
  for (size_t i = 0; i < 2; ++i) {
    const Pairs ab = pairs_of(of[i], of[i + 1]), cd = pairs_of(of[i + 2], of[i + 3]);
    for (size_t j = 0; j < 2; ++j) {
      const int16_t(&weights)[4] = kQuarters[i][j];
      samples[2 * i + j] = mix_of_four(ab, weight_pair(weights), cd, weight_pair(weights + 2));
    }
  }
}

/// `Ink` is Around, or gives at(right, down) as well, -2 .. 2.
template <typename Ink>
HWY_INLINE void make_surface(const Ink& ink, Surface& surface) {
  Values rows[5][4];
  for (ptrdiff_t down = 0; down < 5; ++down) {
    Values of[5];
    for (ptrdiff_t right = 0; right < 5; ++right) of[right] = ink.at(right - 2, down - 2);
    mix_quarters(of, rows[down]);
  }
  for (size_t i = 0; i < 4; ++i) {
    const Values of[5] = {rows[0][i], rows[1][i], rows[2][i], rows[3][i], rows[4][i]};
    Values samples[4];
    mix_quarters(of, samples);
    for (size_t j = 0; j < 4; ++j) surface[4 * j + i] = samples[j];
  }
}

/// Two samples of the surface that are brought in order.
struct Exchange {
  uint8_t first, second;
};

/// Batcher's network, which sorts 16 values: odd-even merges.
constexpr size_t kExchanges = 63;
constexpr std::array<Exchange, kExchanges> exchanges() {
  std::array<Exchange, kExchanges> all{};
  size_t count = 0;
  for (uint32_t p = 1; p < 16; p *= 2) {
    for (uint32_t k = p; k >= 1; k /= 2) {
      for (uint32_t i = k % p; i + k < 16; ++i) {
        if ((i - k % p) / k % 2 != 0 || i / (2 * p) != (i + k) / (2 * p)) continue;
        all[count++] = {static_cast<uint8_t>(i), static_cast<uint8_t>(i + k)};
      }
    }
  }
  return all;
}
constexpr std::array<Exchange, kExchanges> kNetwork = exchanges();

HWY_INLINE void exchange(Values& a, Values& b) {
  const Values most = hn::Max(a, b);
  b = hn::Min(a, b);
  a = most;
}

/// The most ink first.
template <size_t... kI>
HWY_INLINE void sort(Surface& surface, std::index_sequence<kI...> /*exchanges*/) {
  (exchange(surface[kNetwork[kI].first], surface[kNetwork[kI].second]), ...);
}
HWY_INLINE void sort(Surface& surface) {
  sort(surface, std::make_index_sequence<kExchanges>());
}

/// The height above which `share` of the pixel lies, in 1/4096. Sorted samples are 256 apart.
HWY_INLINE Wide height_above(const Surface& sorted, Values share) {
  const Values place = hn::Sub(share, all(128));
  const Values k = hn::Min(hn::Max(hn::ShiftRight<8>(place), all(0)), all(14));
  Values a = sorted[0], b = sorted[1];
  for (int32_t i = 1; i < 15; ++i) {
    const Where is = hn::Eq(k, all(i));
    a = hn::IfThenElse(is, sorted[i], a);
    b = hn::IfThenElse(is, sorted[i + 1], b);
  }
  const Wide rise = product(hn::Sub(b, a), hn::Sub(place, hn::ShiftLeft<8>(k)));
  const Wide from = widened(a);
  return {hn::Add(from.lower, hn::ShiftRight<8>(rise.lower)),
          hn::Add(from.upper, hn::ShiftRight<8>(rise.upper))};
}

/// The cut at a height of the surface, in 1/256 of high - low, which is more than 0.
HWY_INLINE Values cut_at(const Wide& height, Values low, Values high) {
  const Wide from = widened(low), span = widened(hn::Sub(high, low));
  const auto above = [](Sum x, Sum y) { return hn::ShiftLeft<8>(hn::Sub(x, y)); };
  const Values cut = narrowed(signed_quotient(each_of(height, from, above), span));
  return hn::Min(hn::Max(cut, all(-128)), all(384));
}

}  // namespace mezzo::prepress::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
