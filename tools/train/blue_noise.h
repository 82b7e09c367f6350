// A blue-noise mask by void and cluster (R. Ulichney, SPIE 1913, 1993): an order of the pixels of a
// tile in which the first n, for every n, are spread evenly.
//
// It is the maker of pinwheel's mask, whose tables were trained with it and whose plates depend on
// it, so neither may change. The masks of screens are those of kernels/screen/blue_noise.h.
#pragma once

#include <cstdint>
#include <vector>

namespace mezzo::train {

/// The rank, 0 .. size^2 - 1, of each pixel of a size x size tile that repeats without seams; row
/// by row. `sigma` is that of the Gaussian that tells crowded from empty, in pixels. The same
/// arguments give the same mask. Takes time in proportion to size^4: 64 takes under a second.
std::vector<uint32_t> void_and_cluster(uint32_t size, double sigma, uint32_t seed);

}  // namespace mezzo::train
