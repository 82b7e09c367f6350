#include "pipeline/watch/service/watch_loop.h"

#include <fmt/format.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>

#include "kernels/base/error.h"
#include "pipeline/text.h"
#include "pipeline/watch/service/service_notice.h"

namespace mezzo::watch {
namespace {

using namespace std::chrono_literals;

constexpr auto kLongestSleep = 30s;  // watch_view.h promises a turn that often
constexpr auto kOrphansEvery = 60s;
constexpr auto kCleanUpEvery = 1h;
constexpr size_t kClaimsATurn = 1000;  // that fail, as others were sooner

}  // namespace

Watcher::Loop::Loop(WatcherOptions options) : options_(std::move(options)) {
  open_store();
  if (!options_.socket.empty()) control_.emplace(options_.socket);
  around_ = {.worker_command = options_.worker_command,
             .journals = options_.state + "/journals",
             .grace = options_.grace,
             .pauses = options_.pauses,
             .store = store_.get(),
             .listener = options_.listener,
             .gpus = &gpus_,
             .wake = [wakeup = wakeup_] { wakeup->wake(); }};
  for (const std::string& path : options_.folders) add_folder(path);
  watchdog_ = service_watchdog_interval();
}

/// One that was named before is not added again.
void Watcher::Loop::add_folder(const std::string& path) {
  std::string name = std::filesystem::absolute(path).lexically_normal().string();
  if (name.size() > 1 && name.ends_with('/')) name.pop_back();
  for (const WatchedFolder& other : folders_) {
    if (other.path() == name) {
      spdlog::warn("{}: named twice, and watched once", name);
      return;
    }
    const std::string& inner = std::max(
        name, other.path(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    const std::string& outer = &inner == &name ? other.path() : name;
    if (inner.starts_with(outer.ends_with('/') ? outer : outer + "/")) {
      throw Error(ErrorKind::kUsage,
                  inner + " lies in " + outer +
                      ", and both are hot folders: what is dropped into one would be taken by the "
                      "other; move it beside it");
    }
  }
  folders_.emplace_back(name, folders_.size(), events_);
  try {
    folders_.back().set_paused(store_ && store_->is_paused(name));
  } catch (const Error& error) {
    spdlog::warn("{}", error.what());
  }
  if (folders_.back().is_paused()) spdlog::info("{}: still paused, as requested", name);
}

/// A watcher without a history still prints: what fails here is said, and no more.
void Watcher::Loop::open_store() {
  try {
    store_ = JobStore::open(options_.state);
    if (!store_->damage().empty()) spdlog::warn("{}", store_->damage());
    for (JobView& job : store_->latest(kFinishedShown)) finished_.push_back(std::move(job));
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kCannotCreate) throw;
    spdlog::error("{}; going on without a history, and without knowing what was printed before",
                  error.what());
    store_.reset();
  }
}

WatchEnd Watcher::Loop::run() {
  {
    const std::lock_guard lock(mutex_);
    running_ = true;
  }
  for (;;) {
    const auto now = Clock::now();
    turn(now);
    if (second_signal_ != 0 || (stopping_ && jobs_.empty())) break;
    if (options_.once && nothing_left()) break;
    sleep(now);
  }
  if (second_signal_ != 0) {
    for (ActiveJob& job : jobs_) job.kill();
  }
  notify_service("STOPPING=1");
  WatchEnd end{.failed = jobs_failed_, .troubled = 0, .second_signal = second_signal_};
  for (const WatchedFolder& folder : folders_)
    end.troubled += !folder.is_up() || folder.is_refusing();
  jobs_.clear();
  const std::lock_guard lock(mutex_);
  running_ = false;
  for (const auto& request : requests_) request->answered = true;
  requests_.clear();
  last_view_ = view(Clock::now());
  answered_.notify_all();
  return end;
}

/// Everything that there is to do now.
void Watcher::Loop::turn(Clock::time_point now) {
  read_signals(now);
  for (const size_t slot : events_.changed()) std::next(folders_.begin(), long(slot))->hint();
  look_at_folders(now);
  if (!stopping_) {
    take_orphaned(now);
    clean_up(now);
  }
  advance_jobs(now);
  if (!stopping_) dispatch(now);
  if (control_) {
    control_->serve(now, [this](const std::string& json) { return answer(json); });
  }
  answer_others(now);
  tell_manager(now);
}

void Watcher::Loop::look_at_folders(Clock::time_point now) {
  if (stopping_) return;
  for (WatchedFolder& folder : folders_) {
    folder.look_if_due(now);
    enter_refused(folder);
  }
}

void Watcher::Loop::take_orphaned(Clock::time_point now) {
  if (now < orphans_due_) return;
  orphans_due_ = now + kOrphansEvery;
  for (WatchedFolder& folder : folders_) {
    if (!folder.is_up()) continue;
    for (ClaimedJob& job : folder.take_orphaned(now)) {
      jobs_.emplace_back(folder, std::move(job), around_);
    }
  }
}

void Watcher::Loop::clean_up(Clock::time_point now) {
  if (now < clean_up_due_) return;
  clean_up_due_ = now + kCleanUpEvery;
  for (WatchedFolder& folder : folders_) {
    if (!folder.is_up()) continue;
    try {
      folder.disk().clean_up(std::chrono::system_clock::now());
    } catch (const Error& error) {
      spdlog::warn("{}", error.what());
    }
  }
}

void Watcher::Loop::advance_jobs(Clock::time_point now) {
  for (ActiveJob& job : jobs_) job.advance(now);
  drop_finished_jobs();
}

void Watcher::Loop::count_running() {
  for (WatchedFolder& folder : folders_) folder.running = 0;
  for (ActiveJob& job : jobs_) job.folder().running += job.is_working();
}

bool Watcher::Loop::has_room(const WatchedFolder& folder) const {
  const uint32_t throttle = folder.settings().throttle;
  return throttle == 0 || folder.running < throttle;
}

bool Watcher::Loop::is_active(const WatchedFolder& folder, const std::string& name) const {
  return std::ranges::any_of(
      jobs_, [&](const ActiveJob& job) { return &job.folder() == &folder && job.name() == name; });
}

void Watcher::Loop::dispatch(Clock::time_point now) {
  for (;;) {
    count_running();
    size_t working = 0;
    for (const WatchedFolder& folder : folders_) working += folder.running;
    if (working >= options_.jobs) return;
    if (start_rested(now)) continue;
    // No process was to be had for one that has begun: a new job would only wait with it.
    if (std::ranges::any_of(jobs_, &ActiveJob::lacks_process) || !claim_one(now)) return;
  }
}

/// Jobs that were begun before go before new ones.
bool Watcher::Loop::start_rested(Clock::time_point now) {
  const auto wall = std::chrono::system_clock::now();
  for (ActiveJob& job : jobs_) {
    if (!job.is_due(now) || !has_room(job.folder()) ||
        !job.folder().blocked_reason(now, wall).empty()) {
      continue;
    }
    job.start(now);
    job.advance(now);
    if (job.is_due(now)) continue;  // no process could be had
    drop_finished_jobs();
    return true;
  }
  return false;
}

/// The next job of a folder. One whose name is that of a job in work waits for its end: the two
/// would write the same plates, in any order.
const WaitingJob* Watcher::Loop::next_of(WatchedFolder& folder) {
  for (const WaitingJob& job : folder.waiting()) {
    if (!is_active(folder, job.name)) return &job;
  }
  return nullptr;
}

bool Watcher::Loop::claim_one(Clock::time_point now) {
  const auto wall = std::chrono::system_clock::now();
  for (size_t tries = 0; tries < kClaimsATurn; ++tries) {
    // The highest priority; of equals, the one whose turn is longest ago.
    WatchedFolder* best = nullptr;
    for (WatchedFolder& folder : folders_) {
      if (!has_room(folder) || next_of(folder) == nullptr) continue;
      if (!folder.blocked_reason(now, wall).empty()) continue;
      const bool better = best == nullptr ||
                          folder.settings().priority > best->settings().priority ||
                          (folder.settings().priority == best->settings().priority &&
                           folder.last_served < best->last_served);
      if (better) best = &folder;
    }
    if (best == nullptr) return false;
    const size_t next = static_cast<size_t>(next_of(*best) - &best->waiting().front());
    best->last_served = ++served_;
    if (auto claimed = best->claim(next, now)) {
      jobs_.emplace_back(*best, std::move(*claimed), around_).advance(now);
      drop_finished_jobs();
      return true;
    }
  }
  return false;
}

bool Watcher::Loop::nothing_left() {
  if (!ready_ || !jobs_.empty()) return false;
  const auto now = Clock::now();
  const auto wall = std::chrono::system_clock::now();
  return std::ranges::all_of(folders_, [&](WatchedFolder& folder) {
    if (!folder.is_up()) return true;
    const bool settled = !folder.hinted() && folder.view().arriving == 0;
    return settled && (folder.waiting().empty() || !folder.blocked_reason(now, wall).empty());
  });
}

void Watcher::Loop::begin_stop(Clock::time_point now) {
  if (stopping_) return;
  stopping_ = true;
  notify_service("STOPPING=1");
  spdlog::info("stopping: {}",
               jobs_.empty()
                   ? std::string("no job is in work")
                   : counted(jobs_.size(), "job") + " in work, to go on at the next start");
  for (ActiveJob& job : jobs_) job.put_off(now);
}

void Watcher::Loop::read_signals(Clock::time_point now) {
  {
    const std::lock_guard lock(mutex_);
    if (stop_asked_) begin_stop(now);
  }
  signalfd_siginfo info;
  while (options_.signals >= 0 && ::read(options_.signals, &info, sizeof info) == sizeof info) {
    if (info.ssi_signo == SIGHUP) {
      spdlog::info("reading the settings of all folders again");
      for (WatchedFolder& folder : folders_) folder.hint();
    } else if (stopping_) {
      second_signal_ = static_cast<int>(info.ssi_signo);
    } else {
      begin_stop(now);
    }
  }
}

void Watcher::Loop::tell_manager(Clock::time_point now) {
  if (!ready_ && std::ranges::all_of(folders_, [](const auto& one) { return one.looked(); })) {
    ready_ = true;
    notify_service("READY=1");
  }
  size_t waiting = 0, working = 0, down = 0;
  for (const WatchedFolder& folder : folders_) {
    waiting += folder.waiting().size();
    down += !folder.is_up();
  }
  for (const ActiveJob& job : jobs_) working += job.is_working();
  std::string status = fmt::format("STATUS={}{} in work, {} waiting, {} done, {} failed",
                                   stopping_ ? "stopping; " : "",
                                   working,
                                   waiting,
                                   jobs_done_,
                                   jobs_failed_);
  if (down > 0) status += fmt::format("; {} cannot be watched", counted(down, "folder"));
  if (status != status_) notify_service(status);
  status_ = std::move(status);
  if (watchdog_ && now >= watchdog_due_) {
    notify_service("WATCHDOG=1");
    watchdog_due_ = now + *watchdog_;
  }
}

/// Until there is something to do, after the turn of time `turn`.
void Watcher::Loop::sleep(Clock::time_point turn) {
  const auto now = Clock::now();
  auto next = now + kLongestSleep;
  const auto by = [&](std::optional<Clock::time_point> time) {
    if (time) next = std::min(next, *time);
  };
  std::vector<pollfd> polls;
  const auto add = [&](int fd) {
    if (fd >= 0) polls.push_back({.fd = fd, .events = POLLIN, .revents = 0});
  };
  add(wakeup_->fd());
  add(options_.signals);
  if (!stopping_) {
    add(events_.fd());
    by(orphans_due_);
    for (const WatchedFolder& folder : folders_) {
      by(folder.next_look());
      by(folder.next_open_time(now, std::chrono::system_clock::now()));
    }
  }
  if (control_) {
    control_->add_polls(polls);
    by(control_->next_time());
  }
  if (watchdog_) by(watchdog_due_);
  for (const ActiveJob& job : jobs_) {
    job.add_polls(polls);
    // One that was due, and did not get a worker, is begun when another ends, which wakes the loop.
    if (!job.is_due(turn)) by(job.next_time());
  }
  // Rounded up, so that what is due then is due.
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - now);
  ::poll(polls.data(), polls.size(), static_cast<int>(std::max<int64_t>(0, wait.count())));
  wakeup_->clear();
}

}  // namespace mezzo::watch
