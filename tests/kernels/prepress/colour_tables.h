// Colour tables and samples for tests.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "kernels/band/ink15.h"
#include "kernels/prepress/colour_table.h"

namespace mezzo::test {

inline uint32_t random_below(uint32_t end, std::mt19937& random) {
  return static_cast<uint32_t>(random() % end);
}

inline std::vector<uint16_t> random_ink15(size_t count, std::mt19937& random) {
  std::vector<uint16_t> values(count);
  for (uint16_t& value : values) value = static_cast<uint16_t>(random() % (kInk15 + 1));
  return values;
}

/// Of random nodes, with a random curve where the rule has one.
inline prepress::ColourTable random_table(prepress::ColourShape shape,
                                          std::mt19937& random,
                                          prepress::BlackRule rule = prepress::BlackRule::kNone) {
  std::vector<uint16_t> curve;
  if (prepress::has_curve(rule)) curve = random_ink15(2 + random() % 300, random);
  std::vector<uint16_t> nodes = random_ink15(prepress::node_values(shape), random);
  return {shape, std::move(nodes), rule, random_below(shape.outputs, random), std::move(curve)};
}

/// Planes of samples with their limits and the values beside the nodes' among them, and pixels of
/// one value in all planes.
template <typename T>
std::vector<std::vector<T>> random_samples(const prepress::ColourShape& shape,
                                           uint32_t count,
                                           std::mt19937& random) {
  constexpr uint32_t kMax = sizeof(T) == 1 ? 255 : 65'535;
  const auto sample = [&]() -> uint32_t {
    switch (random() % 4) {
      case 0:
        return random() % 3 == 0 ? 0 : kMax;
      case 1: {
        const uint32_t node = random_below(shape.grid, random);
        const uint32_t near = kMax * node / (shape.grid - 1);
        return std::clamp<uint32_t>(near + random_below(3, random), 1, kMax + 1) - 1;
      }
      default:
        return random_below(kMax + 1, random);
    }
  };
  std::vector<std::vector<T>> planes(shape.inputs, std::vector<T>(count));
  for (uint32_t i = 0; i < count; ++i) {
    const bool equal = random() % 8 == 0;
    const uint32_t all = random() % 2 == 0 ? 0 : sample();
    for (std::vector<T>& plane : planes) plane[i] = static_cast<T>(equal ? all : sample());
    if (equal && random() % 2 == 0) planes.back()[i] = static_cast<T>(sample());
  }
  return planes;
}

}  // namespace mezzo::test
