#include "pipeline/run/device_page.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "pipeline/run/device_bands.h"

namespace mezzo::run {

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
  std::vector<const Halftoner*> halftoners;
  uint32_t strip_rows = 1;
  for (const PlaneRun& plane : page.planes) {
    halftoners.push_back(plane.halftoner);
    strip_rows = std::lcm(strip_rows, plane.page.rows_per_strip);
  }
  const auto rows = rows_on_device({.plate = chain.page(),
                                    .page = on_device.page,
                                    .strip_rows = strip_rows,
                                    .has_linework = page.has_linework,
                                    .halftoners = plan::PageHalftoners(std::move(halftoners))},
                                   page.bands);
  if (!rows) return std::nullopt;
  const uint32_t band_rows = std::min(*rows, settings.height_px);
  std::vector<std::unique_ptr<device_chain::Plane>> made;
  for (const PlaneRun& plane : page.planes) {
    if (page.preview != nullptr) {
      settings.picture = page.preview->grid(static_cast<uint32_t>(made.size()));
    }
    settings.rows_per_strip = plane.page.rows_per_strip;
    const uint32_t strips = (band_rows + settings.rows_per_strip - 1) / settings.rows_per_strip;
    settings.band_rows = strips * settings.rows_per_strip;
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
  page.bands.rows = band_rows;
  return on_device;
}

}  // namespace mezzo::run
