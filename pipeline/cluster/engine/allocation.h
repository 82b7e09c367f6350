// The share of a node that a cluster's task was given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pipeline/cluster/plan/cluster_plan.h"

namespace mezzo::cluster {

/// The share of the machine that the starter of this process gave it.
struct Allocation {
  std::string node;       ///< SLURMD_NODENAME, or the host's name
  std::string slurm_job;  ///< "123_4"; empty outside of Slurm
  uint32_t threads = 1;
  std::optional<uint64_t> memory_bytes;  ///< nothing: no limit is known
  std::string gpus;                      ///< CUDA_VISIBLE_DEVICES
};

/// Reads SLURM_CPUS_PER_TASK, SLURM_MEM_PER_NODE, SLURM_MEM_PER_CPU, the memory limit of the
/// control group, CUDA_VISIBLE_DEVICES. Without these, the values of `task`, which the plan asked
/// for.
Allocation find_allocation(const TaskSettings& task);

/// Memory that a task is given beside the job's budget: for libraries, files being written and, for
/// each GPU, CUDA's context.
uint64_t bytes_beside_budget(const TaskSettings& task);

/// The exit status of a scheduler's task: kExitData in place of kExitTryAgain once Slurm has run it
/// again too often (SLURM_RESTART_COUNT), as it would do so for ever. The task is over then, and
/// `collect` submits it again.
int bounded_status(int status, const TaskSettings& task);

}  // namespace mezzo::cluster
