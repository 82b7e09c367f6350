// One pass of the wavefront of several inks over one group of rows: the interface between
// inks_wavefront.cpp (threads, order of groups) and inks_wavefront_group.cpp (SIMD, one compilation
// per target).
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/tone.h"
#include "kernels/diffusion/cpu/follow.h"
#include "kernels/diffusion/cpu/wavefront_shape.h"
#include "kernels/diffusion/together/account.h"

namespace mezzo::diffusion::together {

/// Errors of planes with accounts, and what accounts owe, are stored biased: 2^15 is 0. Errors of
/// plane 0 are those of the wavefront of one ink (wavefront::kNoError).
inline constexpr uint16_t kNothing = 0x8000;

/// A row of each error and each account, padded as the wavefront's (wavefront::kPadding): of the row
/// above a group, and when it has passed, of its last row.
class WavefrontRows {
 public:
  WavefrontRows(uint32_t width_px, uint32_t inks);

  /// Column 0.
  uint16_t* errors(uint32_t plane) { return row(plane); }
  uint16_t* owed(uint32_t plane, uint32_t earlier) {
    return row(inks_ + accounts_before(plane) + earlier);
  }

 private:
  uint16_t* row(uint32_t i) { return rows_.data() + i * stride_ + wavefront::kPadding; }

  uint32_t inks_;
  size_t stride_;
  std::vector<uint16_t> rows_;
};

struct InksGroup {
  struct Plane {
    SampleBand in;  ///< 1 .. wavefront_rows() rows; no texture
    BitBand out;    ///< the same rows
    const ToneCurve* curve;
  };
  std::vector<Plane> planes;  ///< at least one
  WavefrontRows* rows;
  LightTones light;
  Progress* above;  ///< of the group above; null: it is finished
  Progress* own;    ///< columns in which all that the last row leaves is final
};

/// Runs the group to its end, behind the group above: see follow().
void run_inks_group(const InksGroup& group);

}  // namespace mezzo::diffusion::together
