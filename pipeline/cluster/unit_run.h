// One attempt at one unit: the work of a cluster's task.
#pragma once

#include <atomic>
#include <cstdint>

#include "pipeline/cluster/engine/allocation.h"
#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/run/job_runner.h"

namespace mezzo::cluster {

/// Records sheets that earlier submissions of the plan's folder made and that are unchanged, so
/// that they count as done. Returns their number. To be called before units are submitted. Throws
/// Error.
size_t adopt_made_sheets(const ClusterPlan& plan);

/// Makes the open sheets of a unit, and records them. Existing plates of the same input and
/// settings are left as they are. Returns kExitGood when all its plates are there, by any attempt;
/// kExitTryAgain when another attempt may make the missing ones; kExitData when some page is wrong
/// or had all its tries; kExitBug after an error of our own. Throws Error when the plan's folder
/// cannot be written, and kDevice when the plan was made by another version of the program than
/// this node has, which might make other bits.
int run_unit(const ClusterPlan& plan,
             uint32_t unit,
             const Allocation& allocation,
             run::JobObserver& observer,
             const std::atomic<bool>& stop);

}  // namespace mezzo::cluster
