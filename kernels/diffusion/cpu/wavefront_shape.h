// The sizes of the wavefront's groups of rows and chunks of steps, and how it stores errors.
#pragma once

#include <cstdint>

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

}  // namespace mezzo::diffusion::wavefront
