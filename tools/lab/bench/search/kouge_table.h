// Tables I and II of H. Kouge, Y. Ito and K. Nakano, "GPU-accelerated digital halftoning by the
// local exhaustive search": an image (Lena) of 512 x 512, sigma 1.0, radius 3, windows of 4 x 4,
// cells of 9 x 9, from random dither, until nothing changes. Times are means of 10 runs, the GPU's
// with transfers, on a Xeon X7460 at 2.66 GHz (sequential), the FPGAs of two earlier papers, and a
// GeForce GTX 980.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace mezzo::bench::kouge {

inline constexpr uint32_t kSide = 512;  ///< of the image, px
inline constexpr double kSigma = 1;
inline constexpr uint32_t kRadius = 3;
inline constexpr uint32_t kWindow = 4;
inline constexpr uint32_t kCell = 9;

/// Table I.
struct Times {
  std::string_view method;  ///< its name here
  double cpu_s, fpga_s, gpu_s;
};
inline constexpr std::array<Times, 2> kTimes = {{
    {"les", 37364, 1186, 733},
    {"pes", 13794, 546, 449},
}};

/// The paper's row of that method, or null.
constexpr const Times* times(std::string_view method) {
  for (const Times& row : kTimes) {
    if (row.method == method) return &row;
  }
  return nullptr;
}

/// Table II: average errors, of 255; the search in order of the pixels, and in cells.
struct Errors {
  std::string_view method;
  double cpu, gpu;  ///< gpu 0: the paper has none
};
inline constexpr std::array<Errors, 4> kErrors = {{
    {"floyd-steinberg", 7.06, 0},
    {"dbs", 5.86, 0},
    {"les", 4.70, 4.75},
    {"pes", 4.71, 4.75},
}};

constexpr const Errors* errors(std::string_view method) {
  for (const Errors& row : kErrors) {
    if (row.method == method) return &row;
  }
  return nullptr;
}
static_assert(times("les")->cpu_s / times("les")->gpu_s > 50.97);  // the text says 50.98,
static_assert(times("pes")->cpu_s / times("pes")->gpu_s > 30.71);  // and 30.72
static_assert(times("dbs") == nullptr && errors("dbs")->cpu == 5.86);

}  // namespace mezzo::bench::kouge
