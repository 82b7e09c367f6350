// One pass of the wavefront over one group of rows: the interface between wavefront.cpp (threads,
// order of groups) and wavefront_group.cpp (SIMD, one compilation per target).
#pragma once

#include <cstdint>

#include "kernels/band/bands.h"
#include "kernels/band/tone.h"
#include "kernels/diffusion/cpu/follow.h"
#include "kernels/diffusion/cpu/wavefront_shape.h"

namespace mezzo::diffusion::wavefront {

struct Group {
  SampleBand in;  ///< 1 .. rows_per_group() rows
  BitBand out;    ///< the same rows
  const ToneCurve* curve;
  uint16_t* errors;  ///< biased errors of the row above by column, padded; in: of the row
                     ///< above the group, out: of its last row
  Progress* above;   ///< of the group above; null: it is finished
  Progress* own;     ///< columns in which the last row's errors are final
};

/// Lanes of the target in use.
uint32_t rows_per_group();

/// Runs the group to its end, behind the group above: see follow().
void run_group(const Group& group);

}  // namespace mezzo::diffusion::wavefront
