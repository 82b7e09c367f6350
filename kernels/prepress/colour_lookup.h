// Colours of a page to inks, by a table of nodes and interpolation between the corners of a simplex.
//
// The definition, in integers, for a table of G nodes along each of N inputs. A sample v of 16 bits,
// or v * 257 of 8 bits, lies at
//
//   u = v + (v >> 15)              0 to 65536, with both ends exact
//   p = u * (G - 1) >> 2           in 1/16384 of the distance of nodes
//   i = p >> 14, f = p & 16383     the node before, and the fraction
//
// From the node before on all axes, a walk goes one node on along each axis, that of the largest
// fraction first. With the fractions in falling order, f[1] to f[N], the nodes on the way have
// weights 16384 - f[1], f[1] - f[2], ..., f[N], and an output is
//
//   (8192 + sum of weight * node) >> 14
//
// Nodes of equal fractions have weight 0, so that their order does not matter, and neither does what
// lies behind the last node. An edge of the cube is made of its own nodes alone, and what holds for
// all nodes, such as a limit of ink, holds between them but for rounding. (J. Kasson, S. Nin, W.
// Plouffe, J. Hafner, "Performing color space conversions with three-dimensional linear
// interpolation", J. Electronic Imaging 4 (3), 1995, has the simplexes of three axes.)
//
// A colour for which the table has a rule of black (colour_table.h) takes that in place of all this.
//
// The sources are colour_lookup.cpp and, one pixel after the other, colour_reference.cpp.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/prepress/colour_table.h"

namespace mezzo::prepress {

/// `count` pixels: a row of samples for each input of the table, and a row of ink15 for each of its
/// outputs. The outputs may not overlap the inputs.
void convert(const ColourTable& table,
             std::span<const uint8_t* const> in,
             std::span<uint16_t* const> out,
             uint32_t count);
void convert(const ColourTable& table,
             std::span<const uint16_t* const> in,
             std::span<uint16_t* const> out,
             uint32_t count);

namespace reference {

/// The same, slowly.
void convert(const ColourTable& table,
             std::span<const uint8_t* const> in,
             std::span<uint16_t* const> out,
             uint32_t count);
void convert(const ColourTable& table,
             std::span<const uint16_t* const> in,
             std::span<uint16_t* const> out,
             uint32_t count);

}  // namespace reference

}  // namespace mezzo::prepress
