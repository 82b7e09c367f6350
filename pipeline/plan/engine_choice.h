// Decides, for the sheets of a plan whose engine is 'auto', on which engine they run, and estimates
// how long a plan takes.
#pragma once

#include <optional>

#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

/// Replaces engine 'auto' by kCpu or kGpu in every sheet that can run and names no schedule, and
/// puts the reason into `schedule_reason`; so for inks with settings of their own. Plates of one method
/// and compression get one engine. A
/// small job gets the CPU without a call of CUDA. A GPU that cannot be measured is not chosen, and
/// no error of it is thrown.
void choose_engines(JobPlan& plan);

/// About how long the job will take, s; measures the CPU's methods for some milliseconds, and takes
/// the known figures of the GPU. Nothing for a search on a GPU, which is not measured, or one that
/// runs until its time is up, and where plates are recomputed: a method's reference is not measured.
std::optional<double> estimate_seconds(const JobPlan& plan);

}  // namespace mezzo::plan
