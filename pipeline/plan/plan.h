// Plans a job before it starts. A sheet that cannot run is refused here, with the name of the
// resource that is short.
#pragma once

#include <cstdint>

#include "manifests/job.h"
#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

/// Opens every input for its tags. Engine 'auto' becomes the chosen engine in the settings of the
/// plan's sheets; the first job of a machine that may profit from its GPU measures it for about
/// half a second (gpu_costs.h). Never throws for a page: its failure is in its sheet. Throws
/// Error(kLimit) for a job with more plates than a plan may have (plan_size.h).
JobPlan make_plan(const manifests::Job& job, const PlanOptions& options = {});

/// Processors that this process may run on.
uint32_t available_threads();

}  // namespace mezzo::plan
