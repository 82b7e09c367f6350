// Sheets of a cluster's plan as those of a job's plan, and back.
#pragma once

#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/plan/plan.h"

namespace mezzo::cluster {

/// Input, settings, pages and plates; the findings of a job's plan are left empty.
plan::SheetPlan sheet_plan_of(const PlannedSheet& planned);

/// The sheet as the plan of a cluster keeps it, for job `job` of that plan.
PlannedSheet planned_sheet_of(const plan::SheetPlan& sheet, uint32_t job);

}  // namespace mezzo::cluster
