// Slurm, driven by its command line: its library changes with each release, its --json too.
#pragma once

#include <chrono>
#include <memory>

#include "pipeline/cluster/engine/cluster_engine.h"

namespace mezzo::cluster {

/// How long one of Slurm's commands may take: they wait for a busy controller, but not for ever.
inline constexpr std::chrono::seconds kSlurmPatience{100};

std::unique_ptr<ClusterEngine> make_slurm_engine(std::chrono::milliseconds patience);

}  // namespace mezzo::cluster
