// Table I of A. Kasagi, K. Nakano and Y. Ito, "Implementations of Parallel Error Diffusion
// Optimized for GPUs": milliseconds for square pages of 8-bit samples in and out, on a GeForce GTX
// 780 Ti and, one core, a Core i7-3770K.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace mezzo::bench::kasagi {

/// Sides of the pages, in units of 1024 px.
inline constexpr std::array<uint32_t, 13> kSides = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16};

struct Algorithm {
  std::string_view schedule;  ///< its name here
  bool on_gpu;
  std::array<double, kSides.size()> milliseconds;
};

inline constexpr std::array<Algorithm, 6> kAlgorithms = {{
    {"pwed",
     true,
     {20.89,
      42.22,
      63.69,
      85.53,
      108.64,
      129.52,
      153.74,
      189.16,
      231.57,
      281.58,
      381.31,
      554.83,
      737.34}},
    {"pwec",
     true,
     {20.10,
      40.36,
      62.01,
      90.27,
      119.84,
      145.58,
      155.76,
      187.6,
      218.08,
      251.91,
      356.98,
      472.74,
      650.28}},
    {"bwed",
     true,
     {1.89, 3.94, 6.05, 7.99, 10.16, 12.19, 14.30, 16.45, 18.92, 24.26, 29.59, 35.05, 55.77}},
    {"bwec",
     true,
     {1.85, 3.92, 6.01, 8.10, 9.85, 12.01, 14.25, 16.63, 18.77, 21.07, 26.33, 31.32, 46.75}},
    {"ed",
     false,
     {14.24, 56.82, 127.1, 222.1, 354.2, 500.8, 682.8, 892.1, 1129, 1396, 2020, 2728, 3555}},
    {"ec",
     false,
     {8.29, 32.79, 73.77, 130.8, 203.2, 294.2, 397.5, 526.5, 659.2, 821.9, 1175, 1598, 2092}},
}};

/// The paper's time for that schedule and page, if any.
constexpr std::optional<double> milliseconds(std::string_view schedule,
                                             bool on_gpu,
                                             uint32_t width_px,
                                             uint32_t height_px) {
  for (const Algorithm& algorithm : kAlgorithms) {
    if (algorithm.schedule != schedule || algorithm.on_gpu != on_gpu) continue;
    for (size_t i = 0; i < kSides.size(); ++i) {
      const uint32_t side = kSides[i] * 1024;
      if (width_px == side && height_px == side) return algorithm.milliseconds[i];
    }
  }
  return std::nullopt;
}
static_assert(milliseconds("bwec", true, 16384, 16384) == 46.75);
static_assert(milliseconds("ec", false, 10240, 10240) == 821.9);

}  // namespace mezzo::bench::kasagi
