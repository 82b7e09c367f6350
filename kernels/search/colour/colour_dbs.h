// Direct binary search over the inks of a sheet together: for inkjet heads and presses that hold their
// inks in register.
//
// A pixel has a state, the set of its inks, bit k for ink k. States are changed, or swapped with a
// neighbour's, in whole or in one ink, wherever that brings the print closer to the page, both seen by
// the eye. The light of a state is that of its overprint (ink_colours.h). The page is the mean of all
// states by Demichel's areas, so that profiles made for inks that do not know of each other hold. A
// small term for each ink by itself keeps tones: without it black takes the place of cyan, magenta and
// yellow over each other.
//
// All arithmetic is of integers. N inks have 3 + N channels; a state s has in channel
//
//     0        V(s) = (640 Y(s) + 512) >> 10         eye: luminance
//     1        V(s) = (X - Y)(s)                     eye: chrominance
//     2        V(s) = (640 (Y - Z)(s) + 512) >> 10   eye: chrominance
//     3 + k    V(s) = 200 where s has ink k, else 0  eye: chrominance
//
// T is what the page asks for, in sixteenths, of tones t in Q12. The 2^N values A(s) = 256 V(s) of
// channels 0 to 2 are halved by each ink in turn, k = 0 to N - 1, and the last one is rounded:
//
//     A(s) <- (A(2s) (4096 - t_k) + A(2s + 1) t_k + 2048) >> 12     T = (A + 8) >> 4
//
// and in channel 3 + k, T = (200 t_k + 128) >> 8. K is the eye's point spread of the channel
// (colour_eyes.h), of radius r = 7. Of each channel, for pixels p of the page and points p up to r
// outside of it,
//
//     e(p) = 16 V(state of p) - T(p), outside of the page 0
//     f(p) = (sum over d of K(d) e(p + d) + 8) >> 4
//     E    = sum over channels and points of f(p)^2, which the search makes smaller
//     c(m) = sum over d of K(d) f(m + d)
//     C(d) = sum over p of K(p) K(p + d), 0 where |dy| or |dx| exceeds 2r
//
// An ink is free in a pixel where its tone is neither 0 nor 4096, and loose where it is 205 .. 3891, 5 to
// 95 %. Single dots and holes of paler and darker tints lie further apart than the eye reaches, so that
// nothing here tells how many there should be: they are moved, and never made or lost. A visit of pixel m
// compares, in this order,
//
//     every other state, from 0 up, that alters loose inks alone;
//     for each of the 8 neighbours in the page, in raster order, of another state: both states
//     swapped; then, where they differ in two inks or more, one of these swapped, from ink 0 up;
//     in so far as the inks that are altered are free in both pixels
//
// and does the first of those with the least dE, if that is negative. Where the pixel's values change
// by v, and those of its neighbour m1 by u (0 without one),
//
//     dE = sum over channels of (v^2 + u^2) C(0) + 2 u v C(m1 - m) + 2 v c(m) + 2 u c(m1)
//
// Then every c(y) gains v C(y - m) + u C(y - m1).
//
// Bounds. |V| <= 2^10, and T / 16 lies between the least and the greatest V, so |e| <= 2^15; K is not
// negative and sums to at most 1023, so |f| <= 1023 * 2^11 and |c| <= 1023^2 * 2^11 < 2^31: int32. C(0)
// < 2^15, |v| and |u| <= 2^11, so |dE| < 2^48 for 9 channels: int64. E is summed modulo 2^64, which a
// page of 2^30 pixels does not reach before the eye sees an error of a tenth of the paper everywhere.
//
// A round visits the page in cells of q x q as dbs.h does, q = 2r + 2: the reach of a visit is the same,
// so the cells of a group may be searched in any order, or at once.
#pragma once

#include <cstdint>

#include "kernels/search/cpu/dbs_settings.h"

namespace mezzo::search::colour {

inline constexpr int kEyeRadius = 7;
inline constexpr uint32_t kCell = least_dbs_cell(kEyeRadius);  ///< q

/// States are looked at one by one: 2^N of them.
inline constexpr uint32_t kMostInks = 6;

/// A page of several inks. The caller keeps the memory; rows follow each other without gaps.
struct Page {
  uint32_t width_px = 0;
  uint32_t rows = 0;
  const uint16_t* const* tones = nullptr;  ///< of each ink, Q12
  uint8_t* states = nullptr;               ///< the start, and then the result
};

}  // namespace mezzo::search::colour
