// The rules that the GPU schedules are compiled for: a new rule is an include and a line here.
#pragma once

#include "kernels/diffusion/floyd_steinberg.h"
#include "kernels/diffusion/table_rule.h"

/// INSTANTIATE(Rule) for each of them, to be used inside namespace mezzo::diffusion.
#define MZ_FOR_EACH_GPU_RULE(INSTANTIATE) \
  INSTANTIATE(FloydSteinbergRule)         \
  INSTANTIATE(TableRule)
