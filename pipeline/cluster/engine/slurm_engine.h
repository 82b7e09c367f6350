// Slurm, driven by its command line: its library changes with each release, its --json too.
#pragma once

#include <chrono>
#include <memory>

#include "pipeline/cluster/engine/cluster_engine.h"

namespace mezzo::cluster {

/// Time limits. Slurm's commands wait for a busy controller.
struct SlurmTimes {
  std::chrono::milliseconds submit{100'000};  ///< of sbatch
  std::chrono::milliseconds query{100'000};   ///< of each other command
  /// When a submission fails or times out: how long the engine asks Slurm whether it has taken the
  /// array after all; 0: it asks once.
  std::chrono::milliseconds search{20'000};
  std::chrono::milliseconds pause{2'000};  ///< between two questions of that search
};

std::unique_ptr<ClusterEngine> make_slurm_engine(SlurmTimes times = {});

}  // namespace mezzo::cluster
