// The plates of a sheet that are halftoned and coded alike: their time and their engine are worked out
// together. A sheet whose inks have no settings of their own is one part.
#pragma once

#include <vector>

#include "kernels/complete.h"
#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

struct SheetPart {
  HalftoneSettings halftone;
  tiff::Compression compression = tiff::Compression::kAutomatic;
  Engine engine = Engine::kCpu;  ///< chosen, like PlatePlan::engine
  HalftonerTraits traits;
  std::vector<const PlatePlan*> plates;  ///< of the sheet
};

/// The parts of a sheet that can run.
std::vector<SheetPart> parts_of(const SheetPlan& sheet);

/// The settings of one of the part's plates: all of them are as fast.
CompleteSettings settings_of(const SheetPlan& sheet, const SheetPart& part);

/// Pixels of the part's plates.
double pixels_of(const SheetPlan& sheet, const SheetPart& part);

/// Whether the plate has the method, parameters, schedule and engine of its page.
bool follows_page(const SheetPlan& sheet, const PlatePlan& plate);

/// Sets the engine in the settings that the plate follows: its page's, or those of its ink.
void set_engine(SheetPlan& sheet, const PlatePlan& plate, Engine engine);

}  // namespace mezzo::plan
