#include "pipeline/plan/page_geometry.h"

#include <fmt/format.h>

#include "kernels/base/error.h"
#include "pipeline/plan/resolution.h"

namespace mezzo::plan {
namespace {

/// Pixels [first, end) of a side of the page.
struct Span {
  uint32_t first = 0, end = 0;
};

std::string mm_text(double pixels, double dpi) {
  return fmt::format("{:.2f} mm", pixels * 25.4 / dpi);
}

std::string size_in_mm(const PageInfo& page, Resolution resolution) {
  return fmt::format("{} x {}",
                     mm_text(page.width_px, resolution.x_dpi),
                     mm_text(page.height_px, resolution.y_dpi));
}

Span cropped(uint32_t from_um, uint32_t length_um, double dpi) {
  return {pixels_of(from_um, dpi), pixels_of(uint64_t{from_um} + length_um, dpi)};
}

[[noreturn]] void refuse(const std::string& place, const std::string& problem) {
  throw Error(ErrorKind::kData, place + " " + problem);
}

/// Crops both sides of the page.
void crop(const manifests::Crop& crop,
          const PageInfo& page,
          Resolution resolution,
          const std::string& place,
          Span& across,
          Span& down) {
  across = cropped(crop.left_um, crop.width_um, resolution.x_dpi);
  down = cropped(crop.top_um, crop.height_um, resolution.y_dpi);
  if (across.end > page.width_px || down.end > page.height_px) {
    refuse(place,
           fmt::format("is {}, and 'crop' ends {} from the left and {} from the top, which is "
                       "outside of it",
                       size_in_mm(page, resolution),
                       mm_text(across.end, resolution.x_dpi),
                       mm_text(down.end, resolution.y_dpi)));
  }
  if (across.first == across.end || down.first == down.end) {
    refuse(place,
           fmt::format("has {:.6g} x {:.6g} dpi, and 'crop' keeps less than a pixel of it",
                       resolution.x_dpi,
                       resolution.y_dpi));
  }
}

/// Takes margins off a side; false when nothing would be left.
bool trim(uint32_t before_um, uint32_t behind_um, double dpi, Span& side) {
  const uint32_t before = pixels_of(before_um, dpi), behind = pixels_of(behind_um, dpi);
  if (uint64_t{before} + behind >= side.end - side.first) return false;
  side.first += before;
  side.end -= behind;
  return true;
}

}  // namespace

Resolution known_resolution(const PageInfo& page, const manifests::PageSettings& settings) {
  if (page.resolution.x_dpi > 0 && page.resolution.y_dpi > 0) return page.resolution;
  const double dpi = settings.assumed_dpi;
  return {dpi, dpi};
}

Resolution resolution_of(const PageInfo& page,
                         const manifests::PageSettings& settings,
                         const std::string& place,
                         const std::string& purpose) {
  const Resolution known = known_resolution(page, settings);
  if (known.x_dpi > 0) return known;
  throw Error(ErrorKind::kData,
              fmt::format("{} does not say its resolution, so it cannot {}", place, purpose),
              "give it with 'assume_resolution: 300' or --assume-resolution 300");
}

bool has_margins(const manifests::Geometry& geometry) {
  return geometry.crop || geometry.trim != manifests::Trim();
}

Rect kept_of(const PageInfo& page,
             const manifests::Geometry& geometry,
             Resolution resolution,
             const std::string& place) {
  Span across{0, page.width_px}, down{0, page.height_px};
  if (geometry.crop) crop(*geometry.crop, page, resolution, place, across, down);
  const manifests::Trim& margins = geometry.trim;
  if (margins != manifests::Trim()) {
    const bool is_wide = trim(margins.left_um, margins.right_um, resolution.x_dpi, across);
    if (!is_wide || !trim(margins.top_um, margins.bottom_um, resolution.y_dpi, down)) {
      refuse(place,
             fmt::format("is {}{}, and 'trim' takes off all of {}; nothing would be left",
                         size_in_mm(page, resolution),
                         geometry.crop ? " before 'crop'" : "",
                         is_wide ? "its height" : "its width"));
    }
  }
  return {across.first, down.first, across.end - across.first, down.end - down.first};
}

Rect rotated(const Rect& rect, const PageInfo& page, Rotation rotation) {
  const uint32_t right = page.width_px - rect.x - rect.width_px;
  const uint32_t below = page.height_px - rect.y - rect.height_px;
  switch (rotation) {
    case Rotation::k90:
      return {below, rect.x, rect.height_px, rect.width_px};
    case Rotation::k180:
      return {right, below, rect.width_px, rect.height_px};
    case Rotation::k270:
      return {rect.y, right, rect.height_px, rect.width_px};
    case Rotation::kNone:
      break;
  }
  return rect;
}

std::vector<uint32_t> begins_of_copies(uint32_t copies,
                                       uint32_t side_px,
                                       uint32_t gap_um,
                                       double dpi) {
  std::vector<uint32_t> begins;
  for (uint32_t i = 0; i < copies; ++i) {
    const uint64_t gaps_um = uint64_t{i} * gap_um;
    begins.push_back(i * side_px + (gaps_um == 0 ? 0 : pixels_of(gaps_um, dpi)));
  }
  return begins;
}

}  // namespace mezzo::plan
