// The messages of submit, collect and status on a plan.
#pragma once

#include <memory>
#include <string>

#include "pipeline/cluster/collect.h"
#include "pipeline/cluster/engine/cluster_engine.h"
#include "pipeline/cluster/merged_report.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {

/// The engine of the plan; null for engine none.
std::unique_ptr<cluster::ClusterEngine> engine_of(const cluster::ClusterPlan& plan);

/// The path, relative to the working folder when it lies below it.
std::string short_path(const std::string& path);

/// collect(), repeated with the local engine, which returns after each run of the missing units,
/// until none is left to run or this program is to stop.
cluster::Collected collect_to_end(const cluster::ClusterPlan& plan,
                                  cluster::ClusterEngine* engine,
                                  bool insist);

/// Prints the results, and returns their exit status: kExitGood, kExitSomeFailed, or kExitTryAgain
/// while a sheet is open.
int report_collected(const cluster::ClusterPlan& plan,
                     const cluster::Collected& collected,
                     const CommonOptions& common);

}  // namespace mezzo::commands
