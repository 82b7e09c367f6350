// Numbers of many independent patterns side by side, so that a loop over them is vector code.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace mezzo::train {

inline constexpr size_t kLanes = 32;

/// One integer of every pattern.
struct alignas(64) Integers {
  std::array<int16_t, kLanes> lane{};
};

/// One real number of every pattern.
struct alignas(64) Reals {
  std::array<float, kLanes> lane{};
};

using IntegerField = std::vector<Integers>;
using RealField = std::vector<Reals>;

/// (a b + 16384) >> 15, in the form that compilers have an instruction for.
constexpr int16_t mul15(int a, int b) {
  return static_cast<int16_t>(((a * b >> 14) + 1) >> 1);
}

/// Tones that have one level, from the lowest to the highest, spread over the patterns.
Integers tones_of_level(size_t level);

/// All patterns with the same tone.
Integers constant_tone(int tone);

}  // namespace mezzo::train
