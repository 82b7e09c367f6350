// The best pattern of a window under the tone form: every one of its 65,536 patterns is tried.
//
// With the window's own ink taken out of c, and Q(i - j) between its pixels i and j, a pattern x
// costs
//
//     E(x) = sum over k of L_k x_k + x'Q x,   L_k = 2 (c_k - sum over j with ink of Q(k - j))
//
// Split into an upper and a lower half, that is the linear part of each and x'Q x from a table: an
// addition and a comparison a pattern, and no branches.
#pragma once

#include <cstdint>

#include "kernels/search/form.h"

namespace mezzo::search::form {

inline constexpr int kWindowPixels = kWindow * kWindow;

/// A window in its present state. Pixels count row by row; in a pattern the first is the most
/// significant of 16 bits, 1 is ink.
struct WindowState {
  int32_t c[kWindowPixels];
  uint32_t current;  ///< pattern
  uint32_t absent =
      0;  ///< pixels that are not there and stay without ink; c of them does not count
};

struct WindowBest {
  int32_t change;  ///< of E, by taking the pattern; 0 or less
  uint32_t pattern;
};

/// The pattern with the least E; of several the one whose exclusive-or with the current one is least.
/// `windows` says which patterns count (not kNone).
WindowBest best_pattern(const WindowState& window, FormWindows windows);

/// The same, one pattern after the other, written plainly.
WindowBest best_pattern_plainly(const WindowState& window, FormWindows windows);

using FindPattern = WindowBest (*)(const WindowState& window, FormWindows windows);

}  // namespace mezzo::search::form
