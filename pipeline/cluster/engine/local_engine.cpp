#include "pipeline/cluster/engine/local_engine.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include "kernels/base/error.h"
#include "pipeline/exit_status.h"
#include "pipeline/log/log.h"
#include "pipeline/plan/plan.h"
#include "pipeline/process/command.h"
#include "pipeline/process/worker_process.h"
#include "pipeline/text.h"

namespace mezzo::cluster {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kLook = 100ms;  // between looks at `stop`

/// A unit that is still to be run.
struct Waiting {
  uint32_t unit = 0;
  uint32_t returns = 0;  ///< how often it came back
  Clock::time_point due;
};

/// Room for one process.
struct Slot {
  std::vector<std::string> environment;
  Waiting task;
  std::unique_ptr<process::WorkerProcess> process;  ///< null: the slot is free
  std::ofstream log;
};

/// The GPUs of each of `slots` slots, as CUDA_VISIBLE_DEVICES has them; empty when this process's
/// variable does not say which there are. Fewer slots when there are not GPUs enough for all.
std::vector<std::string> gpu_shares(const TaskSettings& task, uint32_t slots) {
  const char* all = std::getenv("CUDA_VISIBLE_DEVICES");
  if (task.gpus == 0 || all == nullptr || *all == '\0') return {};
  std::vector<std::string> shares;
  uint32_t in_share = 0;
  for (std::string_view rest = all; !rest.empty();) {
    const size_t end = std::min(rest.find(','), rest.size());
    if (in_share == 0) {
      shares.emplace_back();
    } else {
      shares.back() += ',';
    }
    shares.back() += rest.substr(0, end);
    in_share = (in_share + 1) % task.gpus;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  // The rest is too little for a task, unless it is the whole machine.
  if (in_share != 0 && shares.size() > 1) shares.pop_back();
  if (shares.size() > slots) shares.resize(slots);
  return shares;
}

class LocalRun {
 public:
  LocalRun(const ClusterPlan& plan,
           std::span<const uint32_t> units,
           LocalPauses pauses,
           const std::atomic<bool>& stop,
           LocalClock& clock);

  /// Until all units have ended, or `stop`.
  void run();

 private:
  void start_due();
  void start(Slot& slot, Waiting task);
  void wait_for_news() const;
  void look_after(Slot& slot);
  void handle_end(const Waiting& task,
                  const process::WorkerEnd& end,
                  const std::string& last_words);
  void put_back(Waiting task, const std::string& reason);
  bool runs() const;

  const ClusterPlan& plan_;
  const LocalPauses pauses_;
  const std::atomic<bool>& stop_;
  LocalClock& clock_;
  std::deque<Waiting> waiting_;
  std::vector<Slot> slots_;
};

LocalRun::LocalRun(const ClusterPlan& plan,
                   std::span<const uint32_t> units,
                   LocalPauses pauses,
                   const std::atomic<bool>& stop,
                   LocalClock& clock)
    : plan_(plan), pauses_(pauses), stop_(stop), clock_(clock) {
  const TaskSettings& task = plan.task;
  for (const uint32_t unit : units) waiting_.push_back({unit, 0, clock_.now()});
  uint32_t slots = task.at_once > 0
                       ? task.at_once
                       : std::max(1U, plan::available_threads() / std::max(1U, task.threads));
  slots = static_cast<uint32_t>(std::min<size_t>(slots, units.size()));
  const std::vector<std::string> gpus = gpu_shares(task, slots);
  slots_.resize(gpus.empty() ? slots : gpus.size());
  // This may itself run in a job of Slurm's, whose share is not that of one task.
  const std::vector<std::string> hidden =
      process::variables_that([](std::string_view name) { return name.starts_with("SLURM_"); });
  for (size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].environment = hidden;
    if (!gpus.empty()) slots_[i].environment.push_back("CUDA_VISIBLE_DEVICES=" + gpus[i]);
  }
}

void LocalRun::run() {
  while (!stop_ && (!waiting_.empty() || runs())) {
    start_due();
    wait_for_news();
    for (Slot& slot : slots_) look_after(slot);
  }
  for (Slot& slot : slots_) {
    if (slot.process) slot.process->signal(SIGTERM);
  }
  const Clock::time_point last = Clock::now() + pauses_.stop;
  while (runs() && Clock::now() < last) {
    wait_for_news();
    for (Slot& slot : slots_) look_after(slot);
  }
}

bool LocalRun::runs() const {
  return std::any_of(
      slots_.begin(), slots_.end(), [](const Slot& slot) { return slot.process != nullptr; });
}

void LocalRun::start_due() {
  const Clock::time_point now = clock_.now();
  for (Slot& slot : slots_) {
    if (slot.process) continue;
    const auto next = std::find_if(
        waiting_.begin(), waiting_.end(), [&](const Waiting& task) { return task.due <= now; });
    if (next == waiting_.end()) return;
    const Waiting task = *next;
    waiting_.erase(next);
    start(slot, task);
  }
}

void LocalRun::start(Slot& slot, Waiting task) {
  const std::string log = fmt::format("{}/logs/{}.log", plan_.path, task.unit);
  slot.log = std::ofstream(log, std::ios::app);
  if (!slot.log) throw Error(ErrorKind::kCannotCreate, log + ": it cannot be opened for writing");
  slot.task = task;
  try {
    slot.process = std::make_unique<process::WorkerProcess>(
        std::vector<std::string>{
            plan_.task.program, "worker", plan_.path, fmt::format("{}", task.unit)},
        -1,
        slot.environment);
  } catch (const Error& error) {
    put_back(task, error.what());
  }
}

void LocalRun::wait_for_news() const {
  std::vector<const process::WorkerProcess*> running;
  for (const Slot& slot : slots_) {
    if (slot.process) running.push_back(slot.process.get());
  }
  const auto now = clock_.now();
  auto until = now + kLook;
  if (running.size() < slots_.size()) {
    for (const Waiting& task : waiting_) until = std::min(until, task.due);
  }
  if (running.empty()) {
    clock_.rest(std::chrono::ceil<std::chrono::milliseconds>(until - now));
  } else {
    process::wait_for_news(running, Clock::now() + (until - now));
  }
}

/// Reads the output of the slot's process; once it has ended and all is read, the slot is free.
void LocalRun::look_after(Slot& slot) {
  if (!slot.process) return;
  const auto to_log = [&](std::string_view line) { slot.log << line << '\n'; };
  slot.process->read_results(to_log);
  slot.process->read_messages(to_log);
  slot.log.flush();
  const auto end = slot.process->finished(Clock::now());
  if (!end) return;
  const auto& words = slot.process->last_messages();
  const std::string last_words = words.empty() ? "" : ": " + words.back();
  slot.process.reset();
  slot.log.close();
  handle_end(slot.task, *end, last_words);
}

void LocalRun::handle_end(const Waiting& task,
                          const process::WorkerEnd& end,
                          const std::string& last_words) {
  if (end.signal != 0) {
    put_back(task, fmt::format("killed by signal {}{}", end.signal, last_words));
  } else if (end.exit_status == kExitTryAgain) {
    put_back(task, "another try may make it" + last_words);
  } else if (end.exit_status != kExitGood && end.exit_status != kExitData) {
    log::warn("unit {} ended with {}{}", task.unit, end.exit_status, last_words);
  }
}

void LocalRun::put_back(Waiting task, const std::string& reason) {
  if (stop_) return;
  ++task.returns;
  if (task.returns >= plan_.task.tries * 2 + 2) {
    log::warn("unit {} came back {} and is not tried again: {}",
              task.unit,
              counted(task.returns, "time"),
              reason);
    return;
  }
  auto pause = pauses_.first;
  for (uint32_t i = 1; i < task.returns && pause < pauses_.longest; ++i) pause *= 2;
  task.due = clock_.now() + std::min(pause, pauses_.longest);
  waiting_.push_back(task);
}

class LocalEngine final : public ClusterEngine {
 public:
  LocalEngine(LocalPauses pauses, const std::atomic<bool>& stop, LocalClock& clock)
      : pauses_(pauses), stop_(stop), clock_(clock) {}

