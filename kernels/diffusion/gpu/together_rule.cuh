// Inks together (together/account.h) in the schedules that know a rule and a plane alone: a rule that
// reads and writes, beside the pixel that it decides, the accounts of the plane and what the planes
// before it left. Planes then follow each other, and a schedule needs no other code: it decides each
// pixel of the plane once, after those to the left and up-right.
//
// All this lies in the memory of the GPU. Where a pixel is decided after its neighbours by a later
// kernel, their accounts are visible; lanes of a warp that decide neighbours step by step meet before
// each pixel.
#pragma once

#include "kernels/diffusion/gpu/gpu_schedule.cuh"
#include "kernels/diffusion/rules/feedback_rule.h"
#include "kernels/diffusion/rules/floyd_steinberg.h"
#include "kernels/diffusion/rules/table_rule.h"
#include "kernels/diffusion/rules/tone_rule.h"
#include "kernels/diffusion/together/account.h"

namespace mezzo::diffusion {

/// One of the rules, known when a kernel runs: kernels of inks together are compiled once.
class AnyRule {
 public:
  static constexpr Pattern kPattern = FloydSteinbergRule::kPattern;  ///< that of all is part of it

  explicit AnyRule(const FloydSteinbergRule&) : kind_(Kind::kFloydSteinberg), feedback_{} {}
  explicit AnyRule(const TableRule& rule) : kind_(Kind::kTable), table_(rule) {}
  explicit AnyRule(const ToneRule& rule) : kind_(Kind::kTone), tone_(rule) {}
  explicit AnyRule(const FeedbackRule& rule) : kind_(Kind::kFeedback), feedback_(rule) {}

  MZ_HD constexpr bool takes_texture() const { return false; }
  __device__ Decision decide(int tone, int collected, const Place& place) const {
    return with([&](const auto& rule) { return rule.decide(tone, collected, place); });
  }
  __device__ Shares shares(int residue, int tone) const {
    return with([&](const auto& rule) { return rule.shares(residue, tone); });
  }
  __device__ int error_of(int residue) const {
    return kind_ == Kind::kFeedback ? diffusion::error_of<FeedbackRule>(residue) : residue;
  }

 private:
  enum class Kind : uint32_t { kFloydSteinberg, kTable, kTone, kFeedback };

  template <typename Call>
  __device__ auto with(const Call& call) const {
    switch (kind_) {
      case Kind::kTable:
        return call(table_);
      case Kind::kTone:
        return call(tone_);
      case Kind::kFeedback:
        return call(feedback_);
      default:
        return call(FloydSteinbergRule{});
    }
  }

  Kind kind_;
  union {
    TableRule table_;
    ToneRule tone_;
    FeedbackRule feedback_;
  };
};

/// What planes of a band leave for later ones, and the accounts of the plane at work. Rows have
/// width_px numbers each.
struct InkFields {
  static constexpr uint32_t kPlanes = together::kMostAccounts;

  int16_t* beyond[kPlanes];  ///< D of the first planes
  int16_t* owed[kPlanes];    ///< a row more: the first is that of the band above
  short2*
      light;  ///< tones and errors of the planes before, summed up; null: light tones as they are
  uint32_t width_px;
  uint32_t rows;
  uint32_t first_row;  ///< of the page
};

/// The rule of one plane of a band.
struct TogetherRule {
  static constexpr Pattern kPattern = AnyRule::kPattern;

  AnyRule rule;
  InkFields fields;
  uint32_t ink;         ///< number of the plane in its order
  bool lanes_are_rows;  ///< a warp decides neighbours, step by step, all lanes in each step

  MZ_HD constexpr bool takes_texture() const { return false; }
  __device__ Shares shares(int residue, int tone) const { return rule.shares(residue, tone); }

  __device__ Decision decide(int tone, int collected, Place place) const {
    if (lanes_are_rows) __syncwarp();
    const uint32_t i = place.y - fields.first_row, x = place.x;
    if (x >= fields.width_px || i >= fields.rows) return {};
    const size_t at = size_t{i} * fields.width_px + x;
    const short2 before = fields.light != nullptr && ink > 0 ? fields.light[at] : short2{0, 0};
    const int light = fields.light != nullptr ? together::lightness(tone, before.x) : 0;
    // First all that is read: each is a way to memory.
    int owed[InkFields::kPlanes] = {}, earlier[InkFields::kPlanes] = {};
    const uint32_t accounts = together::accounts_of(ink);
#pragma unroll
    for (uint32_t j = 0; j < InkFields::kPlanes; ++j) {
      if (j < accounts) {
        owed[j] = owed_at(j, at, x);
        earlier[j] = fields.beyond[j][at];
      }
    }
    if (accounts > 0) {
      int sum = 0;  // a D of 0 adds nothing
#pragma unroll
      for (uint32_t j = 0; j < InkFields::kPlanes; ++j) {
        sum += together::term(owed[j], earlier[j], tone);
      }
      const int z = together::lowered_by(sum, together::light_part(before.y, light));
      place.lowered = together::lowered_at(tone, z);
    }
    const Decision decision = rule.decide(tone, collected, place);
    const int own = together::beyond_tone(tone, decision.ink);
#pragma unroll
    for (uint32_t j = 0; j < InkFields::kPlanes; ++j) {
      if (j < accounts) {
        fields.owed[j][at + fields.width_px] =
            static_cast<int16_t>(together::owed_after(owed[j], own, earlier[j], light));
      }
    }
    leave(at, tone, own, decision, before);
    return decision;
  }

 private:
  /// a of account j.
  __device__ int owed_at(uint32_t j, size_t at, uint32_t x) const {
    const int16_t* own = fields.owed[j] + at + fields.width_px;
    const int left = x > 0 ? own[-1] : 0;
    const int up_right = x + 1 < fields.width_px ? fields.owed[j][at + 1] : 0;
    return together::owed_here(left, up_right);
  }

  /// For the planes to come.
  __device__ void leave(
      size_t at, int tone, int own, const Decision& decision, const short2& before) const {
    if (ink >= InkFields::kPlanes) return;
    fields.beyond[ink][at] = static_cast<int16_t>(own);
    if (fields.light == nullptr) return;
    fields.light[at] = {static_cast<short>(before.x + tone),
                        static_cast<short>(before.y + rule.error_of(decision.residue))};
  }
};

}  // namespace mezzo::diffusion
