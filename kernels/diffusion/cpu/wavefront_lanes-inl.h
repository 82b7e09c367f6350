// The rows of a group in the lanes of a vector: tones in, bits out, and the masks of the page. Shared
// by the wavefronts of one ink and of several. Compiled once for each SIMD target.
//
// Lane 0 is the last row of the group and the highest lane its first: what the row below needs moves
// one lane down, the row above the group comes in at the top lane, and what the last row leaves goes
// out through lane 0, which is the cheap one to store.

#if defined(MEZZOTINT_WAVEFRONT_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef MEZZOTINT_WAVEFRONT_LANES_INL_H
#undef MEZZOTINT_WAVEFRONT_LANES_INL_H
#else
#define MEZZOTINT_WAVEFRONT_LANES_INL_H
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstring>

#include "kernels/band/tones-inl.h"
#include "kernels/diffusion/cpu/follow.h"
#include "kernels/diffusion/cpu/wavefront_shape.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::diffusion::wavefront::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<uint16_t, kMaxRows>;  // a lane a row
using SignedTag = hn::RebindToSigned<Tag>;
using Vector = hn::Vec<Tag>;
using Mask = hn::Mask<Tag>;
constexpr uint32_t kLanes = hn::MaxLanes(Tag());
constexpr int16_t kNever = INT16_MAX;  // skew of a lane without a row: never on the page
constexpr uint32_t kBlock = mezzo::HWY_NAMESPACE::kTransposed;
static_assert(kLanes >= kBlock && kLanes <= kMaxRows);

/// The memory of a chunk beside registers: its tones, first a lane a line and then a step a line,
/// and the bits that come out, a word of each lane at a time.
struct Scratch {
  HWY_ALIGN uint16_t by_lane[kLanes][kChunk];
  HWY_ALIGN uint16_t by_step[kChunk][kLanes];
  HWY_ALIGN uint16_t words[kChunk / kWord][kLanes];
};

/// Lane i of the result is lane i + 1 of `v`; the top lane is that of `above`, whose lanes are
/// equal.
HWY_INLINE Vector shift_down_one_lane(Vector above, Vector v) {
  const Tag d;
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  (void)d;
  alignas(64) static constexpr uint16_t kNext[32] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11,
                                                     12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                                                     23, 24, 25, 26, 27, 28, 29, 30, 31, 31};
  return Vector{
      _mm512_mask_permutexvar_epi16(above.raw, 0x7FFFFFFFU, _mm512_load_si512(kNext), v.raw)};
#elif HWY_TARGET == HWY_AVX2
  return hn::CombineShiftRightBytes<2>(d, hn::ConcatLowerUpper(d, above, v), v);
#else
  static_assert(kLanes == kBlock);
  return hn::CombineShiftRightBytes<2>(d, above, v);
#endif
}

/// Adds the ink's texture to the tones of columns [begin, begin + count) of row `y` of the page, at
/// most a chunk. `row` is texture_row().
HWY_INLINE void add_texture(
    uint32_t row, uint32_t begin, uint32_t y, uint32_t count, uint16_t* tones) {
  static_assert(kChunk <= kTextureSide, "they lie in two squares at most");
  HWY_ALIGN int16_t values[2 * kTextureSide];
  constexpr size_t kBytes = kTextureSide * sizeof(int16_t);
  const uint32_t in_first = kTextureSide - begin % kTextureSide;
  // Whole lines, though not all is needed: a copy of a fixed size is a few instructions.
  std::memcpy(values, &kTextureTile[texture_place_in_row(row, begin, y)], kBytes);
  const uint32_t second = texture_place_in_row(row, begin + in_first, y);
  std::memcpy(values + in_first, &kTextureTile[second], kBytes);
  mezzo::HWY_NAMESPACE::textured_tones(Tag(), values, count, tones);
}

/// A group of rows of one plane. Step k has row r at column k - kSkew * r.
class Rows {
 public:
  Rows(const SampleBand& in, const BitBand& out, const ToneCurve& curve)
      : in_(in),
        out_(out),
        curve_(curve),
        rows_(in.rows),
        width_(in.width_px),
        lag_(kSkew * (rows_ - 1)),
        steps_((width_ - 1 + lag_) / kWord * kWord + 2 * kWord) {
    const Tag d;
    HWY_ALIGN uint16_t word_shift[kLanes] = {};
    HWY_ALIGN int16_t skew[kLanes];
    std::fill_n(skew, kLanes, kNever);
    for (uint32_t r = 0; r < rows_; ++r) {
      word_shift[lane(r)] = static_cast<uint16_t>(1U << (kSkew * r % kWord));
      const size_t bytes_behind = (kSkew * r / kWord + 1) * sizeof(uint16_t);
      bits_[r] =
          static_cast<ptrdiff_t>(r * out.stride_bytes) - static_cast<ptrdiff_t>(bytes_behind);
      skew[lane(r)] = static_cast<int16_t>(kSkew * r);
      texture_rows_[r] = texture_row(in.texture, in.first_row + r);
    }
    word_shift_ = hn::Load(d, word_shift);
    skew_ = hn::Load(SignedTag(), skew);
    words_before_ = hn::Zero(d);
  }

