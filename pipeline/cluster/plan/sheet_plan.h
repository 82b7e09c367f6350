// A sheet of a cluster's plan as one of a job's plan.
#pragma once

#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/plan/plan.h"

namespace mezzo::cluster {

/// Input, settings, pages and plates; the findings of a job's plan are left empty.
plan::SheetPlan sheet_plan_of(const PlannedSheet& planned);

}  // namespace mezzo::cluster
