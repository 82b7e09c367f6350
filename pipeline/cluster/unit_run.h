// One attempt at one unit: what a task of the cluster does.
#pragma once

#include <atomic>
#include <cstdint>

#include "pipeline/cluster/engine/allocation.h"
#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/run/job_runner.h"

namespace mezzo::cluster {

/// Records sheets that earlier submissions of the plan's folder made and that stand there
/// unchanged, so that they count as done. Gives how many there are. Before units are handed over.
/// Throws Error.
size_t adopt_made_sheets(const ClusterPlan& plan);

/// Makes what is open of a unit, and records it. Plates that stand there already, made from the
/// same input with the same settings, are left as they are. Returns kExitGood when all its plates
/// are there, whoever made them; kExitTryAgain when another attempt may make what is missing;
/// kExitData when some page is wrong or was tried often enough; kExitBug after an error of our own.
/// Throws Error when the plan's folder cannot be written, and kDevice when the plan was made by
/// another version of the program than this node has, which might make other bits.
int run_unit(const ClusterPlan& plan,
             uint32_t unit,
             const Allocation& allocation,
             run::JobObserver& observer,
             const std::atomic<bool>& stop);

}  // namespace mezzo::cluster
