// Jobs to a plan: sheets worked out, and cut into units by what they are expected to cost.
#pragma once

#include <string>
#include <vector>

#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/cluster/plan/units.h"

namespace mezzo::cluster {

/// Plans `jobs`, in their order, for `plan_folder`; nothing is written. What is wrong with a sheet
/// now (a damaged file, no such page, no room in the memory budget, two plates of one name in a
/// job, a plate that would replace an input of any job, or one that exists and must not be
/// replaced) is its failure, names it, and keeps no other sheet from being made. A plate that must
/// not be replaced may be there when a record in `plan_folder` says that an earlier submission made
/// it.
///
/// Throws Error for what concerns more than a sheet: settings that run nowhere and jobs without
/// pages (kUsage), plates of two jobs with one name (kData), and any trouble that may pass. What
/// only a node can tell, its GPU, is not looked at, but an engine that needs a GPU is refused
/// (kUsage) when a task gets none. Never asks CUDA for anything.
ClusterPlan make_cluster_plan(const std::vector<manifests::Job>& jobs,
                              const std::string& plan_folder,
                              const TaskSettings& task,
                              const UnitOptions& units);

}  // namespace mezzo::cluster
