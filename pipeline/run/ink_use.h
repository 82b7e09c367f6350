// How much ink the plates of a sheet print: an area, which is exact, and an estimate of its volume.
//
//   cm2 = ink px / (dpi_x dpi_y) * 6.4516
//   ml  = cm2 * film g/m2 / density g/ml / 10^4       or the volumes of the drops, where they are known
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "pipeline/plan/job_plan.h"
#include "pipeline/run/result.h"

namespace mezzo::run {

/// Of inks whose press does not say theirs: a usual film of offset, and a usual ink.
inline constexpr double kUsualFilmGsm = 1.0, kUsualDensityGml = 1.0;

/// Fills in ink_cm2 and ink_ml of plate `p` of the sheet, from its coverage; nothing without a
/// resolution. Of a negative plate the paper is counted, which prints.
void add_ink_use(const plan::SheetPlan& sheet, size_t p, PlateResult& plate);

struct InkUse {
  std::string ink;
  double cm2 = 0, ml = 0;
};

/// Of all good sheets, by ink, in the order in which they come up.
std::vector<InkUse> ink_use_of(const std::vector<SheetResult>& sheets);

/// "ink,cm2,ml" and a line an ink.
std::string ink_use_csv(const std::vector<InkUse>& use);

}  // namespace mezzo::run
