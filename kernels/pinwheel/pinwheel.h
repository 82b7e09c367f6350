// Pinwheel error diffusion on the CPU: a row of blocks to a thread, first all outward blocks of the
// band and of the rows of blocks around it, then its inward blocks.
#pragma once

#include <memory>

#include "kernels/halftoner.h"
#include "kernels/pinwheel/parameters.h"

namespace mezzo::pinwheel {

struct Settings {
  uint32_t size = 16;  ///< of a block, kLeastSize .. kMostSize
  Path path = Path::kSpiral;
  Noise noise = {};
  std::shared_ptr<const Tables> tables = {};
};

/// Rows of the page beyond a band that decide its bits: the inward blocks of its first and last row
/// get errors from the outward ones of the next row of blocks, whose shares depend on whether the
/// page goes on behind them.
constexpr uint32_t context_rows(uint32_t size) {
  return 2 * size;
}

/// Runs block by block, pixel by pixel: the reference.
std::unique_ptr<Halftoner> make_scalar(const Settings& settings);

/// Runs many blocks side by side, one a SIMD lane.
std::unique_ptr<Halftoner> make_simd(const Settings& settings);

}  // namespace mezzo::pinwheel
