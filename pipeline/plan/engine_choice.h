// Decides, for the sheets of a plan whose engine is 'auto', on which engine they run, and estimates
// how long a plan takes.
#pragma once

#include <optional>

#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

/// Replaces engine 'auto' by kCpu or kGpu in every sheet that can run and names no schedule, and
/// puts the reason into `schedule_reason`. Sheets of one method and compression get one
/// engine. A small job gets the CPU without a call of CUDA. Throws nothing that concerns a GPU: one
/// that cannot be measured is not chosen.
void choose_engines(JobPlan& plan);

/// About how long the job will take, s; measures the CPU's methods for some milliseconds, and takes
/// the known figures of the GPU. Nothing where a search runs on a GPU, as no search is measured
/// there, or until its time is up.
std::optional<double> estimate_seconds(const JobPlan& plan);

}  // namespace mezzo::plan
