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

#include "kernels/diffusion/cpu/wavefront_group.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/diffusion/cpu/wavefront_group.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/diffusion/cpu/wavefront_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::diffusion::wavefront::HWY_NAMESPACE {

/// The wavefront over one group of rows, chunk by chunk.
class Pass final : public GroupFollower {
 public:
  explicit Pass(const Group& group)
      : GroupFollower(group.above, *group.own, group.in.width_px),
        group_(group),
        rows_(group.in, group.out, *group.curve) {
    error_ = error_before_ = hn::Set(Tag(), kNoError);
  }

  bool go_on() override {
    for (; first_ < rows_.steps(); first_ += kChunk) {
      if (!is_behind(first_ + kChunk + 1)) return false;
      if (first_ == 0) look_up_at_column0();
      rows_.is_inside(first_) ? run_chunk<false>(first_) : run_chunk<true>(first_);
      say_done(first_, rows_.lag());
    }
    return true;
  }

 private:
  template <bool kAtEdge>
  void run_chunk(uint32_t first) {
    rows_.fill<kAtEdge>(first, scratch_);
    for (uint32_t k = 0; k < kChunk; k += kWord) run_word<kAtEdge>(first + k, k);
    rows_.store_bits<kAtEdge>(first, scratch_);
  }

  /// The first row starts at column 0, whose upper neighbours no step before has fetched; the
  /// others fetch theirs on their way through the columns before the page.
  void look_up_at_column0() {
    const Tag d;
    const Vector up = hn::Set(d, group_.errors[0]);
    const Vector none = hn::Set(d, kNoError);
    up_right_ = hn::IfThenElse(rows_.is_first(), up, none);
    collected_ = hn::Add(hn::Add(hn::ShiftLeft<2>(up_right_), up_right_), none);
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
        next = hn::IfThenElse(rows_.is_first(), above, next);
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
        const auto here = rows_.on_page(k + i);
        error = hn::IfThenElse(hn::RebindMask(d, here), error, none);
        ink = hn::IfThenElseZero(here, ink);
      }
      words = hn::Sub(hn::Add(words, words), hn::BitCast(d, ink));
      group_.errors[static_cast<ptrdiff_t>(k + i) - static_cast<ptrdiff_t>(rows_.lag())] =
          hn::GetLane(error);
    }
    error_ = error;
    error_before_ = error_before;
    up_right_ = up_right;
    collected_ = collected;
    rows_.put_word(words, line, scratch_);
  }

  const Group& group_;
  Rows rows_;
  uint32_t first_ = 0;  ///< step of the next chunk
  // The state from step to step; see the comment on arithmetic.
  Vector error_;         ///< of the step before: the left neighbours
  Vector error_before_;  ///< of the step before that: the upper-right ones, a lane up
  Vector up_right_;      ///< upper-right errors of the step before
  Vector collected_;     ///< 5 up + up-left
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
