// Direct binary search (DBS): pixels are toggled, or swapped with a neighbour, wherever that brings
// the halftone closer to the picture, both seen through the eye filter.
//
// All arithmetic is of integers. K is the eye's filter of radius r, b a bit (outside the page 0), t
// a tone in Q12. Points p of the extended domain lie up to r outside the page:
//
//     B(p) = sum over d of K(d) b(p + d)
//     G(p) = (sum over d with p + d in the page of K(d) t(p + d) + 2048) >> 12     target filtered
//     G(p) = (t(pixel of the page nearest to p) M(p) + 2048) >> 12                 target original
//            with M(p) the sum over d with p + d in the page of K(d)
//     f(p) = B(p) - G(p)
//     E    = sum over p of f(p)^2, which the search makes smaller
//     c(m) = sum over d of K(d) f(m + d), for pixels m of the page
//     C(d) = sum over p of K(p) K(p + d), 0 where |dy| or |dx| exceeds 2r
//
// A visit of pixel m, with a = +1 where its bit is 0 and -1 where it is 1, compares a toggle,
//
//     dE = C(0) + 2 a c(m),
//
// with swaps with each of the 8 neighbours m1 in the page that have the other bit, in raster order,
//
//     dE = 2 (C(0) - C(m1 - m)) + 2 a (c(m) - c(m1)),
//
// and does the first of those with the least dE, if that is negative. Then every c(y) gains
// a C(y - m), and with a swap loses a C(y - m1).
//
// Bounds. B and G lie in 0 .. 2^14, so |f| <= 2^14; weights are not negative and sum to 2^14, so
// |c| <= 2^28, and 0 <= C(d) <= C(0) <= 2^28 (Cauchy and Schwarz). A toggle's |dE| is at most
// 2^28 + 2^29, a swap's at most 2^29 + 2^30: both fit int32.
//
// A round visits the page in cells of q x q from its top left, cell (Y, X) in group
// 2 (Y mod 2) + (X mod 2): groups 0 to 3 in turn, in a cell pixels in raster order. A visit reads
// and changes bits up to 1 outside its cell, reads c there too, and so changes c up to 2r + 1
// outside its cell. Pixels of two cells of a group lie at least q + 1 apart, and what one reads at
// least q from the other: with q >= 2r + 2 the cells of a group do not see each other, and may be
// searched in any order, or at once.
#pragma once

#include <cstdint>
#include <memory>

#include "kernels/search/cpu/dbs_settings.h"
#include "kernels/search/search.h"

namespace mezzo::search {

/// Begins a search of the rows of `area` below its settled ones. Pixels above are only looked at.
/// error() is E over the extended domain, from `radius` above the first free row on; of_255() the
/// root of its mean.
std::unique_ptr<Search> make_dbs(const DbsSettings& settings, const Area& area, Team& team);

}  // namespace mezzo::search
