// Table 1 of Y. Zhang, J. L. Recker, R. Ulichney, G. B. Beretta, I. Tastl, I-J. Lin and J. D.
// Owens, "A Parallel Error Diffusion Implementation on a GPU": pinwheel error diffusion in spirals,
// walks unrolled, with weights and thresholds by tone, on a GeForce GTX 460.
//
// Figure 4, throughput by size of page, is a picture without numbers, so its levels are not
// repeated here. The text says of it that throughput levels out for larger pages, where 4096 x 4096
// takes almost 4 times as long as 2048 x 2048.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace mezzo::bench::zhang {

inline constexpr uint32_t kSide = 4096;  ///< of the table's page, px

struct Row {
  uint32_t block;  ///< side, px
  double megapixels_per_second;
};

inline constexpr std::array<Row, 7> kRows = {
    {{2, 1701.5}, {4, 1199.2}, {6, 859.9}, {8, 721.3}, {10, 607.4}, {12, 551.7}, {14, 475.5}}};

/// The paper's figure for that block and page, if any, in 10^9 pixels a second.
constexpr std::optional<double> gpx_per_s(uint32_t block, uint32_t width_px, uint32_t height_px) {
  if (width_px != kSide || height_px != kSide) return std::nullopt;
  for (const Row& row : kRows) {
    if (row.block == block) return row.megapixels_per_second / 1e3;
  }
  return std::nullopt;
}
static_assert(gpx_per_s(2, 4096, 4096) == 1701.5 / 1e3);
static_assert(gpx_per_s(14, 4096, 4096) == 475.5 / 1e3);
static_assert(!gpx_per_s(16, 4096, 4096) && !gpx_per_s(8, 2048, 2048));

}  // namespace mezzo::bench::zhang
