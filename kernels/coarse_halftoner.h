// Dots of several pixels: any method, on a grid that is 2, 3 or 4 times as coarse.
//
// The samples of each square of the grid are averaged, the method halftones the averages as a page of
// its own, and every bit of it becomes a square of ink or paper. So no dot and no hole is smaller than
// a square, the mean tone is the method's, and detail is that of the coarser grid. The grid starts at
// the first row and column of the page; squares at its right and lower edge have fewer pixels, and
// are averaged over those.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/halftoner.h"

namespace mezzo {

/// Runs `method` with dots of side x side pixels, 2 to 4.
std::unique_ptr<Halftoner> make_coarse_halftoner(std::unique_ptr<Halftoner> method, uint32_t side);

}  // namespace mezzo
