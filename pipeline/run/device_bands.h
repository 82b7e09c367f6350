// Chooses the bands of a page whose planes become strips on a GPU.
#pragma once

#include <cstdint>
#include <optional>

#include "pipeline/plan/band_plan.h"
#include "stages/page_info.h"

namespace mezzo::run {

/// What such bands depend on.
struct DevicePage {
  const PageInfo& plate;
  const PageInfo& page;     ///< as it goes up
  uint32_t strip_rows = 0;  ///< a multiple of the rows of a strip of each plate
  bool has_linework = false;
  const plan::PageHalftoners& halftoners;
};

/// Rows of the plate of a band that takes no more of this machine's memory than the plan's bands:
/// whole strips, no more than the plate has, and whole slabs of methods that search, unless it is all
/// of the plate. Nothing where only more memory would do: such slabs and strips seldom end together.
std::optional<uint32_t> rows_on_device(const DevicePage& page, const plan::BandPlan& bands);

}  // namespace mezzo::run
