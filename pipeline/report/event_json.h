// Jobs as programs read them: the objects that --json prints, a line each.
#pragma once

#include "manifests/json/value.h"
#include "pipeline/plan/job_plan.h"
#include "pipeline/run/result.h"

namespace mezzo::report {

/// Of type "sheet-plan": a sheet as it would be made.
json::Value plan_json(const plan::SheetPlan& sheet);

/// Of type "plan": the whole job.
json::Value plan_json(const plan::JobPlan& plan);

/// Of type "sheet": a sheet that was made, or failed.
json::Value sheet_json(const plan::SheetPlan& plan, const run::SheetResult& sheet);

/// Of type "job": its end.
json::Value job_json(const plan::JobPlan& plan, const run::JobResult& result);

}  // namespace mezzo::report
