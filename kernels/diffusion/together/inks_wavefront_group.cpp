// The inner loop of the wavefront of several inks, compiled once for each SIMD target.
//
// Arithmetic, in lanes of 16 bits, modulo 2^16 where nothing else is said. Plane 0 is the wavefront
// of one ink (cpu/wavefront_group.cpp). A later plane has errors |e| <= 3071, so that the weighted
// sum c of its neighbours needs 17 bits. With E = e + 2^15 and R = the sum but for the left pixel,
//
//     R = E_ul + 5 E_u + 3 E_ur + 7 = c - 7 e_l + 7 + 2^15        within 16 bits, as 9 2^15 = 2^15
//     L = 8 E_l - E_l = 7 e_l + 2^15                              as 7 2^15 = 2^15
//     w = ((R + L + 1) >> 1) >> 3 = ((c + 8) >> 4) + 4096         the mean of two, rounded up
//     s = w + t - 4096
//
// An account o is kept as O = o + 2^15, so that a + 2^15 is the mean of O_l and O_ur, rounded up.
// Products (x y) >> 12 are the upper halves of (4 x) (4 y): 4 D lies in -16380 .. 16380, 4 (2048 - t)
// in -8192 .. 8192, and |a - ..| <= 6143 is below 8192, so 4 times that fits. Shifting it left drops
// its 2^15. In the parts of light tones, (E l) >> 11 is the upper half of 2 E, |E| <= 8190, and 16 l,
// l <= 1024; and (v l) >> 12 that of 4 v, |v| <= 8191, and 4 l.
//
// Ink is where s + z - 2048 is not negative. On paper and solid 8192 is taken from it or added, more
// than |s - t| + |z| <= 4094 can make up for.
//
// Order. A chunk is done two planes at a time, so that one's instructions fill the gaps of the
// other's; what planes 0 to 2 leave for later ones lies in memory, a line a step.

#include "kernels/diffusion/together/inks_wavefront_group.h"

#include <memory>
#include <new>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/diffusion/together/inks_wavefront_group.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernels/diffusion/cpu/wavefront_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mezzo::diffusion::together::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace lanes = wavefront::HWY_NAMESPACE;

using lanes::kLanes;
using lanes::SignedTag;
using lanes::Tag;
using lanes::Vector;
using wavefront::kChunk;
using wavefront::kWord;
using SignedVector = hn::Vec<SignedTag>;

/// What the planes with accounts left at the steps of a chunk.
struct Earlier {
  HWY_ALIGN int16_t beyond_tone[kMostAccounts][kChunk][kLanes];  ///< 4 D
  HWY_ALIGN int16_t tones[kChunk][kLanes];   ///< sum of t; for light tones alone,
  HWY_ALIGN int16_t errors[kChunk][kLanes];  ///< as the sum of e
};

/// A plane from word to word of steps. Vectors are as in the wavefront of one ink.
struct PlaneState {
  PlaneState(const InksGroup& group, uint32_t plane)
      : rows(group.planes[plane].in, group.planes[plane].out, *group.planes[plane].curve),
        errors(group.rows->errors(plane)) {
    const Tag d;
    error = error_before = up_right = hn::Set(d, none(plane));
    for (uint32_t j = 0; j < kMostAccounts; ++j) {
      owed[j] = owed_before[j] = hn::Set(d, kNothing);
      if (j < accounts_of(plane)) owed_rows[j] = group.rows->owed(plane, j);
    }
    const Vector up = hn::IfThenElse(rows.is_first(), hn::Set(d, errors[0]), up_right);
    collected = hn::Add(hn::Add(hn::ShiftLeft<2>(up), up), up_right);
    up_right = up;
  }

  static uint16_t none(uint32_t plane) { return plane == 0 ? wavefront::kNoError : kNothing; }

  lanes::Rows rows;
  uint16_t* errors;
  uint16_t* owed_rows[kMostAccounts] = {};
  Vector error, error_before, up_right, collected;
  Vector owed[kMostAccounts], owed_before[kMostAccounts];
};

/// A plane within a word of steps: the state in registers. kPlane is its number, or kMostAccounts for
/// all from there on.
template <uint32_t kPlane, bool kAtEdge, bool kLight>
class PlaneSteps {
 public:
  HWY_INLINE PlaneSteps(PlaneState& state, const lanes::Scratch& scratch, Earlier& earlier)
      : state_(state), scratch_(scratch), earlier_(earlier) {
    error_ = state.error;
    error_before_ = state.error_before;
    up_right_ = state.up_right;
    collected_ = state.collected;
    words_ = hn::Zero(Tag());
    for (uint32_t j = 0; j < kPlane; ++j) {
      owed_[j] = state.owed[j];
      owed_before_[j] = state.owed_before[j];
    }
  }

