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

/// Schedules by their names here; the first four are the GPU's.
inline constexpr std::array<std::string_view, 6> kSchedules = {
    "pwed", "pwec", "bwed", "bwec", "ed", "ec"};
inline constexpr size_t kGpuSchedules = 4;

struct Row {
  uint32_t side;  ///< of the page, in units of 1024 px
  std::array<double, kSchedules.size()> milliseconds;
};

inline constexpr std::array<Row, 13> kRows = {{
    {1, {20.89, 20.10, 1.89, 1.85, 14.24, 8.29}},
    {2, {42.22, 40.36, 3.94, 3.92, 56.82, 32.79}},
    {3, {63.69, 62.01, 6.05, 6.01, 127.1, 73.77}},
    {4, {85.53, 90.27, 7.99, 8.10, 222.1, 130.8}},
    {5, {108.64, 119.84, 10.16, 9.85, 354.2, 203.2}},
    {6, {129.52, 145.58, 12.19, 12.01, 500.8, 294.2}},
    {7, {153.74, 155.76, 14.30, 14.25, 682.8, 397.5}},
    {8, {189.16, 187.6, 16.45, 16.63, 892.1, 526.5}},
    {9, {231.57, 218.08, 18.92, 18.77, 1129, 659.2}},
    {10, {281.58, 251.91, 24.26, 21.07, 1396, 821.9}},
    {12, {381.31, 356.98, 29.59, 26.33, 2020, 1175}},
    {14, {554.83, 472.74, 35.05, 31.32, 2728, 1598}},
    {16, {737.34, 650.28, 55.77, 46.75, 3555, 2092}},
}};

/// The paper's time for that schedule and page, if any.
constexpr std::optional<double> milliseconds(std::string_view schedule,
                                             bool on_gpu,
                                             uint32_t width_px,
                                             uint32_t height_px) {
  for (const Row& row : kRows) {
    if (width_px != row.side * 1024 || height_px != width_px) continue;
    for (size_t i = 0; i < kSchedules.size(); ++i) {
      if (kSchedules[i] == schedule && (i < kGpuSchedules) == on_gpu) return row.milliseconds[i];
    }
  }
  return std::nullopt;
}
static_assert(milliseconds("bwec", true, 16384, 16384) == 46.75);
static_assert(milliseconds("ec", false, 10240, 10240) == 821.9);

}  // namespace mezzo::bench::kasagi
