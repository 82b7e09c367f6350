#include "pipeline/run/device_page.h"

#include <algorithm>
#include <utility>

namespace mezzo::run {
namespace {

/// The rows of bands that take no more memory than the plan's: of `plate` only bits and line work are
/// on the host, and samples at the resolution of `page`. Whole strips, and no more than the plate has.
uint32_t rows_on_device(const PageInfo& plate,
                        const PageInfo& page,
                        uint32_t rows_per_strip,
                        bool has_linework,
                        const plan::BandPlan& bands) {
  const uint64_t bits = bit_row_bytes(plate.width_px) * (has_linework ? 2 : 1);
  const uint64_t planned = bits + uint64_t{plate.width_px} * plate.bytes_per_sample;
  const uint64_t samples = uint64_t{page.width_px} * page.bytes_per_sample;
  const uint64_t here = bits + (samples * page.height_px + plate.height_px - 1) / plate.height_px;
  const uint64_t rows = bands.rows * std::max<uint64_t>(planned / here, 1);
  const uint64_t strips = std::max<uint64_t>(rows / rows_per_strip, 1);
  const uint64_t most = (uint64_t{plate.height_px} + rows_per_strip - 1) / rows_per_strip;
  return static_cast<uint32_t>(std::min(strips, most)) * rows_per_strip;
}

}  // namespace

std::optional<PageOnDevice> put_on_device(const chain::Chain& chain, const PageToRun& page) {
  PageOnDevice on_device{chain.page()};
  device_chain::PlaneSettings settings;
  if (!chain.is_empty() && chain.stages().back()->scaling() != nullptr) {
    on_device.scale = chain.stages().back();
    on_device.page = chain.without_last().page();
    settings.scaling = *on_device.scale->scaling();
  }
  settings.page_width_px = on_device.page.width_px;
  settings.page_height_px = on_device.page.height_px;
  settings.bytes_per_sample = on_device.page.bytes_per_sample;
  settings.width_px = chain.page().width_px;
  settings.height_px = chain.page().height_px;
  settings.rows_per_strip = page.planes.front().page.rows_per_strip;
  settings.band_rows = rows_on_device(
      chain.page(), on_device.page, settings.rows_per_strip, page.has_linework, page.bands);
  std::vector<std::unique_ptr<device_chain::Plane>> made;
  for (const PlaneRun& plane : page.planes) {
    if (page.preview != nullptr) {
      settings.picture = page.preview->grid(static_cast<uint32_t>(made.size()));
    }
    settings.protect = plane.protect;
    settings.overlay = plane.overlay;
    settings.finish = plane.finish;
    settings.coding = plane.compression == tiff::Compression::kG4 ? device_chain::Coding::kT6
                                                                  : device_chain::Coding::kRaw;
    settings.decodes = page.decodes && settings.coding == device_chain::Coding::kT6;
    made.push_back(device_chain::make_plane(*plane.halftoner, settings));
    if (!made.back()) return std::nullopt;
  }
  for (size_t p = 0; p < made.size(); ++p) page.planes[p].device = std::move(made[p]);
  page.bands.rows = settings.band_rows;
  return on_device;
}

}  // namespace mezzo::run