  /// Step k, which is line `line` of the chunk.
  HWY_INLINE void step(uint32_t k, uint32_t line) {
    const Tag d;
    const SignedTag ds;
    const Vector tone = hn::Load(d, scratch_.by_step[line]);
    const Vector rest = collect(k);
    const Vector tone4 = hn::ShiftLeft<2>(tone);
    SignedVector own;  // 4 D
    if constexpr (kPlane == 0) {
      own = decide_first(k, tone, tone4, rest);
    } else {
      own = decide(k, line, tone, tone4, rest);
    }
    const ptrdiff_t behind = static_cast<ptrdiff_t>(k) - static_cast<ptrdiff_t>(state_.rows.lag());
    state_.errors[behind] = hn::GetLane(error_);
    for (uint32_t j = 0; j < kPlane; ++j) state_.owed_rows[j][behind] = hn::GetLane(owed_[j]);
    if constexpr (kPlane < kMostAccounts) {
      hn::Store(own, ds, earlier_.beyond_tone[kPlane][line]);
      if constexpr (kLight) add_light(line, tone);
    }
  }

  /// Ends the word that began with line `line`.
  HWY_INLINE void end(uint32_t line, lanes::Scratch& scratch) {
    state_.error = error_;
    state_.error_before = error_before_;
    state_.up_right = up_right_;
    state_.collected = collected_;
    for (uint32_t j = 0; j < kPlane; ++j) {
      state_.owed[j] = owed_[j];
      state_.owed_before[j] = owed_before_[j];
    }
    state_.rows.put_word(kPlane == 0 ? words_ : hn::Not(words_), line, scratch);
  }

 private:
  /// Of a row of errors or of what is owed: what lies up-right of each lane's pixel at step k.
  HWY_INLINE Vector up_right_of(const uint16_t* row, Vector two_steps_before, uint32_t k) const {
    // The row above the group is one column ahead of its first row.
    const Vector above = hn::Set(Tag(), row[k + 1]);
    const Vector next = lanes::shift_down_one_lane(above, two_steps_before);
    if constexpr (!kAtEdge) return next;
    return hn::IfThenElse(state_.rows.is_first(), above, next);
  }

  /// The weighted errors of the row above.
  HWY_INLINE Vector collect(uint32_t k) {
    const Vector next = up_right_of(state_.errors, error_before_, k);
    const Vector twice = hn::Add(next, next);
    const Vector thrice = hn::Add(twice, next);
    const Vector rest = hn::Add(collected_, thrice);
    collected_ = hn::Add(hn::Add(thrice, twice), up_right_);  // 5 up + up-left of the next column
    up_right_ = next;
    error_before_ = error_;
    return rest;
  }

  HWY_INLINE SignedVector decide_first(uint32_t k, Vector tone, Vector tone4, Vector rest) {
    const Tag d;
    const SignedTag ds;
    const Vector g = hn::Add(hn::Add(hn::ShiftLeft<2>(tone4), hn::Set(d, uint16_t{8})), rest);
    error_ = hn::ShiftRight<4>(hn::Add(hn::Sub(g, error_), hn::ShiftLeft<3>(error_)));
    auto ink = hn::ShiftRight<15>(hn::BitCast(ds, hn::Sub(error_, tone)));
    if constexpr (kAtEdge) {
      const auto here = state_.rows.on_page(k);
      error_ = hn::IfThenElse(hn::RebindMask(d, here), error_, hn::Set(d, wavefront::kNoError));
      ink = hn::IfThenElseZero(here, ink);
    }
    words_ = hn::Sub(hn::Add(words_, words_), hn::BitCast(d, ink));
    return hn::Sub(hn::And(ink, hn::Set(ds, 4 * kInk)), hn::BitCast(ds, tone4));
  }

