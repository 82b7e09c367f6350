#include "pipeline/cluster/engine/allocation.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "pipeline/exit_status.h"

namespace mezzo::cluster {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// A whole number above nought; nothing for any other text.
std::optional<uint64_t> count_in(const std::string& text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value == 0) return std::nullopt;
  return value;
}

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

void lower(std::optional<uint64_t>& limit, const std::optional<uint64_t>& other) {
  if (other) limit = limit ? std::min(*limit, *other) : *other;
}

/// The least limit of a control group and of those above it, up to `root`.
std::optional<uint64_t> least_limit(const fs::path& root,
                                    const std::string& group,
                                    const char* file) {
  std::optional<uint64_t> limit;
  for (fs::path at = root / fs::path(group).relative_path();; at = at.parent_path()) {
    lower(limit, count_in(first_line(at / file)));  // "max" is none
    if (at == root || !at.has_relative_path()) return limit;
  }
}

/// The kernel's limit for this process; see cgroups(7).
std::optional<uint64_t> limit_of_control_group() {
  const fs::path root = "/sys/fs/cgroup";
  std::optional<uint64_t> limit;
  std::ifstream groups("/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string group = line.substr(second + 1);
    if (controllers.empty()) lower(limit, least_limit(root, group, "memory.max"));
    if (controllers == "memory") {
      lower(limit, least_limit(root / "memory", group, "memory.limit_in_bytes"));
    }
  }
  return limit;
}

std::optional<uint64_t> limit_of_slurm(uint32_t threads) {
  constexpr uint64_t kMiB = 1 << 20;  // Slurm's megabyte
  if (const auto per_node = count_in(variable("SLURM_MEM_PER_NODE"))) return *per_node * kMiB;
  if (const auto per_cpu = count_in(variable("SLURM_MEM_PER_CPU"))) {
    return *per_cpu * threads * kMiB;
  }
  return std::nullopt;
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

std::string slurm_job() {
  const std::string array = variable("SLURM_ARRAY_JOB_ID");
  if (array.empty()) return variable("SLURM_JOB_ID");
  return array + "_" + variable("SLURM_ARRAY_TASK_ID");
}

}  // namespace

Allocation find_allocation(const TaskSettings& task) {
  Allocation found;
  found.node = host_name();
  found.threads = task.threads;
  // An allocation that the local engine runs in is for all its processes together.
  if (task.engine == ClusterEngineKind::kSlurm) {
    if (const std::string node = variable("SLURMD_NODENAME"); !node.empty()) found.node = node;
    found.slurm_job = slurm_job();
    const auto threads = count_in(variable("SLURM_CPUS_PER_TASK"));
    if (threads && *threads <= 1024) found.threads = static_cast<uint32_t>(*threads);
    lower(found.memory_bytes, limit_of_slurm(found.threads));
  }
  lower(found.memory_bytes, limit_of_control_group());
  if (task.gpus > 0) found.gpus = variable("CUDA_VISIBLE_DEVICES");
  return found;
}

int bounded_status(int status, const TaskSettings& task) {
  // As often as the local engine would; a try that was stopped or met a full disk does not count.
  const uint64_t most = uint64_t{task.tries} * 2 + 2;
  const bool is_over = count_in(variable("SLURM_RESTART_COUNT")).value_or(0) >= most;
  return status == kExitTryAgain && is_over ? kExitData : status;
}

uint64_t bytes_beside_budget(const TaskSettings& task) {
  constexpr uint64_t kMiB = 1 << 20;
  return 256 * kMiB + task.gpus * 1024 * kMiB;
}

}  // namespace mezzo::cluster
