// Things that a job may do, but is probably not meant to do.
#pragma once

#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

/// Adds to the warnings of sheets. A picture in colours that becomes one grey plate is worth one in
/// a job with separated pages: alone it may be meant, there its inks are missed. An input that is a
/// plate is most often that of an earlier run, which a pattern took along. Settings of an ink that no page
/// has are worth one unless `any_inks`, and so are inks that are to be halftoned together with none.
void add_warnings(JobPlan& plan, bool any_inks = false);

}  // namespace mezzo::plan
