// Masks of blue noise by void and cluster (R. Ulichney, Proc. SPIE 1913, 1993): an order of the
// pixels of a torus in which the first n, for every n, lie evenly and without a pattern.
//
// How crowded a pixel is, is the sum over the set pixels of a Gaussian of their distance on the torus:
// sigma 1.5 px, 0 beyond 6 px. A tenth of the pixels starts where a hash throws them. The most crowded
// one then moves to the emptiest place until that gains nothing. These leave again, the most crowded
// one first, which gives the low ranks. From the same start the emptiest place is set until a tenth is
// left, and those are thinned out in the same way. Pixels that are thinned out must not lie farther
// apart than the Gaussian reaches: it is twice as wide from 1/16 of the torus on, four times from 1/64,
// and so on. Of equals the first in reading order is taken.
//
// The Gaussian is a table of integers, so that a mask is the same on every machine, and may be part
// of what a plate's bits promise.
#pragma once

#include <cstdint>
#include <vector>

namespace mezzo::screen {

/// The rank, 0 .. side^2 - 1, of each pixel of a torus of side x side pixels, row by row. The same
/// arguments always give the same ranks. `side` is 1 .. kMostMaskSide. A side of 256 takes 0.2 s on
/// one core, 512 a second, and 64 a hundredth.
std::vector<uint32_t> blue_noise_ranks(uint32_t side, uint32_t seed);

inline constexpr uint32_t kMostMaskSide = 512;

}  // namespace mezzo::screen
