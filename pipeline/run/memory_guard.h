// A net below the plan: the most memory that the process of a job may take, kept by the kernel.
//
// A plan holds its job in the memory that it was given. Should a decoder take more all the same, by a file that
// was made for that, the kernel refuses it: that page fails, and the machine and the other jobs go on.
#pragma once

#include <cstdint>
#include <optional>

#include "pipeline/plan/job_plan.h"

namespace mezzo::run {

/// What a process may take beside the memory of its job: libraries, pieces that the allocator keeps. Pages of
/// any kind need less than 10 MiB of it.
inline constexpr uint64_t kMemoryAllowance = uint64_t{256} << 20;

/// Bounds the memory of this process, and of processes that it starts (RLIMIT_DATA): to what it has now, the
/// memory of the job, a stack for each thread, and kMemoryAllowance. Returns the bound; nothing where there is none,
/// since plates are made on a GPU, whose driver maps more than it takes.
std::optional<uint64_t> guard_memory(const plan::JobPlan& plan);

}  // namespace mezzo::run
