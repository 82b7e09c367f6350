// One pass of the wavefront over one group of rows: the interface between wavefront.cpp (threads,
// order of groups) and wavefront_group.cpp (SIMD, one compilation per target).
#pragma once

#include <atomic>
#include <cstdint>

#include "kernels/band/bands.h"
#include "kernels/band/tone.h"

namespace mezzo::diffusion::wavefront {

inline constexpr uint32_t kMaxRows = 32;  ///< lanes of the widest vector that is used (512 bits)
inline constexpr uint32_t kSkew = 3;      ///< columns that a row stays behind the row above it
inline constexpr uint32_t kChunk = 64;  ///< steps between two looks at the clock of the group above
inline constexpr uint32_t kLead = 4 * kChunk;  ///< columns more that are waited for, once waiting
inline constexpr uint32_t kWord = 16;  ///< steps, and bits, that a lane collects before it stores

/// Errors are stored biased, 0 .. 4095, so that they are the top 12 bits of a 16-bit word.
inline constexpr uint16_t kNoError = 2048;

/// Columns beside the row of errors that a pass touches: the last row starts kSkew columns a row
/// before column 0, and the first runs on by as many, by a word, and to the end of a chunk.
inline constexpr uint32_t kPadding = kSkew * kMaxRows + 2 * kChunk;
static_assert(2 * kWord <= kChunk);

/// The progress of a group: its last row's errors are final in columns [0, done).
using Progress = std::atomic<uint32_t>;
inline constexpr uint32_t kFinished = UINT32_MAX;

struct Group {
  SampleBand in;  ///< 1 .. rows_per_group() rows
  BitBand out;    ///< the same rows
  const ToneCurve* curve;
  uint16_t* errors;       ///< biased errors of the row above by column, padded; in: of the row
                          ///< above the group, out: of its last row
  const Progress* above;  ///< null: the row above is finished
  Progress* done;
};

/// Returns when the group has errors in columns [0, columns), or with kFinished at its end. The
/// group must be finished or run by another thread. Returns its progress.
uint32_t wait_for(const Progress& group, uint32_t columns);

/// Lanes of the target in use.
uint32_t rows_per_group();

/// Runs the group to its end; waits while the group above is not far enough.
void run_group(const Group& group);

}  // namespace mezzo::diffusion::wavefront
