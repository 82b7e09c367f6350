// The rules that GPU schedules are compiled for.
#pragma once

#include "kernels/diffusion/floyd_steinberg.h"

#define MEZZO_FOR_EACH_RULE(INSTANTIATE) INSTANTIATE(FloydSteinbergRule)
