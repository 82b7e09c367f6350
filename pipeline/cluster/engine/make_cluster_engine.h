// The engine of a plan.
#pragma once

#include <atomic>
#include <memory>

#include "pipeline/cluster/engine/cluster_engine.h"

namespace mezzo::cluster {

/// `stop` ends the units of the local engine, and must outlive it. Throws Error(kUsage) for kNone.
std::unique_ptr<ClusterEngine> make_cluster_engine(ClusterEngineKind kind,
                                                   const std::atomic<bool>& stop);

}  // namespace mezzo::cluster
