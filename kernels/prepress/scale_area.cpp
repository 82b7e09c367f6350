#include "kernels/prepress/scale_area.h"

#include <vector>

#include "kernels/band/team.h"
#include "kernels/base/error.h"

namespace mezzo::prepress {

AreaScaler::AreaScaler(uint32_t page_width_px, uint32_t page_height_px, const Scaling& scaling)
    : across_(page_width_px, scaling.x), down_(page_height_px, scaling.y) {}

uint64_t AreaScaler::working_bytes(uint32_t /*planes*/, uint32_t threads) const {
  return uint64_t{threads} * across_.plate_samples() * sizeof(uint64_t);
}

void AreaScaler::run(std::span<const SampleBand> page,
                     std::span<const MutableSampleBand> plates,
                     Team& team) const {
  for (size_t i = 0; i < plates.size(); ++i) scale(page[i], plates[i], team);
}

void AreaScaler::scale(const SampleBand& page, const MutableSampleBand& plate, Team& team) const {
  MZ_ASSERT(page.bytes_per_sample == 2 && plate.bytes_per_sample == 2);
  const uint64_t whole = uint64_t{across_.whole_weight()} * down_.whole_weight();
  for_each_index(team, plate.rows, [&](uint32_t i) {
    // At most 2^15 * 2^12 * 2^12.
    std::vector<uint64_t> sums(plate.width_px);
    down_.for_each_part(plate.first_row + i, [&](uint32_t row, uint32_t row_weight) {
      const uint16_t* samples = page.row16(int64_t{row} - page.first_row);
      for (uint32_t x = 0; x < plate.width_px; ++x) {
        uint64_t sum = 0;
        across_.for_each_part(
            x, [&](uint32_t at, uint32_t weight) { sum += uint64_t{weight} * samples[at]; });
        sums[x] += row_weight * sum;
      }
    });
    auto* to = reinterpret_cast<uint16_t*>(plate.row(i));
    for (uint32_t x = 0; x < plate.width_px; ++x) {
      to[x] = static_cast<uint16_t>((sums[x] + whole / 2) / whole);
    }
  });
}

}  // namespace mezzo::prepress
