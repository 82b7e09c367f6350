// A cluster's plan as the file plan.json of its folder.
#pragma once

#include <string>

#include "pipeline/cluster/plan/cluster_plan.h"

namespace mezzo::cluster {

/// Writes plan.json, whole or not at all, and the folders beside it. Throws Error: kData when a
/// path is not UTF-8, and as PendingFile does.
void save_plan(const ClusterPlan& plan);

/// Reads the plan of a folder, or of the plan.json in it. Throws Error: kMissing, kIo, and kData
/// for a file that is not a plan, is not whole, contradicts itself (units that overlap, sheets of
/// no job, ...) or is of another version than this program can read.
ClusterPlan load_plan(const std::string& path);

}  // namespace mezzo::cluster
