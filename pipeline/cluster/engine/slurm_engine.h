// Slurm, driven by its command line: its library changes with each release, its --json too.
#pragma once

#include <chrono>
#include <memory>

#include "pipeline/cluster/engine/cluster_engine.h"

namespace mezzo::cluster {

/// The time limit of one of Slurm's commands, which wait for a busy controller.
inline constexpr std::chrono::seconds kSlurmPatience{100};

std::unique_ptr<ClusterEngine> make_slurm_engine(std::chrono::milliseconds patience);

}  // namespace mezzo::cluster
