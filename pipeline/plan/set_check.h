// Whether separations in files of their own belong to one page.
#pragma once

#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

/// Pages that a manifest gives an ink, and whose paths differ in the name of that ink alone, are a
/// set: tea_cyan.tif and tea_magenta.tif. Where those of a set differ in their number of pages, in
/// size or in resolution, or two are one ink of their press, none of its sheets can run: the plates would
/// not fit each other.
void refuse_uneven_sets(JobPlan& plan);

}  // namespace mezzo::plan