  uint32_t width() const { return width_; }
  uint32_t lag() const { return lag_; }      ///< columns that the last row is behind the first
  uint32_t steps() const { return steps_; }  ///< until the last word of the last row is complete

  /// Whether all lanes are on the page in all steps of the chunk from step `first` on, and the words
  /// that it completes.
  bool is_inside(uint32_t first) const {
    return rows_ == kLanes && first >= lag_ + kWord && first + kChunk <= width_;
  }

  /// Fills by_step with the tones of the chunk from step `first` on; at the edge, those of columns
  /// outside the page are 0.
  template <bool kAtEdge>
  HWY_INLINE void fill(uint32_t first, Scratch& scratch) const {
    kAtEdge ? fill_at_edge(first, scratch) : fill_inside(first, scratch);
    for (uint32_t column = 0; column < kChunk; column += kBlock) {
      mezzo::HWY_NAMESPACE::transpose(
          Tag(), &scratch.by_lane[0][column], kChunk, scratch.by_step[column], kLanes);
    }
  }

  /// The lane of the first row, which may not be the top one at the edge.
  HWY_INLINE Mask is_first() const {
    return hn::RebindMask(Tag(), hn::Eq(skew_, hn::Zero(SignedTag())));
  }

  /// The lanes whose row is on the page at step k: 0 <= k - skew < width.
  HWY_INLINE hn::Mask<SignedTag> on_page(uint32_t k) const {
    const SignedTag ds;
    const auto not_begun = static_cast<int16_t>(std::min<uint32_t>(k + 1, kNever));
    const auto ended =
        static_cast<int16_t>(std::clamp<int64_t>(int64_t{k} - width_, -1, kNever - 1));
    return hn::And(hn::Lt(skew_, hn::Set(ds, not_begun)), hn::Gt(skew_, hn::Set(ds, ended)));
  }

  /// Takes kWord steps' bits, those of line `line` of the scratch on, the first in the top bits.
  HWY_INLINE void put_word(Vector words, uint32_t line, Scratch& scratch) {
    // A lane's word starts kSkew * r columns early: a word of the page is cut from two of them. A
    // shift by a count of its own for each lane is a multiplication.
    const Vector aligned =
        hn::Or(hn::Mul(words_before_, word_shift_), hn::MulHigh(words, word_shift_));
    words_before_ = words;
    const Vector bytes = hn::Or(hn::ShiftLeft<8>(aligned), hn::ShiftRight<8>(aligned));
    hn::Store(bytes, Tag(), scratch.words[line / kWord]);
  }

  /// Stores the bits of the chunk from step `first` on: eight bytes a row.
  template <bool kAtEdge>
  HWY_INLINE void store_bits(uint32_t first, const Scratch& scratch) const {
    static_assert(kChunk / kWord == 4);
    const Tag d;
    const hn::Repartition<uint32_t, Tag> d32;
    Vector word[4];
    for (uint32_t i = 0; i < 4; ++i) word[i] = hn::Load(d, scratch.words[i]);
    // The four words of a lane side by side; vector i has lanes 2 i and 2 i + 1 of each block.
    const auto pairs_low = hn::BitCast(d32, hn::InterleaveLower(d, word[0], word[1]));
    const auto pairs_high = hn::BitCast(d32, hn::InterleaveUpper(d, word[0], word[1]));
    const auto next_low = hn::BitCast(d32, hn::InterleaveLower(d, word[2], word[3]));
    const auto next_high = hn::BitCast(d32, hn::InterleaveUpper(d, word[2], word[3]));
    HWY_ALIGN uint64_t bits[kLanes];
    constexpr uint32_t kQuarter = kLanes / 4;
    auto* out = reinterpret_cast<uint32_t*>(bits);
    hn::Store(hn::InterleaveLower(d32, pairs_low, next_low), d32, out);
    hn::Store(hn::InterleaveUpper(d32, pairs_low, next_low), d32, out + 2 * kQuarter);
    hn::Store(hn::InterleaveLower(d32, pairs_high, next_high), d32, out + 4 * kQuarter);
    hn::Store(hn::InterleaveUpper(d32, pairs_high, next_high), d32, out + 6 * kQuarter);

    uint8_t* const base = out_.data + first / 8;
    for (uint32_t r = 0; r < (kAtEdge ? rows_ : kLanes); ++r) {
      const uint32_t l = (kAtEdge ? rows_ : kLanes) - 1 - r;
      const uint64_t& eight = bits[l % kBlock / 2 * kQuarter + l / kBlock * 2 + l % 2];
      if constexpr (kAtEdge) {
        store_on_page(eight, r, first / 8);
      } else {
        std::memcpy(base + bits_[r], &eight, sizeof eight);
      }
    }
  }