  uint32_t most_units() override { return std::numeric_limits<uint32_t>::max(); }

  std::string submit(const ClusterPlan& plan,
                     std::span<const uint32_t> units,
                     std::chrono::seconds delay) override {
    std::error_code failed;
    fs::create_directories(plan.path + "/logs", failed);
    if (failed) {
      throw Error(ErrorKind::kCannotCreate, plan.path + "/logs: " + failed.message());
    }
    const Clock::time_point begin = clock_.now() + delay;
    while (!stop_ && clock_.now() < begin) clock_.rest(kLook);
    LocalRun(plan, units, pauses_, stop_, clock_).run();
    return "local";
  }

  /// All units have ended when submit() returns.
  Queue queue(const ClusterPlan&) override { return {}; }
  void cancel(const ClusterPlan&) override {}

 private:
  const LocalPauses pauses_;
  const std::atomic<bool>& stop_;
  LocalClock& clock_;
};

class MachineClock final : public LocalClock {
 public:
  Clock::time_point now() const override { return Clock::now(); }
  void rest(std::chrono::milliseconds time) override {
    ::poll(nullptr, 0, static_cast<int>(std::max<int64_t>(time.count(), 0)));
  }
};

}  // namespace

LocalClock& machine_clock() {
  static MachineClock clock;
  return clock;
}

std::unique_ptr<ClusterEngine> make_local_engine(LocalPauses pauses,
                                                 const std::atomic<bool>& stop,
                                                 LocalClock& clock) {
  return std::make_unique<LocalEngine>(pauses, stop, clock);
}

}  // namespace mezzo::cluster
