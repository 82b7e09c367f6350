// The layout of the test page: turns options into the list of shapes to draw.
#pragma once

#include <cstdint>

#include "tools/synth/draw.h"

namespace mezzo::synth {

struct SynthOptions {
  uint32_t width_px = 2480;  ///< 1 .. 100,000
  uint32_t height_px = 3508;
  uint32_t bits = 8;    ///< of a sample: 8 or 16
  uint32_t planes = 1;  ///< 1: grey, 3: RGB, 4: CMYK
  double dpi = 300;     ///< scales the type specimen; the rest scales with the page
  uint64_t seed = 1;    ///< of the picture
};

/// The shapes of the page, in order of drawing. Portrait and landscape pages are laid out
/// differently; shapes too small to be read are left out.
ShapeList lay_out(const SynthOptions& options);

}  // namespace mezzo::synth
