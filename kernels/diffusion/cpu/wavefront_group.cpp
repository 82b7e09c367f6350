// The wavefront's inner loop, compiled once for each SIMD target.
//
// Arithmetic. fs::decide() has s = tone + ((c + 8) >> 4), where c is the collected error, and
// e = s mod 4096, taken in -2048 .. 2047. With biased errors E = e + 2048 in 0 .. 4095 the weighted
// sum of the neighbours is C = c + 16 * 2048, and
//
//     g = 16 tone + 8 + C  (mod 2^16)      E = g >> 4  (logical)      ink = E < tone
//
// since 16 s + 2^15 = 16 tone + (c + 8 with its low 4 bits cut) + 2^15, so the top 12 bits of g are
// s + 2048 mod 4096 = E; and E - tone = e - tone + 2048 lies in 0 .. 4095 without ink and in -4096
// .. -1 with it, because e - tone is (c + 8) >> 4, which lies in -2048 .. 2047, less 4096 where
// there is ink. Overflow of the 16 bits is wanted, as it reduces modulo 4096. From one error to the
// next of the same row there are three dependent instructions: g >> 4, then E << 3 beside (rest -
// E), then their sum.
//
// Lanes. Lane 0 is the last row of the group and the highest lane its first: the error for the row
// below moves one lane down, the row above the group comes in at the top lane, and the last row's
// error leaves through lane 0, which is the cheap one to store.

#include "kernels/diffusion/cpu/wavefront_group.h"

#include <algorithm>
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/diffusion/cpu/wavefront_group.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/band/tones-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::diffusion::wavefront::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::CappedTag<uint16_t, kMaxRows>;  // a lane a row
using SignedTag = hn::RebindToSigned<Tag>;
using Vector = hn::Vec<Tag>;
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

