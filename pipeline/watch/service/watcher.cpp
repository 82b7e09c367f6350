#include "pipeline/watch/service/watcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "pipeline/watch/service/operator_requests.h"
#include "pipeline/watch/service/view_of.h"
#include "pipeline/watch/view/watch_requests.h"

namespace mezzo::watch {

Watcher::Watcher(WatcherOptions options, std::function<void()> wake)
    : options_(std::move(options)),
      wake_(std::move(wake)),
      jobs_(folders_,
            JobContext{.worker_command = options_.worker_command,
                       .journals = options_.state + "/journals",
                       .grace = options_.grace,
                       .pauses = options_.pauses,
                       .finish_pause = options_.finish_pause,
                       .history = &history_,
                       .listener = &pace_,
                       .wake = wake_,
                       .machine = options_.machine},
            options_.jobs) {
  for (const std::string& path : options_.folders) folders_.add(path, options_.needs_settings);
  folders_.recall_ended(options_.machine->clock().now());
}

void Watcher::turn(const Moment& now) {
  turned_ = now;
  folders_.begin_turn(now);
  if (is_stopping_) {
    jobs_.suspend_all(now);  // those of folders that were busy until now
  } else {
    folders_.look(now);
    const bool has_room = jobs_.working() < options_.jobs;
    folders_.maintain(now, has_room, [this, now](FolderSlot& slot, ClaimedJob job) {
      jobs_.add(slot, std::move(job), now);
    });
  }
  jobs_.advance(now);
  if (!is_stopping_) {
    folders_.look_for_late_changes(now);
    jobs_.dispatch(now);
  }
  is_ready_ = is_ready_ || folders_.looked();
}

std::optional<SteadyTime> Watcher::next_time(const Moment& now) const {
  const std::optional<SteadyTime> folders = folders_.next_time(now, is_stopping_);
  const std::optional<SteadyTime> jobs = jobs_.next_time(now);
  return folders && jobs ? std::min(*folders, *jobs) : (folders ? folders : jobs);
}

void Watcher::add_polls(const Moment& now, std::vector<pollfd>& polls) const {
  if (!is_stopping_) folders_.add_polls(now, polls);
  jobs_.add_polls(polls);
}

void Watcher::stop(const Moment& now) {
  if (std::exchange(is_stopping_, true)) return;
  const size_t jobs = jobs_.job_count();
  log::info("stopping: {}",
            jobs == 0 ? std::string("no job is running")
                      : counted(jobs, "job") + " running, to go on at the next start");
  jobs_.suspend_all(now);
}

bool Watcher::is_over(const Moment& now) const {
  return (is_stopping_ && jobs_.job_count() == 0) || (options_.once && is_idle(now));
}

bool Watcher::is_idle(const Moment& now) const {
  if (!is_ready_ || jobs_.job_count() > 0) return false;
  if (folders_.is_searching() || folders_.is_cleaning_up()) return false;
  return std::ranges::all_of(folders_.slots(), [&](const FolderSlot& slot) {
    const WatchedFolder& folder = slot.folder;
    if (slot.is_busy()) return slot.is_silent;  // its trouble is in the status
    if (!folder.is_up()) return true;
    if (folder.wants_look() || folder.view().arriving > 0) return false;
    return folder.waiting().empty() || !folder.blocked_reason(now).empty();
  });
}

WatchEnd Watcher::end(const Moment& now, bool kills) {
  if (kills) jobs_.kill_all();
  folders_.keep_arrived(now);
  WatchEnd end{.failed = history_.failed()};
  for (const FolderSlot& slot : folders_.slots()) {
    end.troubled += slot.is_busy() || !slot.folder.is_up() || slot.folder.is_refusing();
    end.short_of_space += !slot.is_busy() && slot.folder.waits_for_space();
  }
  jobs_.drop_all();
  end.is_held_up = folders_.is_held_up();
  return end;
}

std::string Watcher::answer(const std::string& json, const Moment& now) {
  // Another turn after a change: a worker may be free for it.
  const auto done = [this](std::string refusal) {
    wake_();
    return refusal;
  };
  const auto on_job = [&](auto carry_out) {
    return [&, carry_out](const std::string& id) { return done(carry_out(id)); };
  };
  const WatchVerbs verbs = {
      .list = [&] { return view(now); },
      .pause = [&](const std::string& folder,
                   bool paused) { return done(pause_folder(folders_, history_, folder, paused)); },
      .retry =
          on_job([&](const std::string& id) { return retry_job(folders_, jobs_, history_, id); }),
      .again = on_job([&](const std::string& id) { return again_job(folders_, history_, id); }),
      .dismiss = on_job([&](const std::string& id) { return dismiss_job(history_, id); }),
      .cancel = on_job([&](const std::string& id) { return cancel_job(folders_, jobs_, id, now); }),
      .page = [&] { return page_; }};
  try {
    return answer_request(json, verbs, now.wall);
  } catch (const std::exception& error) {
    return refusal(one_line(error.what()));
  }
}

WatchView Watcher::view(const Moment& now) const {
  WatchView view = view_of(folders_, jobs_, history_, pace_, now);
  view.started = started_;
  view.ready = is_ready_;
  view.stopping = is_stopping_;
  view.turned = turned_;
  return view;
}

std::string Watcher::status_text() {
  size_t waiting = 0, down = 0;
  for (const FolderSlot& slot : folders_.slots()) {
    waiting += slot.is_busy() ? slot.shown.folder.waiting : slot.folder.waiting().size();
    down += slot.is_busy() ? slot.is_silent || !slot.shown.folder.up : !slot.folder.is_up();
  }
  std::string status = fmt::format("{}{} running, {} waiting, {} done, {} failed",
                                   is_stopping_ ? "stopping; " : "",
                                   jobs_.working(),
                                   waiting,
                                   history_.done(),
                                   history_.failed());
  if (down > 0) status += fmt::format("; {} cannot be watched", counted(down, "folder"));
  return status;
}

}  // namespace mezzo::watch