  HWY_INLINE SignedVector
  decide(uint32_t k, uint32_t line, Vector tone, Vector tone4, Vector rest) {
    const Tag d;
    const SignedTag ds;
    const Vector left = hn::Sub(hn::ShiftLeft<3>(error_), error_);
    const Vector w =
        hn::ShiftRight<3>(hn::AverageRound(hn::Add(rest, hn::Set(d, uint16_t{7})), left));
    const auto from_half = hn::BitCast(ds, hn::Sub(hn::Set(d, uint16_t{8192}), tone4));
    Vector owed[kPlane];
    SignedVector earlier[kPlane], sum = hn::Zero(ds);
    for (uint32_t j = 0; j < kPlane; ++j) {
      earlier[j] = hn::Load(ds, earlier_.beyond_tone[j][line]);
      owed[j] = hn::AverageRound(owed_[j], up_right_of(state_.owed_rows[j], owed_before_[j], k));
      const auto wanted = hn::BitCast(d, hn::MulHigh(earlier[j], from_half));
      const auto term4 = hn::BitCast(ds, hn::ShiftLeft<2>(hn::Sub(owed[j], wanted)));
      sum = hn::Add(sum, hn::MulHigh(term4, earlier[j]));
    }
    SignedVector z = hn::ShiftRight<1>(sum);
    Vector light = hn::Zero(d);
    if constexpr (kLight) {
      light = lightness(line, tone);
      const auto errors = hn::Load(ds, earlier_.errors[line]);
      z = hn::Add(z,
                  hn::MulHigh(hn::Add(errors, errors), hn::BitCast(ds, hn::ShiftLeft<4>(light))));
    }
    z = hn::Min(hn::Max(z, hn::Set(ds, -kMostLowered)), hn::Set(ds, kMostLowered));
    const auto beyond_half = hn::BitCast(ds, hn::Add(w, certain(tone)));
    auto no_ink = hn::ShiftRight<15>(hn::Add(beyond_half, z));  // -1 or 0
    const Vector ink = hn::BitCast(d, hn::AndNot(no_ink, hn::Set(ds, kInk)));
    error_ = hn::Sub(hn::Add(w, hn::Add(tone, hn::Set(d, uint16_t{kNothing - kInk}))), ink);
    const auto own = hn::BitCast(ds, hn::Sub(hn::ShiftLeft<2>(ink), tone4));
    for (uint32_t j = 0; j < kPlane; ++j) {
      owed_before_[j] = owed_[j];
      owed_[j] = owed_after(owed[j], own, earlier[j], light);
    }
    if constexpr (kAtEdge) {
      const auto here = hn::RebindMask(d, state_.rows.on_page(k));
      const Vector nothing = hn::Set(d, kNothing);
      error_ = hn::IfThenElse(here, error_, nothing);
      for (uint32_t j = 0; j < kPlane; ++j) owed_[j] = hn::IfThenElse(here, owed_[j], nothing);
      no_ink = hn::IfThenElse(state_.rows.on_page(k), no_ink, hn::Set(ds, int16_t{-1}));
    }
    words_ = hn::Sub(hn::Add(words_, words_), hn::BitCast(d, no_ink));
    return own;
  }

  /// t - 2048 - 4096, so that w + this is s - 2048; 8192 less on paper and more on solid.
  static HWY_INLINE Vector certain(Vector tone) {
    const Tag d;
    const Vector paper = hn::SaturatedSub(hn::Set(d, uint16_t{1}), tone);
    const Vector solid = hn::SaturatedSub(tone, hn::Set(d, uint16_t{kInk - 1}));
    return hn::Add(hn::Sub(tone, hn::Set(d, uint16_t{3 * kInk / 2})),
                   hn::ShiftLeft<13>(hn::Sub(solid, paper)));
  }

  static HWY_INLINE Vector owed_after(Vector owed,
                                      SignedVector own,
                                      SignedVector earlier,
                                      Vector light) {
    const Tag d;
    const SignedTag ds;
    Vector left = hn::Sub(owed, hn::BitCast(d, hn::MulHigh(own, earlier)));
    if constexpr (kLight) {
      const auto left4 = hn::BitCast(ds, hn::ShiftLeft<2>(left));
      const auto light4 = hn::BitCast(ds, hn::ShiftLeft<2>(light));
      left = hn::Sub(left, hn::BitCast(d, hn::MulHigh(left4, light4)));
    }
    return hn::Min(hn::Max(left, hn::Set(d, uint16_t{kNothing - kMostOwed})),
                   hn::Set(d, uint16_t{kNothing + kMostOwed}));
  }

  HWY_INLINE Vector lightness(uint32_t line, Vector tone) const {
    const Tag d;
    const Vector tones = hn::BitCast(d, hn::Load(SignedTag(), earlier_.tones[line]));
    return hn::SaturatedSub(hn::Set(d, uint16_t{kLightTone}), hn::Add(tone, tones));
  }

  HWY_INLINE void add_light(uint32_t line, Vector tone) const {
    const Tag d;
    const SignedTag ds;
    auto tones = hn::BitCast(ds, tone);
    auto errors = hn::BitCast(ds, hn::Sub(error_, hn::Set(d, PlaneState::none(kPlane))));
    if constexpr (kPlane > 0) {
      tones = hn::Add(tones, hn::Load(ds, earlier_.tones[line]));
      errors = hn::Add(errors, hn::Load(ds, earlier_.errors[line]));
    }
    hn::Store(tones, ds, earlier_.tones[line]);
    hn::Store(errors, ds, earlier_.errors[line]);
  }

  static constexpr int16_t kInk = kSolid;
  static constexpr uint32_t kRoom = kPlane == 0 ? 1 : kPlane;

