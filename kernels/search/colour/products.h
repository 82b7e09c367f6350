// What a change of a pixel makes of c in colour direct binary search (colour_dbs.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/search/colour/colour_dbs.h"

namespace mezzo::search::colour {

/// C of the two eyes.
class Products {
 public:
  static constexpr int kReach = 2 * kEyeRadius;
  /// Values of a row: from -kReach on, and then 0.
  static constexpr size_t kRow = 32;

  Products();

  /// C(dy, -kReach) and the kRow - 1 values after it.
  const int32_t* row(int eye, int dy) const { return rows_.data() + index(eye, dy); }
  int32_t at(int eye, int dy, int dx) const { return row(eye, dy)[dx + kReach]; }

 private:
  static size_t index(int eye, int dy) {
    return static_cast<size_t>(eye * (2 * kReach + 1) + dy + kReach) * kRow;
  }

  std::vector<int32_t> rows_;
};

}  // namespace mezzo::search::colour
