// Clustered stochastic screens (second-order FM): dots that grow like those of an AM screen, from
// centres that lie evenly and without a pattern.
//
// The centres of dots are the first pixels of a mask of blue noise, the centres of holes those that
// come next, which lie between them. Four times every centre moves to the middle of what is nearest
// to it, so that cells become alike; holes weigh each pixel by its squared distance from the next
// dot, which keeps them off the dots. Light tints grow from the dots, each to the same share of its
// cell, those that are a pixel ahead in the order of the mask; dark ones from the holes likewise.
// They meet at one half.
//
// All of it is integers: centres lie on a grid of 1/16 px, and of equals the first one counts.
#pragma once

#include <cstdint>
#include <vector>

namespace mezzo::screen {

inline constexpr uint32_t kLeastCluster = 9;
inline constexpr uint32_t kMostCluster = 400;

/// The rank, 0 .. side^2 - 1, of each pixel of a torus of side x side pixels, row by row, with cells
/// of about `area` pixels, kLeastCluster .. kMostCluster. `side` is 64 .. kMostMaskSide.
std::vector<uint32_t> clustered_ranks(uint32_t side, uint32_t area, uint32_t seed);

}  // namespace mezzo::screen
