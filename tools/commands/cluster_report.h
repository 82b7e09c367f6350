// What submit, collect and status say of a plan.
#pragma once

#include <memory>
#include <string>

#include "pipeline/cluster/collect.h"
#include "pipeline/cluster/engine/cluster_engine.h"
#include "pipeline/cluster/merged_report.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {

/// The engine that the plan was made for; null for those of others.
std::unique_ptr<cluster::ClusterEngine> engine_of(const cluster::ClusterPlan& plan);

/// A path as people type it: from the working folder when it lies below it.
std::string short_path(const std::string& path);

/// collect(), and with the local engine, which returns when it has run what was missing, until
/// there is nothing to run or this program is to stop.
cluster::Collected collect_to_end(const cluster::ClusterPlan& plan,
                                  cluster::ClusterEngine* engine,
                                  bool insist);

/// Says what came out, and gives the exit status for it: kExitGood, kExitSomeFailed, or
/// kExitTryAgain while something is open.
int report_collected(const cluster::ClusterPlan& plan,
                     const cluster::Collected& collected,
                     const CommonOptions& common);

}  // namespace mezzo::commands
