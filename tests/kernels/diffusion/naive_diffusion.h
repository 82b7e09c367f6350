// Any rule of error diffusion, naively: whole planes of residues and sums, each pixel's shares pushed
// to where they belong.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/diffusion/rules/rule.h"
#include "tests/kernels/planes.h"

namespace mezzo::test {

/// A rule of the tests: no up-right neighbour, weights by tone, and a threshold by place.
struct LeftAndUpLeft {
  static constexpr diffusion::Pattern kPattern = {.left = true, .up_left = true, .up = true};
  static constexpr int kShift = 3;
  bool takes_texture() const { return true; }
  diffusion::Decision decide(int tone, int collected, const diffusion::Place& at) const {
    const int threshold = 2048 + static_cast<int>((at.x * 7 + at.y * 13 + at.plane) % 64);
    const int s = diffusion::tone_with_errors<kShift>(tone, collected, at);
    return diffusion::decide_by_threshold(s, threshold);
  }
  diffusion::Shares shares(int error, int tone) const {
    const int right = tone % 5;
    return {right * error, 0, (5 - right) * error, 3 * error};
  }
};

/// A plane of numbers; reads outside it give 0 and additions are lost.
class NumberPlane {
 public:
  NumberPlane(int width, int rows)
      : width_(width),
        rows_(rows),
        numbers_(static_cast<size_t>(width) * static_cast<size_t>(rows)) {}

  int at(int x, int y) const { return has(x, y) ? numbers_[index(x, y)] : 0; }
  void add(int x, int y, int value) {
    if (has(x, y)) numbers_[index(x, y)] += value;
  }

 private:
  bool has(int x, int y) const { return x >= 0 && x < width_ && y >= 0 && y < rows_; }
  size_t index(int x, int y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x);
  }

  int width_, rows_;
  std::vector<int> numbers_;
};

/// All that a plane comes to.
struct NaiveDiffusion {
  template <diffusion::Rule R>
  NaiveDiffusion(const R& rule, const SampleBand& in, const ToneCurve& curve)
      : bits(in.width_px, in.rows),
        residues(static_cast<int>(in.width_px), static_cast<int>(in.rows)),
        from_above(static_cast<int>(in.width_px), static_cast<int>(in.rows) + 1) {
    const auto width = static_cast<int>(in.width_px), rows = static_cast<int>(in.rows);
    NumberPlane from_left(width, rows);
    for (uint32_t i = 0; i < in.rows; ++i) {
      std::fill_n(bits.band.row(i), bit_row_bytes(in.width_px), uint8_t{0});
    }
    for (int y = 0; y < rows; ++y) {
      for (int x = 0; x < width; ++x) {
        const auto ux = static_cast<uint32_t>(x), uy = static_cast<uint32_t>(y);
        const uint32_t sample = in.bytes_per_sample == 1 ? in.row8(uy)[ux] : in.row16(uy)[ux];
        const int tone = curve[sample];
        const auto place = texture_place(in.texture, ux, in.first_row + uy);
        const int texture = in.texture != 0 && rule.takes_texture() ? kTextureTile[place] : 0;
        const diffusion::Decision d = rule.decide(tone,
                                                  from_left.at(x, y) + from_above.at(x, y),
                                                  {ux, in.first_row + uy, in.plane, texture});
        const diffusion::Shares shares = rule.shares(d.residue, tone);
        residues.add(x, y, d.residue);
        from_left.add(x + 1, y, shares.right);
        from_above.add(x - 1, y + 1, shares.down_left);
        from_above.add(x, y + 1, shares.down);
        from_above.add(x + 1, y + 1, shares.down_right);
        if (d.ink) bits.band.row(uy)[ux / 8] |= static_cast<uint8_t>(0x80 >> (ux % 8));
      }
    }
  }

  BitPlane bits;
  NumberPlane residues;
  NumberPlane from_above;  ///< one row more than the plane: what reached the row below it
};

}  // namespace mezzo::test
