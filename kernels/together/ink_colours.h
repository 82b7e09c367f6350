// The colours of the inks of a sheet, as integers that decide bits.
//
// Methods that halftone inks together (inks_halftoner.h) may weigh the light of each set of inks that
// can lie on a pixel. The light of a print goes with its square root here, as Neugebauer's mean with
// Yule and Nielsen's n = 2 does (proof/neugebauer.h): the roots of neighbouring pixels are what adds up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/proof/neugebauer.h"

namespace mezzo::together {

struct InkColours {
  /// The light of the paper: kPaper of Y.
  static constexpr int kPaper = 1024;
  /// Sets grow with 2^inks.
  static constexpr size_t kMostInks = 12;

  /// Of the sets of `print`'s inks. With x, y and z the square roots of X, Y and Z relative to the
  /// paper's, cut off at 1 and rounded to whole parts of kPaper, a set is y, x - y, y - z. Arithmetic
  /// and square roots alone: the same on every machine. MZ_ASSERTs 1 .. kMostInks inks.
  static InkColours of(const proof::PrintColours& print);

  uint32_t inks = 0;  ///< darkest first, where a method takes them in an order
  /// Y in 0 .. kPaper, X - Y and Y - Z in -kPaper .. kPaper; bit i of the index is ink i, and state 0
  /// the paper, kPaper, 0, 0.
  std::vector<std::array<int16_t, 3>> states;
};

}  // namespace mezzo::together
