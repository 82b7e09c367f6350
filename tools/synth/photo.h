// The picture of the test page: a lake among mountains, made of value noise. It has the hard cases
// for a halftone: smooth skies, soft haze, grain, hard edges, deep shadow and clean highlights.
#pragma once

#include <cstdint>
#include <memory>

#include "tools/synth/draw.h"

namespace mezzo::synth {

/// `planes` is 1 (grey), 3 (RGB, as the inks that take its colours away) or 4 (CMYK). Holds about
/// 30 bytes a column.
std::unique_ptr<const Shape> make_landscape(const Box& box, uint32_t planes, uint64_t seed);

/// A colour in the planes of the page: each argument 0 .. 1.
Ink mix_ink(uint32_t planes, double cyan, double magenta, double yellow, double black);

}  // namespace mezzo::synth
