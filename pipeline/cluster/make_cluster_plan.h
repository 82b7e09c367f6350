// Makes a plan of jobs: their sheets, cut into units by their expected cost.
#pragma once

#include <string>
#include <vector>

#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/cluster/plan/units.h"

namespace mezzo::cluster {

/// Plans `jobs`, in their order, for `plan_folder`; writes nothing. A sheet that cannot be made (a
/// damaged file, no such page, no room in the memory budget, two plates of one name in a job, a
/// plate that would replace an input of any job, or one that exists and must not be replaced) gets
/// a failure that names the cause; the other sheets are planned all the same. A plate that must not
/// be replaced may exist when a record in `plan_folder` says that an earlier submission made it.
///
/// Throws Error for failures of more than a sheet: settings that run nowhere and jobs without pages
/// (kUsage), plates of two jobs with one name (kData), and any trouble that may pass. GPUs are the
/// nodes' affair and are not looked at, but an engine that needs one is refused (kUsage) when tasks
/// get none. Makes no call of CUDA.
ClusterPlan make_cluster_plan(const std::vector<manifests::Job>& jobs,
                              const std::string& plan_folder,
                              const TaskSettings& task,
                              const UnitOptions& units);

}  // namespace mezzo::cluster