/// Turns by_lane into by_step.
HWY_INLINE void transpose(Scratch& scratch) {
  for (uint32_t column = 0; column < kChunk; column += kBlock) {
    mezzo::HWY_NAMESPACE::transpose(
        Tag(), &scratch.by_lane[0][column], kChunk, scratch.by_step[column], kLanes);
  }
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

/// The wavefront over one group of `rows` rows, chunk by chunk. Step k has row r at column
/// k - kSkew * r.
class Pass final : public Follower {
 public:
  explicit Pass(const Group& group)
      : Follower(group.above, *group.own),
        group_(group),
        rows_(group.in.rows),
        width_(group.in.width_px),
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
          static_cast<ptrdiff_t>(r * group.out.stride_bytes) - static_cast<ptrdiff_t>(bytes_behind);
      skew[lane(r)] = static_cast<int16_t>(kSkew * r);
      texture_rows_[r] = texture_row(group.in.texture, group.in.first_row + r);
    }
    word_shift_ = hn::Load(d, word_shift);
    skew_ = hn::Load(SignedTag(), skew);
    error_ = error_before_ = hn::Set(d, kNoError);
    words_before_ = hn::Zero(d);
  }

  bool go_on() override {
    for (; first_ < steps_; first_ += kChunk) {
      if (!is_behind(first_ + kChunk + 1)) return false;
      if (first_ == 0) look_up_at_column0();
      const bool inside = rows_ == kLanes && first_ >= lag_ + kWord && first_ + kChunk <= width_;
      inside ? run_chunk<false>(first_) : run_chunk<true>(first_);
      if (first_ + kChunk > lag_) own().reach(std::min(first_ + kChunk - lag_, width_));
    }
    return true;
  }

 private:
  template <bool kAtEdge>
  void run_chunk(uint32_t first) {
    kAtEdge ? fill_at_edge(first) : fill_inside(first);
    transpose(scratch_);
    for (uint32_t k = 0; k < kChunk; k += kWord) run_word<kAtEdge>(first + k, k);
    store_bits<kAtEdge>(first);
  }

  uint32_t lane(uint32_t row) const { return rows_ - 1 - row; }

  /// Whether the row above has errors in columns [0, wanted). Once it has to wait it lets the group
  /// above get further ahead, so that the two do not pass the same cache lines to and fro.
  bool is_behind(uint32_t wanted) {
    const auto within = [this](uint32_t columns) {
      return columns <= width_ ? columns : Progress::kFinished;
    };
    if (within(wanted) <= above_done_) return true;
    above_done_ = above_reached();
    return within(wanted) <= above_done_ ||
           wait_for(within(wanted + kLead), within(wanted + kSleepLead));
  }

  /// The first row starts at column 0, whose upper neighbours no step before has fetched; the
  /// others fetch theirs on their way through the columns before the page.
  void look_up_at_column0() {
    const Tag d;
    const auto is_top = hn::RebindMask(d, hn::Eq(skew_, hn::Zero(SignedTag())));
    const Vector up = hn::Set(d, group_.errors[0]);
    const Vector none = hn::Set(d, kNoError);
    up_right_ = hn::IfThenElse(is_top, up, none);
    collected_ = hn::Add(hn::Add(hn::ShiftLeft<2>(up_right_), up_right_), none);
  }

  void fill_inside(uint32_t first) {
    for (uint32_t r = 0; r < rows_; ++r) {
      const uint32_t begin = first - kSkew * r;
      // Rows of a band often lie a power of two apart and fall on the same few cache lines of the
      // nearest cache; the hardware does not foresee that many streams.
      const uint32_t ahead = std::min(begin + 2 * kChunk, width_ - 1);
      hwy::Prefetch(group_.in.row(r) + size_t{ahead} * group_.in.bytes_per_sample);
      row_tones(r, begin, begin + kChunk, scratch_.by_lane[lane(r)]);
    }
  }

  /// Tones of columns [begin, end) of row `r`.
  HWY_INLINE void row_tones(uint32_t r, uint32_t begin, uint32_t end, uint16_t* out) const {
    mezzo::HWY_NAMESPACE::curve_tones(Tag(), *group_.curve, group_.in, r, begin, end - begin, out);
    if (group_.in.texture != 0) {
      add_texture(texture_rows_[r], begin, group_.in.first_row + r, end - begin, out);
    }
  }

  /// Like fill_inside(), but columns outside the page get tone 0.
  void fill_at_edge(uint32_t first) {
    std::memset(scratch_.by_lane, 0, sizeof scratch_.by_lane);
    for (uint32_t r = 0; r < rows_; ++r) {
      const uint32_t skew = kSkew * r;
      const uint32_t begin = std::max(first, skew);
      const uint32_t end = std::min(first + kChunk, width_ + skew);
      if (begin >= end) continue;
      row_tones(r, begin - skew, end - skew, scratch_.by_lane[lane(r)] + (begin - first));
    }
  }

  /// The lanes whose row is on the page at step k: 0 <= k - skew < width.
  HWY_INLINE hn::Mask<SignedTag> on_page(uint32_t k) const {
    const SignedTag ds;
    const auto not_begun = static_cast<int16_t>(std::min<uint32_t>(k + 1, kNever));
    const auto ended =
        static_cast<int16_t>(std::clamp<int64_t>(int64_t{k} - width_, -1, kNever - 1));
    return hn::And(hn::Lt(skew_, hn::Set(ds, not_begun)), hn::Gt(skew_, hn::Set(ds, ended)));
  }

  /// kWord steps from step k on, which is line `line` of the scratch: a word of bits a lane.
  template <bool kAtEdge>
  HWY_INLINE void run_word(uint32_t k, uint32_t line) {
    const Tag d;
    const SignedTag ds;
    const Vector half_step = hn::Set(d, uint16_t{8});
    const Vector none = hn::Set(d, kNoError);
    // Locals, so that the compiler keeps them in registers.
    Vector error = error_, error_before = error_before_;
    Vector up_right = up_right_, collected = collected_, words = hn::Zero(d);
#pragma GCC unroll 4
    for (uint32_t i = 0; i < kWord; ++i) {
      const Vector tone = hn::Load(d, scratch_.by_step[line + i]);
      // The row above the group is one column ahead of its first row.
      const Vector above = hn::Set(d, group_.errors[k + i + 1]);
      Vector next = shift_down_one_lane(above, error_before);
      if constexpr (kAtEdge) {  // the first row may not be in the top lane
        const auto is_first = hn::RebindMask(d, hn::Eq(skew_, hn::Zero(ds)));
        next = hn::IfThenElse(is_first, above, next);
      }
      const Vector twice = hn::Add(next, next);
      const Vector thrice = hn::Add(twice, next);
      const Vector rest =
          hn::Add(hn::Add(hn::Add(hn::ShiftLeft<4>(tone), half_step), collected), thrice);
      collected = hn::Add(hn::Add(thrice, twice), up_right);  // 5 up + up-left of the next column
      up_right = next;
      error_before = error;
      error = hn::ShiftRight<4>(hn::Add(hn::Sub(rest, error), hn::ShiftLeft<3>(error)));
      // Below 0 where there is ink: -1 after the arithmetic shift.
      auto ink = hn::ShiftRight<15>(hn::BitCast(ds, hn::Sub(error, tone)));
      if constexpr (kAtEdge) {
        const auto here = on_page(k + i);
        error = hn::IfThenElse(hn::RebindMask(d, here), error, none);
        ink = hn::IfThenElseZero(here, ink);
      }
      words = hn::Sub(hn::Add(words, words), hn::BitCast(d, ink));
      group_.errors[static_cast<ptrdiff_t>(k + i) - static_cast<ptrdiff_t>(lag_)] =
          hn::GetLane(error);
    }
    error_ = error;
    error_before_ = error_before;
    up_right_ = up_right;
    collected_ = collected;
    // A lane's word starts kSkew * r columns early: a word of the page is cut from two of them. A
    // shift by a count of its own for each lane is a multiplication.
    const Vector aligned =
        hn::Or(hn::Mul(words_before_, word_shift_), hn::MulHigh(words, word_shift_));
    words_before_ = words;
    const Vector bytes = hn::Or(hn::ShiftLeft<8>(aligned), hn::ShiftRight<8>(aligned));
    hn::Store(bytes, d, scratch_.words[line / kWord]);
  }

  /// Stores the bits of the chunk from step `first` on: eight bytes a row.
  template <bool kAtEdge>
  HWY_INLINE void store_bits(uint32_t first) const {
    static_assert(kChunk / kWord == 4);
    const Tag d;
    const hn::Repartition<uint32_t, Tag> d32;
    Vector word[4];
    for (uint32_t i = 0; i < 4; ++i) word[i] = hn::Load(d, scratch_.words[i]);
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

    uint8_t* const base = group_.out.data + first / 8;
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

  /// Stores those of the eight bytes that lie on the page; the row's first byte would be the one
  /// that step 0 makes, were the row not behind.
  void store_on_page(const uint64_t& eight, uint32_t r, uint32_t byte_of_step) const {
    const auto row_begin = static_cast<ptrdiff_t>(r * group_.out.stride_bytes);
    const ptrdiff_t begin = bits_[r] + byte_of_step - row_begin;
    const ptrdiff_t first = std::max<ptrdiff_t>(begin, 0);
    const ptrdiff_t end = std::min<ptrdiff_t>(begin + static_cast<ptrdiff_t>(sizeof eight),
                                              static_cast<ptrdiff_t>(bit_row_bytes(width_)));
    if (first >= end) return;
    const auto* bytes = reinterpret_cast<const uint8_t*>(&eight);
    std::memcpy(
        group_.out.row(r) + first, bytes + (first - begin), static_cast<size_t>(end - first));
  }

  const Group& group_;
  uint32_t first_ = 0;       ///< step of the next chunk
  uint32_t above_done_ = 0;  ///< known progress of the group above
  const uint32_t rows_;
  const uint32_t width_;
  const uint32_t lag_;       ///< columns that the last row is behind the first
  const uint32_t steps_;     ///< until the word is complete that holds the last row's last column
  Vector word_shift_;        ///< 2^(bits that a lane's words start early)
  hn::Vec<SignedTag> skew_;  ///< columns behind the first row; kNever in unused lanes
  // The state from step to step; see the comment on arithmetic.
  Vector error_;         ///< of the step before: the left neighbours
  Vector error_before_;  ///< of the step before that: the upper-right ones, a lane up
  Vector up_right_;      ///< upper-right errors of the step before
  Vector collected_;     ///< 5 up + up-left
  Vector words_before_;  ///< bits of the last word of steps
  uint32_t texture_rows_[kLanes];
  ptrdiff_t bits_[kLanes];  ///< from the first row's first byte to where step 0 of a row belongs
  Scratch scratch_;
};

void run_group_on_target(const Group& group) {
  Pass pass(group);
  follow(pass);
}

uint32_t lanes_of_target() {
  return kLanes;
}

}  // namespace mezzo::diffusion::wavefront::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::diffusion::wavefront {

HWY_EXPORT(run_group_on_target);
HWY_EXPORT(lanes_of_target);

uint32_t rows_per_group() {
  return HWY_DYNAMIC_DISPATCH(lanes_of_target)();
}

void run_group(const Group& group) {
  HWY_DYNAMIC_DISPATCH(run_group_on_target)(group);
}

}  // namespace mezzo::diffusion::wavefront
#endif