  PlaneState& state_;
  const lanes::Scratch& scratch_;
  Earlier& earlier_;
  Vector error_, error_before_, up_right_, collected_;
  Vector words_;  ///< bits so far; of planes with accounts those without ink
  Vector owed_[kRoom], owed_before_[kRoom];
};

/// The wavefront over one group of rows, chunk by chunk.
class InksPass final : public lanes::GroupFollower {
 public:
  explicit InksPass(const InksGroup& group)
      : GroupFollower(group.above, *group.own, group.planes.front().in.width_px),
        group_(group),
        count_(static_cast<uint32_t>(group.planes.size())) {}

  bool go_on() override {
    do {
      if (!is_behind(first_ + kChunk + 1)) return false;
      if (first_ == 0) begin();
      const lanes::Rows& rows = planes_[0].rows;
      group_.light == LightTones::kAsIs ? run_chunk<false>(rows) : run_chunk<true>(rows);
      say_done(first_, rows.lag());
      first_ += kChunk;
    } while (first_ < planes_[0].rows.steps());
    return true;
  }

 private:
  /// States look at the row above, at its column 0.
  void begin() {
    planes_.reset(
        static_cast<PlaneState*>(::operator new(count_ * sizeof(PlaneState), kAlignment)));
    for (uint32_t k = 0; k < count_; ++k) std::construct_at(&planes_[k], group_, k);
  }

  template <bool kLight>
  void run_chunk(const lanes::Rows& rows) {
    rows.is_inside(first_) ? run_planes<false, kLight>() : run_planes<true, kLight>();
  }

  template <bool kAtEdge, bool kLight>
  void run_planes() {
    if (count_ == 1) return run_one<0, kAtEdge, kLight>(0);
    run_two<0, 1, kAtEdge, kLight>(0);
    if (count_ == 3) return run_one<2, kAtEdge, kLight>(2);
    if (count_ > 3) run_two<2, 3, kAtEdge, kLight>(2);
    for (uint32_t k = 4; k < count_; ++k) run_one<3, kAtEdge, kLight>(k);
  }

  template <uint32_t kPlane, bool kAtEdge, bool kLight>
  void run_one(uint32_t k) {
    PlaneState& plane = planes_[k];
    plane.rows.fill<kAtEdge>(first_, scratch_[0]);
    for (uint32_t line = 0; line < kChunk; line += kWord) {
      PlaneSteps<kPlane, kAtEdge, kLight> steps(plane, scratch_[0], earlier_);
      for (uint32_t i = line; i < line + kWord; ++i) steps.step(first_ + i, i);
      steps.end(line, scratch_[0]);
    }
    plane.rows.store_bits<kAtEdge>(first_, scratch_[0]);
  }

  template <uint32_t kPlane, uint32_t kNext, bool kAtEdge, bool kLight>
  void run_two(uint32_t k) {
    PlaneState &plane = planes_[k], &next = planes_[k + 1];
    plane.rows.fill<kAtEdge>(first_, scratch_[0]);
    next.rows.fill<kAtEdge>(first_, scratch_[1]);
    for (uint32_t line = 0; line < kChunk; line += kWord) {
      PlaneSteps<kPlane, kAtEdge, kLight> steps(plane, scratch_[0], earlier_);
      PlaneSteps<kNext, kAtEdge, kLight> next_steps(next, scratch_[1], earlier_);
      for (uint32_t i = line; i < line + kWord; ++i) {
        steps.step(first_ + i, i);
        next_steps.step(first_ + i, i);
      }
      steps.end(line, scratch_[0]);
      next_steps.end(line, scratch_[1]);
    }
    plane.rows.store_bits<kAtEdge>(first_, scratch_[0]);
    next.rows.store_bits<kAtEdge>(first_, scratch_[1]);
  }

  const InksGroup& group_;
  uint32_t first_ = 0;  ///< step of the next chunk
  const uint32_t count_;
  static constexpr std::align_val_t kAlignment{128};  // two cache lines: they are loaded together
  static_assert(std::is_trivially_destructible_v<PlaneState> && alignof(PlaneState) <= 128);
  struct Free {
    void operator()(PlaneState* planes) const { ::operator delete(planes, kAlignment); }
  };
  // No std::vector: it would be compiled for another SIMD target.
  std::unique_ptr<PlaneState[], Free> planes_;
  lanes::Scratch scratch_[2];
  Earlier earlier_;
};

void run_inks_group_on_target(const InksGroup& group) {
  InksPass pass(group);
  follow(pass);
}

}  // namespace mezzo::diffusion::together::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mezzo::diffusion::together {

HWY_EXPORT(run_inks_group_on_target);

void run_inks_group(const InksGroup& group) {
  HWY_DYNAMIC_DISPATCH(run_inks_group_on_target)(group);
}

}  // namespace mezzo::diffusion::together
#endif
