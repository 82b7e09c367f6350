#include "pipeline/watch/service/watcher.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "pipeline/watch/service/operator_requests.h"
#include "pipeline/watch/service/view_of.h"

namespace mezzo::watch {
namespace {

using namespace std::chrono_literals;

constexpr auto kLongestSleep = 30s;  // watch_view.h promises a turn that often

}  // namespace

Watcher::Watcher(WatcherOptions options)
    : options_(std::move(options)), history_(options_.state, &pace_) {
  if (!options_.socket.empty()) control_.emplace(options_.socket);
  jobs_.emplace(folders_,
                JobContext{.worker_command = options_.worker_command,
                           .journals = options_.state + "/journals",
                           .grace = options_.grace,
                           .pauses = options_.pauses,
                           .finish_pause = options_.finish_pause,
                           .history = &history_,
                           .listener = &pace_,
                           .wake = [wakeup = wakeup_] { wakeup->wake(); }},
                options_.jobs);
  for (const std::string& path : options_.folders) folders_.add(path, options_.needs_settings);
  folders_.recall_ended(SteadyClock::now());
}

WatchEnd Watcher::run() {
  calls_.open();
  for (;;) {
    const auto now = SteadyClock::now();
    turn(now);
    if (second_signal_ != 0 || (stopping_ && jobs_->job_count() == 0)) break;
    if (options_.once && is_idle(SteadyClock::now())) break;
    sleep(now);
  }
  return end();
}

/// Does all that is due.
void Watcher::turn(SteadyTime now) {
  turned_ = now;
  read_signals(now);
  folders_.begin_turn(now);
  if (stopping_) {
    jobs_->suspend_all(now);  // those of folders that were busy until now
  } else {
    folders_.look(now);
    const bool has_room = jobs_->working() < options_.jobs;
    folders_.maintain(now, has_room, [this](FolderSlot& slot, ClaimedJob job) {
      jobs_->add(slot, std::move(job));
    });
  }
  jobs_->advance(now);
  if (!stopping_) {
    folders_.look_for_late_changes(now);
    jobs_->dispatch(now);
  }
  answer_calls(now);
  report_status(now);
}

WatchEnd Watcher::end() {
  if (second_signal_ != 0) jobs_->kill_all();
  service_.set_stopping();
  folders_.keep_arrived(SteadyClock::now());
  WatchEnd end{.failed = history_.failed(),
               .troubled = 0,
               .short_of_space = 0,
               .second_signal = second_signal_};
  for (const FolderSlot& slot : folders_.slots()) {
    end.troubled += slot.is_busy() || !slot.folder.is_up() || slot.folder.is_refusing();
    end.short_of_space += !slot.is_busy() && slot.folder.waits_for_space();
  }
  jobs_->drop_all();
  end.is_held_up = folders_.is_held_up();
  control_.reset();
  calls_.close(view_now(SteadyClock::now()));
  return end;
}

/// Whether there are no jobs, and no files that may become one.
bool Watcher::is_idle(SteadyTime now) {
  if (!service_.is_ready() || jobs_->job_count() > 0) return false;
  if (folders_.is_searching() || folders_.is_cleaning_up()) return false;
  const auto wall = std::chrono::system_clock::now();
  return std::ranges::all_of(folders_.slots(), [&](const FolderSlot& slot) {
    const WatchedFolder& folder = slot.folder;
    if (slot.is_busy()) return slot.is_silent;  // its trouble is in the status
    if (!folder.is_up()) return true;
    if (folder.wants_look() || folder.view().arriving > 0) return false;
    return folder.waiting().empty() || !folder.blocked_reason(now, wall).empty();
  });
}

void Watcher::begin_stop(SteadyTime now) {
  if (stopping_) return;
  stopping_ = true;
  service_.set_stopping();
  const size_t jobs = jobs_->job_count();
  log::info("stopping: {}",
            jobs == 0 ? std::string("no job is running")
                      : counted(jobs, "job") + " running, to go on at the next start");
  jobs_->suspend_all(now);
}

void Watcher::read_signals(SteadyTime now) {
  if (calls_.stop_requested()) begin_stop(now);
  signalfd_siginfo info;
  while (options_.signals >= 0 && ::read(options_.signals, &info, sizeof info) == sizeof info) {
    if (info.ssi_signo == SIGHUP) {
      log::info("reading the settings of all folders again");
      folders_.hint_all();
    } else if (stopping_) {
      second_signal_ = static_cast<int>(info.ssi_signo);
    } else {
      begin_stop(now);
    }
  }
}

void Watcher::answer_calls(SteadyTime now) {
  const auto answer_one = [this](const std::string& json) { return answer(json); };
  if (control_) control_->serve(now, answer_one);
  calls_.serve(answer_one, [&] { return view_now(now); });
}

/// No request ends the watcher.
std::string Watcher::answer(const std::string& json) {
  // Another turn after a change: a worker may be free for it.
  const auto done = [this](std::string refusal) {
    wakeup_->wake();
    return refusal;
  };
  const WatchVerbs verbs = {
      .list = [&] { return view_now(SteadyClock::now()); },
      .pause = [&](const std::string& folder,
                   bool paused) { return done(pause_folder(folders_, history_, folder, paused)); },
      .retry =
          [&](const std::string& id) { return done(retry_job(folders_, *jobs_, history_, id)); },
      .again = [&](const std::string& id) { return done(again_job(folders_, history_, id)); },
      .dismiss = [&](const std::string& id) { return done(dismiss_job(history_, id)); },
      .cancel = [&](const std::string& id) { return done(cancel_job(folders_, *jobs_, id)); },
      .page = [&] { return page_; }};
  try {
    return answer_request(json, verbs);
  } catch (const std::exception& error) {
    return refusal(one_line(error.what()));
  }
}

WatchView Watcher::view_now(SteadyTime now) {
  WatchView view = view_of(folders_, *jobs_, history_, pace_, now);
  view.started = started_;
  view.ready = service_.is_ready();
  view.stopping = stopping_;
  view.turned = now;
  return view;
}

void Watcher::report_status(SteadyTime now) {
  if (folders_.looked()) service_.set_ready();
  size_t waiting = 0, down = 0;
  for (const FolderSlot& slot : folders_.slots()) {
    waiting += slot.is_busy() ? slot.shown.folder.waiting : slot.folder.waiting().size();
    down += slot.is_busy() ? slot.is_silent || !slot.shown.folder.up : !slot.folder.is_up();
  }
  std::string status = fmt::format("{}{} running, {} waiting, {} done, {} failed",
                                   stopping_ ? "stopping; " : "",
                                   jobs_->working(),
                                   waiting,
                                   history_.done(),
                                   history_.failed());
  if (down > 0) status += fmt::format("; {} cannot be watched", counted(down, "folder"));
  service_.set_text(std::move(status));
  service_.keep_alive(now);
}

/// Until there is something to do, after the turn that began at `turn`.
void Watcher::sleep(SteadyTime turn) {
  const auto now = SteadyClock::now();
  auto next = now + kLongestSleep;
  const auto by = [&](std::optional<SteadyTime> time) {
    if (time) next = std::min(next, *time);
  };
  std::vector<pollfd> polls;
  polls.push_back({.fd = wakeup_->fd(), .events = POLLIN, .revents = 0});
  polls.push_back({.fd = options_.signals, .events = POLLIN, .revents = 0});  // -1 is passed over
  if (!stopping_) {
    folders_.add_polls(now, polls);
  }
  by(folders_.next_time(now, stopping_));
  if (control_) {
    control_->add_polls(polls);
    by(control_->next_time());
  }
  by(service_.next_time());
  jobs_->add_polls(polls);
  by(jobs_->next_time(turn));
  // Rounded up, so that all work of that time is due.
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - now);
  ::poll(polls.data(), polls.size(), static_cast<int>(std::max<int64_t>(0, wait.count())));
  wakeup_->clear();
}

}  // namespace mezzo::watch
