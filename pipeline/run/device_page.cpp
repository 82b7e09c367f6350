#include "pipeline/run/device_page.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "pipeline/run/device_bands.h"
#include "stages/tiff/plate/codecs.h"

namespace mezzo::run {

namespace {

/// The settings of a plane of the page; `page` has those that all share.
device_chain::PlaneSettings settings_of(const PageToRun& to_run,
                                        size_t index,
                                        uint32_t band_rows,
                                        device_chain::PlaneSettings page) {
  const PlaneRun& plane = to_run.planes[index];
  if (to_run.preview != nullptr) page.picture = to_run.preview->grid(static_cast<uint32_t>(index));
  page.planes = static_cast<uint32_t>(to_run.planes.size());
  page.plane = static_cast<uint32_t>(index);
  page.rows_per_strip = plane.page.rows_per_strip;
  const uint32_t strips = (band_rows + page.rows_per_strip - 1) / page.rows_per_strip;
  page.band_rows = strips * page.rows_per_strip;
  page.protect = plane.protect;
  MZ_ASSERT(plane.overlays.size() <= 1);
  if (!plane.overlays.empty()) page.overlay = plane.overlays.front();
  page.finish = plane.finish;
  page.coding = tiff::codec_of(plane.compression).on_gpu.value_or(device_chain::Coding::kRaw);
  page.decodes = to_run.decodes && page.coding == device_chain::Coding::kT6;
  return page;
}

std::vector<bool> are_grouped(const PageToRun& page) {
  std::vector<bool> grouped(page.planes.size());
  for (const PlaneGroup& group : page.together) {
    for (const uint32_t plane : group.planes) grouped[plane] = true;
  }
  return grouped;
}

plan::PageHalftoners halftoners_of(const PageToRun& page) {
  const std::vector<bool> grouped = are_grouped(page);
  plan::PageHalftoners all;
  for (const PlaneGroup& group : page.together) {
    all.add(*group.inks, static_cast<uint32_t>(group.planes.size()));
  }
  for (size_t p = 0; p < page.planes.size(); ++p) {
    if (!grouped[p]) all.add(*page.planes[p].halftoner);
  }
  return all;
}

/// Makes all planes on GPUs, or none.
bool make_planes(const PageToRun& page,
                 uint32_t band_rows,
                 const device_chain::PlaneSettings& settings) {
  const std::vector<bool> grouped = are_grouped(page);
  std::vector<std::unique_ptr<device_chain::InkPlanes>> groups;
  for (const PlaneGroup& group : page.together) {
    std::vector<device_chain::PlaneSettings> inks;
    for (const uint32_t p : group.planes) {
      inks.push_back(settings_of(page, p, band_rows, settings));
    }
    groups.push_back(device_chain::make_ink_planes(*group.inks, inks));
    if (!groups.back()) return false;
  }
  std::vector<std::unique_ptr<device_chain::Plane>> planes(page.planes.size());
  for (size_t p = 0; p < planes.size(); ++p) {
    if (grouped[p]) continue;
    planes[p] = device_chain::make_plane(*page.planes[p].halftoner,
                                         settings_of(page, p, band_rows, settings));
    if (!planes[p]) return false;
  }
  for (size_t p = 0; p < planes.size(); ++p) page.planes[p].device = std::move(planes[p]);
  for (size_t g = 0; g < groups.size(); ++g) page.together[g].device = std::move(groups[g]);
  return true;
}

}  // namespace

std::optional<PageOnDevice> put_on_device(const chain::Chain& chain, const PageToRun& page) {
  PageOnDevice on_device{chain.page()};
  device_chain::PlaneSettings settings;
  if (const prepress::Scaling* scaling = chain.scaling_on_gpu()) {
    on_device.scale = chain.stages().back();
    on_device.page = chain.without_gpu().page();
    settings.scaling = *scaling;
    if (const auto* levels = chain.levels_on_gpu()) settings.levels = *levels;
  }
  settings.page_width_px = on_device.page.width_px;
  settings.page_height_px = on_device.page.height_px;
  settings.bytes_per_sample = on_device.page.bytes_per_sample;
  settings.width_px = chain.page().width_px;
  settings.height_px = chain.page().height_px;
  uint32_t strip_rows = 1;
  for (const PlaneRun& plane : page.planes) {
    strip_rows = std::lcm(strip_rows, plane.page.rows_per_strip);
  }
  const auto rows = rows_on_device({.plate = chain.page(),
                                    .page = on_device.page,
                                    .strip_rows = strip_rows,
                                    .has_linework = page.has_linework,
                                    .halftoners = halftoners_of(page)},
                                   page.bands);
  if (!rows) return std::nullopt;
  const uint32_t band_rows = std::min(*rows, settings.height_px);
  if (!make_planes(page, band_rows, settings)) return std::nullopt;
  page.bands.rows = band_rows;
  return on_device;
}

}  // namespace mezzo::run
