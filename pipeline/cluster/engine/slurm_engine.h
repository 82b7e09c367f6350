// Slurm, driven by its command line: its library changes with each release, its --json too.
#pragma once

#include <chrono>
#include <memory>

#include "pipeline/cluster/engine/cluster_engine.h"

namespace mezzo::cluster {

/// The time limit of one of Slurm's commands, which wait for a busy controller.
inline constexpr std::chrono::seconds kSlurmPatience{100};
inline constexpr std::chrono::seconds kSlurmSearch{20};

/// `patience`: the time limit of each command. `search`: when a submission fails or times out, how long the engine
/// asks Slurm whether it has taken the array after all; 0: it asks once.
std::unique_ptr<ClusterEngine> make_slurm_engine(std::chrono::milliseconds patience,
                                                 std::chrono::milliseconds search);

}  // namespace mezzo::cluster
