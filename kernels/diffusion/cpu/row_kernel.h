// A piece of one row, pixel after pixel: the inner loop of every scalar schedule of the CPU.
//
// One array of sums serves the row at hand and the row below it: once column x is decided, the sum
// that reached it is no longer needed, and its share completes the sum of column x - 1 of the row
// below, which is put down there. So a row walks through `sums` one column ahead of what it leaves
// behind. A sum is
//
//     F[x] = down(r[x]) + down_left(r[x + 1]) + down_right(r[x - 1])
//
// of the residues r, each share by the tone of the pixel that it comes from.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/band/bands.h"
#include "kernels/diffusion/rules/rule.h"

namespace mezzo::diffusion {

/// The state of a row: residues of its last pixels and the shares that they still hand on.
struct RowFront {
  int residues[3] = {0, 0, 0};  ///< one, two and three columns back; 0 outside the page
  int right = 0;                ///< share for the next pixel
  int below = 0;                ///< of F[x - 1], x the next pixel: all but its down_left(r[x])
  int down_right = 0;           ///< of F[x]: the share of the pixel before
};

/// One row of samples, bits and sums.
template <typename Sample>
struct RowView {
  const Sample* samples;
  const uint16_t* tones;  ///< tone curve: sample -> tone
  uint8_t* bits;          ///< 0 from the first column to be done on
  int32_t* sums;          ///< by column
  uint32_t y;             ///< of the page
  uint32_t plane;
  uint32_t texture;  ///< of the ink, ink_texture.h
};

/// The other inks of a plane that is halftoned alone. together/row_accounts.h has those of others.
struct NoOthers {
  /// Place::lowered of the pixel to be decided.
  static constexpr int lowered(int /*x*/, int /*tone*/) { return 0; }
  /// Called once it is.
  static constexpr void settle(int /*x*/, int /*tone*/, const Decision&) {}
};

/// Decides pixel x and moves the front past it. Returns its bit.
template <Rule R, typename Sample, typename Others>
inline bool diffuse_pixel(const R& rule,
                          const RowView<Sample>& row,
                          TextureRow& texture,
                          int x,
                          RowFront& front,
                          Others& others) {
  const int tone = row.tones[row.samples[x]];
  const auto column = static_cast<uint32_t>(x);
  const Place place{column, row.y, row.plane, texture.value(column), others.lowered(x, tone)};
  const Decision d = rule.decide(tone, row.sums[x] + front.right, place);
  others.settle(x, tone, d);
  const Shares shares = rule.shares(d.residue, tone);
  if (x > 0) row.sums[x - 1] = front.below + shares.down_left;
  front.below = shares.down + front.down_right;
  front.down_right = shares.down_right;
  front.right = shares.right;
  front.residues[2] = front.residues[1];
  front.residues[1] = front.residues[0];
  front.residues[0] = d.residue;
  return d.ink;
}

/// Decides columns [begin, end) of the plane, 0 <= begin; `front` stands at `begin`. Sums of
/// columns [begin - 1, end - 1) are replaced by those for the row below; the sum of the last column
/// of the plane stays in front.below. `others` is as NoOthers, which moves on with the pixels.
template <Rule R, typename Sample, typename Others = NoOthers>
inline void diffuse_row(const R& rule,
                        const RowView<Sample>& row,
                        int begin,
                        int end,
                        RowFront& front,
                        Others others = {}) {
  if (begin >= end) return;
  TextureRow texture(rule.takes_texture() ? row.texture : 0, row.y);
  RowFront at = front;  // a copy of our own, which the compiler can keep in registers
  int x = begin;
  const auto some_bits = [&](int stop) {
    for (; x < stop; ++x) {
      const unsigned ink = diffuse_pixel(rule, row, texture, x, at, others);
      row.bits[x / 8] = static_cast<uint8_t>(row.bits[x / 8] | ink << (7 - x % 8));
    }
  };
  some_bits(std::min(end, begin / 8 * 8 + 8));
  for (; x + 8 <= end; x += 8) {
    unsigned byte = 0;
    for (int i = 0; i < 8; ++i)
      byte = byte << 1 | unsigned{diffuse_pixel(rule, row, texture, x + i, at, others)};
    row.bits[x / 8] = static_cast<uint8_t>(byte);
  }
  some_bits(end);
  front = at;
}

}  // namespace mezzo::diffusion
