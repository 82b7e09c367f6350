#include "pipeline/cluster/engine/slurm_engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "kernels/base/error.h"
#include "pipeline/log/log.h"
#include "pipeline/process/command.h"

namespace mezzo::cluster {
namespace {

namespace fs = std::filesystem;

// The kernel takes no word above 128 KiB.
constexpr size_t kLongestArray = 100'000;

std::string array_name(const ClusterPlan& plan) {
  return "mz-" + plan.id;
}
std::string collect_name(const ClusterPlan& plan) {
  return array_name(plan) + "-collect";
}

/// Variables hidden from Slurm's commands. sbatch passes SLURM_* on to the new job, whatever
/// --export says, so a job that submits would leave it a task number or a SLURM_MEM_PER_CPU of its
/// own; SBATCH_* would give the collecting job an array or a GPU, or make sbatch wait; SQUEUE_*
/// would hide tasks. Kept: which cluster, and on whose account, as these are set for all jobs of a
/// user.
bool is_hidden(std::string_view name) {
  constexpr std::array<std::string_view, 11> kKept = {"SLURM_CONF",
                                                      "SLURM_CLUSTERS",
                                                      "SLURM_JWT",
                                                      "SLURM_TIME_FORMAT",
                                                      "SBATCH_ACCOUNT",
                                                      "SBATCH_CONSTRAINT",
                                                      "SBATCH_PARTITION",
                                                      "SBATCH_QOS",
                                                      "SBATCH_RESERVATION",
                                                      "SBATCH_TIMELIMIT",
                                                      "SBATCH_WCKEY"};
  return (name.starts_with("SLURM_") || name.starts_with("SBATCH_") ||
          name.starts_with("SQUEUE_")) &&
         std::find(kKept.begin(), kKept.end(), name) == kKept.end();
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::optional<uint32_t> number(std::string_view text) {
  uint32_t value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// "1024" of "MaxArraySize            = 1024", or of "max_array_tasks=1024,...".
std::optional<uint32_t> setting(const std::string& text, std::string_view name) {
  const size_t found = text.find(name);
  if (found == std::string::npos) return std::nullopt;
  const size_t first = text.find_first_not_of(" =", found + name.size());
  if (first == std::string::npos) return std::nullopt;
  const size_t end = std::min(text.find_first_not_of("0123456789", first), text.size());
  return number(std::string_view(text).substr(first, end - first));
}

/// A job's log; % is doubled, as Slurm replaces %a and the like in folders, too.
std::string log_pattern(const ClusterPlan& plan, const std::string& name) {
  std::string pattern = plan.path;
  for (size_t at = 0; (at = pattern.find('%', at)) != std::string::npos; at += 2) {
    pattern.insert(at, "%");
  }
  return "--output=" + pattern + "/logs/" + name;
}

void add(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

enum class TaskState { kWaiting, kRunning, kHeld, kStuck, kOver };

TaskState state_of(std::string_view state, std::string_view reason) {
  constexpr std::array<std::string_view, 10> kOver = {"BOOT_FAIL",
                                                      "CANCELLED",
                                                      "COMPLETED",
                                                      "DEADLINE",
                                                      "FAILED",
                                                      "NODE_FAIL",
                                                      "OUT_OF_MEMORY",
                                                      "PREEMPTED",
                                                      "REVOKED",
                                                      "TIMEOUT"};
  if (state == "SPECIAL_EXIT") return TaskState::kStuck;  // RequeueExitHold
  if (state == "REQUEUE_HOLD") return TaskState::kHeld;
  if (state == "PENDING" || state == "REQUEUED" || state == "REQUEUE_FED") {
    const bool cannot_start =
        reason == "launch failed requeued held" || reason == "JobHoldMaxRequeue";
    if (cannot_start) return TaskState::kStuck;
    return reason.starts_with("JobHeld") ? TaskState::kHeld : TaskState::kWaiting;
  }
  if (std::find(kOver.begin(), kOver.end(), state) != kOver.end()) return TaskState::kOver;
  return TaskState::kRunning;  // also COMPLETING, CONFIGURING, SUSPENDED, SIGNALING, ...
}

/// A line of squeue's.
struct Task {
  std::string name, job, unit, state, reason;
};

class SlurmEngine final : public ClusterEngine {
 public:
  explicit SlurmEngine(SlurmTimes times) : times_(times) {}

  uint32_t most_units() override;
  std::string submit(const ClusterPlan& plan,
                     std::span<const uint32_t> units,
                     std::chrono::seconds delay) override;
  Queue queue(const ClusterPlan& plan) override;
  void cancel(const ClusterPlan& plan) override;

 private:
  std::chrono::milliseconds limit(const std::string& command) const {
    return command == "sbatch" ? times_.submit : times_.query;
  }
  process::CommandResult query(const std::vector<std::string>& words) const;
  std::string complaint(const std::string& command, const process::CommandResult& result) const;
  std::vector<Task> tasks(const ClusterPlan& plan) const;
  std::string submit_array(const ClusterPlan& plan,
                           std::span<const uint32_t> units,
                           const std::string& begin) const;
  std::optional<std::string> find_array(const ClusterPlan& plan,
                                        std::span<const uint32_t> units) const;
  void submit_collector(const ClusterPlan& plan, const std::string& array) const;

  const SlurmTimes times_;
};

process::CommandResult SlurmEngine::query(const std::vector<std::string>& words) const {
  return process::run_command(words, limit(words.front()), process::variables_that(is_hidden));
}

/// The message of a command that failed.
std::string SlurmEngine::complaint(const std::string& command,
                                   const process::CommandResult& result) const {
  if (result.status == 127) {
    return command + ": Slurm is not installed on this machine; --engine local runs the units here";
  }
  if (!result.in_time) {
    return fmt::format("{}: no answer within {} s; is Slurm's controller up?",
                       command,
                       std::chrono::duration<double>(limit(command)).count());
  }
  const std::vector<std::string> lines = lines_of(result.messages);
  for (const std::string& line : lines) {
    if (line.find("error: ") == std::string::npos) continue;
    // Without a slurm.conf, its last step is to ask the DNS for one.
    const bool is_lost = line.find("resolve_ctls_from_dns_srv") != std::string::npos;
    return line + (is_lost ? "; there is no slurm.conf: set SLURM_CONF" : "");
  }
  if (!lines.empty()) return lines.front();
  return fmt::format("{}: ended with {} and an answer that cannot be read", command, result.status);
}

uint32_t SlurmEngine::most_units() {
  const process::CommandResult result = query({"scontrol", "show", "config"});
  const auto size = setting(result.output, "MaxArraySize");
  if (result.status != 0 || !size) throw Error(ErrorKind::kDevice, complaint("scontrol", result));
  if (*size == 0) {
    throw Error(ErrorKind::kDevice, "this Slurm takes no job arrays: its MaxArraySize is 0");
  }
  // The highest number is MaxArraySize - 1, and the lowest is 0.
  return std::min(*size, setting(result.output, "max_array_tasks=").value_or(*size));
}

std::string SlurmEngine::submit(const ClusterPlan& plan,
                                std::span<const uint32_t> units,
                                std::chrono::seconds delay) {
  MZ_ASSERT(!units.empty());
  if (plan.path.find('\\') != std::string::npos) {
    throw Error(ErrorKind::kUsage,
                plan.path + ": Slurm writes no logs to a folder with a backslash in its name; " +
                    "choose another for the plan");
  }
  std::error_code failed;
  fs::create_directories(plan.path + "/logs", failed);  // without it tasks fail before they begin
  if (failed) {
    throw Error(ErrorKind::kCannotCreate, plan.path + "/logs: " + failed.message());
  }
  const std::string begin =
      delay.count() > 0 ? fmt::format("now+{}", delay.count()) : plan.task.begin;
  while (array_text(units).size() > kLongestArray) units = units.first(units.size() * 3 / 4);
  std::string array = submit_array(plan, units, begin);
  submit_collector(plan, array);
  return array;
}

std::string SlurmEngine::submit_array(const ClusterPlan& plan,
                                      std::span<const uint32_t> units,
                                      const std::string& begin) const {
  const TaskSettings& task = plan.task;
  std::string array = "--array=" + array_text(units);
  if (task.at_once > 0) array += fmt::format("%{}", task.at_once);
  constexpr uint64_t kMebibyte = 1 << 20;
  std::vector<std::string> words = {
      "sbatch",
      "--parsable",
      array,
      "--requeue",
      "--open-mode=append",
      "--signal=B:TERM@60",
      "--nodes=1",
      "--ntasks=1",
      fmt::format("--cpus-per-task={}", task.threads),
      fmt::format("--mem={}M", (task.memory_bytes + kMebibyte - 1) / kMebibyte)};
  if (task.gpus > 0) words.push_back(fmt::format("--gres=gpu:{}", task.gpus));
  if (!task.partition.empty()) words.push_back("--partition=" + task.partition);
  if (!begin.empty()) words.push_back("--begin=" + begin);
  add(words,
      {"--job-name=" + array_name(plan), "--chdir=" + plan.path, log_pattern(plan, "%a.log")});
  add(words, task.sbatch);
  add(words,
      {"--wrap",
       fmt::format("exec {} worker {} \"$SLURM_ARRAY_TASK_ID\"",
                   process::shell_quoted(task.program),
                   process::shell_quoted(plan.path))});
  const process::CommandResult result = query(words);
  // "123", or "123;cluster".
  std::string id = result.output.substr(0, result.output.find_first_of(";\n"));
  if (result.status == 0 && number(id)) return id;
  // Slurm may have taken it all the same.
  if (!result.in_time || result.status == 0 ||
      result.messages.find("timed out") != std::string::npos) {
    if (const auto found = find_array(plan, units)) return *found;
  }
  throw Error(ErrorKind::kDevice, complaint("sbatch", result));
}

/// The array with some of `units`, if there is one. A controller that was busy may take it only
/// after sbatch gave up, and after squeue's first answer, so it is asked for a while.
std::optional<std::string> SlurmEngine::find_array(const ClusterPlan& plan,
                                                   std::span<const uint32_t> units) const {
  const auto last = std::chrono::steady_clock::now() + times_.search;
  for (;;) {
    try {
      for (const Task& task : tasks(plan)) {
        const auto unit = number(task.unit);
        if (unit && task.name == array_name(plan) &&
            std::find(units.begin(), units.end(), *unit) != units.end()) {
          return task.job;
        }
      }
    } catch (const Error& error) {
      log::debug("{}", error.what());  // sbatch's own message is the better one
    }
    if (std::chrono::steady_clock::now() >= last) return std::nullopt;
    std::this_thread::sleep_for(times_.pause);
  }
}

/// The array is there already, and works without it: a failure is only told.
void SlurmEngine::submit_collector(const ClusterPlan& plan, const std::string& array) const {
  std::vector<std::string> words = {"sbatch"};
  add(words, plan.task.sbatch);  // an account, say; options of units alone are set anew
  if (!plan.task.partition.empty()) words.push_back("--partition=" + plan.task.partition);
  add(words,
      {"--parsable",
       "--dependency=afterany:" + array,
       "--kill-on-invalid-dep=yes",
       "--requeue",
       "--open-mode=append",
       "--nodes=1",
       "--ntasks=1",
       "--cpus-per-task=1",
       "--mem=256M",
       "--job-name=" + collect_name(plan),
       "--chdir=" + plan.path,
       log_pattern(plan, "collect.log"),
       "--wrap",
       fmt::format("exec {} collect --task {}",
                   process::shell_quoted(plan.task.program),
                   process::shell_quoted(plan.path))});
  const process::CommandResult result = query(words);
  if (result.status == 0) return;
  log::warn(
      "array {} is submitted, but not the job that collects it: {}; "
      "when it is over, run: mezzotint collect {}",
      array,
      complaint("sbatch", result),
      process::shell_quoted(plan.path));
}

/// Throws Error(kDevice) when squeue does not answer, or nothing that can be read.
std::vector<Task> SlurmEngine::tasks(const ClusterPlan& plan) const {
  const process::CommandResult result = query({"squeue",
                                               "-h",
                                               "-r",
                                               "-n",
                                               array_name(plan) + "," + collect_name(plan),
                                               "-o",
                                               "%j|%F|%K|%T|%r"});
  if (result.status != 0) throw Error(ErrorKind::kDevice, complaint("squeue", result));
  std::vector<Task> tasks;
  for (const std::string& line : lines_of(result.output)) {
    if (line.starts_with("CLUSTER: ")) continue;  // with SLURM_CLUSTERS
    Task task;
    size_t at = 0;
    for (std::string* part : {&task.name, &task.job, &task.unit, &task.state}) {
      const size_t end = line.find('|', at);
      // Taken as an empty queue, it would be submitted again.
      if (end == std::string::npos) {
        throw Error(ErrorKind::kDevice, "squeue: a line that cannot be read: " + line);
      }
      *part = line.substr(at, end - at);
      at = end + 1;
    }
    task.reason = line.substr(at);
    tasks.push_back(std::move(task));
  }
  return tasks;
}

Queue SlurmEngine::queue(const ClusterPlan& plan) {
  Queue queue;
  std::map<std::string, size_t> reasons;
  try {
    for (const Task& task : tasks(plan)) {
      const TaskState state = state_of(task.state, task.reason);
      if (state == TaskState::kOver) continue;
      if (task.name != array_name(plan)) {
        queue.collects = true;
        continue;
      }
      const auto unit = number(task.unit);
      if (!unit) {
        throw Error(ErrorKind::kDevice, "squeue: not the number of a task: " + task.unit);
      }
      if (state == TaskState::kRunning) queue.running.insert(*unit);
      if (state == TaskState::kHeld || state == TaskState::kStuck) queue.held.insert(*unit);
      if (state == TaskState::kStuck) queue.stuck.insert(*unit);
      if (state != TaskState::kWaiting) continue;
      queue.waiting.insert(*unit);
      if (!task.reason.empty() && task.reason != "None") ++reasons[task.reason];
    }
  } catch (const Error& error) {
    queue = {};
    queue.answers = false;
    queue.why = error.what();
    return queue;
  }
  const auto most = std::max_element(
      reasons.begin(), reasons.end(), [](auto& a, auto& b) { return a.second < b.second; });
  if (most != reasons.end()) queue.reason = most->first;
  return queue;
}

void SlurmEngine::cancel(const ClusterPlan& plan) {
  // First who would hand the others over again. One name each: scancel takes no list.
  for (const std::string& name : {collect_name(plan), array_name(plan)}) {
    const process::CommandResult result = query({"scancel", "-n", name});
    if (result.status != 0) throw Error(ErrorKind::kDevice, complaint("scancel", result));
  }
}

}  // namespace

std::unique_ptr<ClusterEngine> make_slurm_engine(SlurmTimes times) {
  return std::make_unique<SlurmEngine>(times);
}

}  // namespace mezzo::cluster
