// The fixed numbers of colour direct binary search (colour_dbs.h): what changes of a pixel make of c.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/search/colour/channels.h"

namespace mezzo::search::colour {

/// C of the two eyes, and what moves cost by themselves.
class Products {
 public:
  static constexpr int kReach = 2 * kEyeRadius;
  /// Values of a row: from -kReach on, and then 0.
  static constexpr size_t kRow = 32;

  explicit Products(const Channels& channels);

  /// C(dy, -kReach) and the kRow - 1 values after it.
  const int32_t* row(int eye, int dy) const { return rows_.data() + index(eye, dy); }
  int32_t at(int eye, int dy, int dx) const { return row(eye, dy)[dx + kReach]; }

  /// The sum over channels of (V(s) - V(s1))^2 C(0).
  int64_t cost(uint32_t s, uint32_t s1) const { return costs_[s * kMostStates + s1]; }

 private:
  static size_t index(int eye, int dy) {
    return static_cast<size_t>(eye * (2 * kReach + 1) + dy + kReach) * kRow;
  }

  std::vector<int32_t> rows_;
  std::vector<int64_t> costs_;
};

}  // namespace mezzo::search::colour
