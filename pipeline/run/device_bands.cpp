#include "pipeline/run/device_bands.h"

#include <algorithm>
#include <numeric>

#include "kernels/band/bands.h"

namespace mezzo::run {

std::optional<uint32_t> rows_on_device(const DevicePage& page, const plan::BandPlan& bands) {
  const PageInfo& plate = page.plate;
  const HalftonerTraits traits = page.halftoners.traits();
  const uint64_t most = (plate.height_px - 1) / page.strip_rows + 1;
  // Bytes of a row of the plate: as planned, with its samples, and as they are here, with those of
  // the page, which lie under so many rows of the plate. A page at an eighth of the plate's resolution
  // has an eighth of its width in an eighth of its rows.
  const uint64_t linework = page.has_linework ? bit_row_bytes(plate.width_px) : 0;
  const uint64_t bits = bit_row_bytes(plate.width_px, traits.bits_per_px) + linework;
  const uint64_t planned = bits + uint64_t{plate.width_px} * plate.bytes_per_sample;
  const uint64_t samples = uint64_t{page.page.width_px} * page.page.bytes_per_sample;
  const uint64_t here =
      bits + (samples * page.page.height_px + plate.height_px - 1) / plate.height_px;
  uint64_t rows = bands.rows * std::max<uint64_t>(planned / here, 1);
  if (traits.band_rows == 0) {
    const uint64_t strips = std::max<uint64_t>(rows / page.strip_rows, 1);
    return static_cast<uint32_t>(std::min(strips, most) * page.strip_rows);
  }
  // A search there leaves the memory that it would work in here, for rows and for the strips of them
  // that wait for the writer: raw and coded, which is up to 4 times their bits, as in the plan. It
  // takes the lowest bands, as they take the GPU's memory.
  const uint64_t planes = plate.inks.size();
  rows += page.halftoners.working_bytes(plate.width_px, bands.rows, planes) /
          (planes * bands.in_flight * (here + 4 * bits));
  const uint64_t both = std::lcm<uint64_t>(traits.band_rows, page.strip_rows);
  const uint64_t least = std::min(both, most * page.strip_rows);
  if (rows < std::min<uint64_t>(least, plate.height_px)) return std::nullopt;
  return static_cast<uint32_t>(least);
}

}  // namespace mezzo::run
