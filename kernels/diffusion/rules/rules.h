// The rules that schedules with a .cu file are compiled for: a new type of rule is an include and a
// line here. A method whose rule is a TableRule needs neither.
#pragma once

#include "kernels/diffusion/rules/feedback_rule.h"
#include "kernels/diffusion/rules/floyd_steinberg.h"
#include "kernels/diffusion/rules/level_rule.h"
#include "kernels/diffusion/rules/table_rule.h"
#include "kernels/diffusion/rules/tone_rule.h"

namespace mezzo::diffusion {

/// Whether a rule is in the list.
template <typename R>
inline constexpr bool kIsListed = false;

}  // namespace mezzo::diffusion

/// INSTANTIATE(Rule) for each of them, to be used inside namespace mezzo::diffusion.
#define MZ_FOR_EACH_RULE(INSTANTIATE) \
  INSTANTIATE(FloydSteinbergRule)     \
  INSTANTIATE(TableRule)              \
  INSTANTIATE(ToneRule)               \
  INSTANTIATE(FeedbackRule)           \
  INSTANTIATE(LevelRule)

namespace mezzo::diffusion {

#define MZ_IS_LISTED(R) \
  template <>           \
  inline constexpr bool kIsListed<R> = true;
MZ_FOR_EACH_RULE(MZ_IS_LISTED)
#undef MZ_IS_LISTED

}  // namespace mezzo::diffusion
