// Scaling of planes of ink15 samples, from the page's resolution to the plate's: scale_point.cpp and
// scale_edges.cpp, in SIMD, and scale_area.cpp.
//
// kNearest, kLinear and kCubic go first along the rows and then across them, each time to whole
// ink15 levels: (8192 + sum of weight * sample) >> 14, kept within 0 .. kInk15. Beyond the page its
// outermost samples go on. kEdges changes some samples of kCubic. kArea sums both ways exactly and rounds
// once. A row of the plate depends on the rows of the page that it needs, and on nothing else.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>

#include "kernels/band/bands.h"
#include "kernels/prepress/scale_axis.h"

namespace mezzo {
class Team;
}  // namespace mezzo

namespace mezzo::prepress {

struct FilterName {
  ScaleFilter filter;
  std::string_view name;  ///< as users write it
};
inline constexpr FilterName kFilterNames[] = {{ScaleFilter::kNearest, "nearest"},
                                              {ScaleFilter::kLinear, "linear"},
                                              {ScaleFilter::kCubic, "cubic"},
                                              {ScaleFilter::kEdges, "edges"},
                                              {ScaleFilter::kArea, "area"}};

constexpr std::string_view name_of(ScaleFilter filter) {
  return std::ranges::find(kFilterNames, filter, &FilterName::filter)->name;
}

struct Scaling {
  Ratio x, y;
  ScaleFilter filter = ScaleFilter::kCubic;
  bool operator==(const Scaling&) const = default;
};

/// Immutable, shared freely between threads and pages.
class Scaler {
 public:
  virtual ~Scaler() = default;

  virtual uint32_t plate_width_px() const = 0;
  virtual uint32_t plate_height_px() const = 0;

  /// The rows of the page that `count` rows of the plate from `first` on are made of.
  virtual SampleRange rows_needed(uint32_t first, uint32_t count) const = 0;

  /// Memory of run() beside its bands, with a team of `threads`, for a page of `planes`.
  virtual uint64_t working_bytes(uint32_t planes, uint32_t threads) const = 0;

  /// Makes the same rows of all plates, of their width and within their height, from the planes of a
  /// page, which hold rows_needed() or more, their own rows or context. The team shares the rows. kEdges
  /// makes the planes together; all other filters make each one alone.
  virtual void run(std::span<const SampleBand> page,
                   std::span<const MutableSampleBand> plates,
                   Team& team) const = 0;
  /// A page of one plane.
  void run(const SampleBand& page, const MutableSampleBand& plate, Team& team) const {
    run(std::span(&page, 1), std::span(&plate, 1), team);
  }
};

}  // namespace mezzo::prepress
