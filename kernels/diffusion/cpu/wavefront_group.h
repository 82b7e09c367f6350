// One pass of the wavefront over one group of rows: the interface between wavefront.cpp (threads,
// order of groups) and wavefront_group.cpp (SIMD, one compilation per target).
#pragma once

#include <cstdint>

#include "kernels/band/bands.h"
#include "kernels/band/tone.h"
#include "kernels/diffusion/cpu/follow.h"

namespace mezzo::diffusion::wavefront {

inline constexpr uint32_t kMaxRows = 32;  ///< lanes of the widest vector that is used (512 bits)
inline constexpr uint32_t kSkew = 3;      ///< columns that a row stays behind the row above it
inline constexpr uint32_t kChunk = 64;  ///< steps between two looks at the clock of the group above
inline constexpr uint32_t kLead = 4 * kChunk;  ///< columns more that are waited for, once waiting
inline constexpr uint32_t kSleepLead = 64 * kLead;  ///< and once asleep
inline constexpr uint32_t kWord = 16;  ///< steps, and bits, that a lane collects before it stores

/// Errors are stored biased, 0 .. 4095, so that they are the top 12 bits of a 16-bit word.
inline constexpr uint16_t kNoError = 2048;

/// Columns beside the row of errors that a pass touches: the last row starts kSkew columns a row
/// before column 0, and the first runs on by as many, by a word, and to the end of a chunk.
inline constexpr uint32_t kPadding = kSkew * kMaxRows + 2 * kChunk;
static_assert(2 * kWord <= kChunk);

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
