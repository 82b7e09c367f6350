// The geometry of a page in pixels, from its settings in millimetres.
//
// Edges are rounded, not sizes: an edge at a length from the left or the top of the page lies at
// pixels_of(length), which is at most half a pixel away, so rectangles that share an edge in
// millimetres share it in pixels. Margins at the right and the bottom are pixels_of(length) from
// there. Copies are placed at the plate's resolution: copy i begins at i times the pixels of a copy
// plus pixels_of(i * gap), so the gaps may differ by a pixel, and their errors do not add up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/base/rect.h"
#include "manifests/geometry.h"
#include "manifests/job.h"
#include "stages/page_info.h"

namespace mezzo::plan {

/// The page's resolution, or else the assumed one; 0 without either.
Resolution known_resolution(const PageInfo& page, const manifests::PageSettings& settings);

/// The page's own resolution, or that which the settings assume; `purpose` completes "so it cannot".
/// Throws Error(kData) without either.
Resolution resolution_of(const PageInfo& page,
                         const manifests::PageSettings& settings,
                         const std::string& place,
                         const std::string& purpose);

/// Lengths that need a resolution.
bool has_margins(const manifests::Geometry& geometry);

/// The rectangle of the upright page that crop and trim keep; its size is that of the page when they
/// are not given. `resolution` is positive if has_margins(). Throws Error(kData), with `place`, when
/// it does not lie on the page or is empty.
Rect kept_of(const PageInfo& page,
             const manifests::Geometry& geometry,
             Resolution resolution,
             const std::string& place);

/// The place of the rectangle on the page once that is turned.
Rect rotated(const Rect& rect, const PageInfo& page, Rotation rotation);

/// The first pixel of each copy of `side_px`; `dpi` is positive if there are a gap and two copies.
std::vector<uint32_t> begins_of_copies(uint32_t copies,
                                       uint32_t side_px,
                                       uint32_t gap_um,
                                       double dpi);

}  // namespace mezzo::plan