 private:
  uint32_t lane(uint32_t row) const { return rows_ - 1 - row; }

  void fill_inside(uint32_t first, Scratch& scratch) const {
    for (uint32_t r = 0; r < rows_; ++r) {
      const uint32_t begin = first - kSkew * r;
      // Rows of a band often lie a power of two apart and fall on the same few cache lines of the
      // nearest cache; the hardware does not foresee that many streams.
      const uint32_t ahead = std::min(begin + 2 * kChunk, width_ - 1);
      hwy::Prefetch(in_.row(r) + size_t{ahead} * in_.bytes_per_sample);
      row_tones(r, begin, begin + kChunk, scratch.by_lane[lane(r)]);
    }
  }

  void fill_at_edge(uint32_t first, Scratch& scratch) const {
    std::memset(scratch.by_lane, 0, sizeof scratch.by_lane);
    for (uint32_t r = 0; r < rows_; ++r) {
      const uint32_t skew = kSkew * r;
      const uint32_t begin = std::max(first, skew);
      const uint32_t end = std::min(first + kChunk, width_ + skew);
      if (begin >= end) continue;
      row_tones(r, begin - skew, end - skew, scratch.by_lane[lane(r)] + (begin - first));
    }
  }

  /// Tones of columns [begin, end) of row `r`.
  HWY_INLINE void row_tones(uint32_t r, uint32_t begin, uint32_t end, uint16_t* out) const {
    mezzo::HWY_NAMESPACE::curve_tones(Tag(), curve_, in_, r, begin, end - begin, out);
    if (in_.texture != 0) {
      add_texture(texture_rows_[r], begin, in_.first_row + r, end - begin, out);
    }
  }

  /// Stores those of the eight bytes that lie on the page; the row's first byte would be the one
  /// that step 0 makes, were the row not behind.
  void store_on_page(const uint64_t& eight, uint32_t r, uint32_t byte_of_step) const {
    const auto row_begin = static_cast<ptrdiff_t>(r * out_.stride_bytes);
    const ptrdiff_t begin = bits_[r] + byte_of_step - row_begin;
    const ptrdiff_t first = std::max<ptrdiff_t>(begin, 0);
    const ptrdiff_t end = std::min<ptrdiff_t>(begin + static_cast<ptrdiff_t>(sizeof eight),
                                              static_cast<ptrdiff_t>(bit_row_bytes(width_)));
    if (first >= end) return;
    const auto* bytes = reinterpret_cast<const uint8_t*>(&eight);
    std::memcpy(out_.row(r) + first, bytes + (first - begin), static_cast<size_t>(end - first));
  }

  const SampleBand in_;
  const BitBand out_;
  const ToneCurve& curve_;
  const uint32_t rows_;
  const uint32_t width_;
  const uint32_t lag_;
  const uint32_t steps_;
  Vector word_shift_;        ///< 2^(bits that a lane's words start early)
  hn::Vec<SignedTag> skew_;  ///< columns behind the first row; kNever in unused lanes
  Vector words_before_;      ///< bits of the last word of steps
  uint32_t texture_rows_[kLanes];
  ptrdiff_t bits_[kLanes];  ///< from the first row's first byte to where step 0 of a row belongs
};

/// A group of rows in work, behind the group above.
class GroupFollower : public Follower {
 public:
  GroupFollower(Progress* above, Progress& own, uint32_t width)
      : Follower(above, own), width_(width) {}

 protected:
  /// Whether the row above has what it leaves in columns [0, wanted). Once it has to wait it lets the
  /// group above get further ahead, so that the two do not pass the same cache lines to and fro.
  bool is_behind(uint32_t wanted) {
    const auto within = [this](uint32_t columns) {
      return columns <= width_ ? columns : Progress::kFinished;
    };
    if (within(wanted) <= above_done_) return true;
    above_done_ = above_reached();
    return within(wanted) <= above_done_ ||
           wait_for(within(wanted + kLead), within(wanted + kSleepLead));
  }

  /// Says that the chunk from step `first` on is done.
  void say_done(uint32_t first, uint32_t lag) {
    if (first + kChunk > lag) own().reach(std::min(first + kChunk - lag, width_));
  }

 private:
  const uint32_t width_;
  uint32_t above_done_ = 0;  ///< known progress of the group above
};

}  // namespace mezzo::diffusion::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
