#include "pipeline/watch/service/watcher.h"

#include <algorithm>
#include <utility>

#include "pipeline/log/log.h"
#include "pipeline/text.h"

namespace mezzo::watch {

Watcher::Watcher(WatcherOptions options, std::function<void()> wake)
    : options_(std::move(options)),
      wake_(std::move(wake)),
      context_{.worker_command = options_.worker_command,
               .journals = options_.state + "/journals",
               .grace = options_.grace,
               .pauses = options_.pauses,
               .finish_pause = options_.finish_pause,
               .history = &history_,
               .listener = &pace_,
               .gpus = &gpus_,
               .wake = wake_,
               .machine = options_.machine} {
  for (const std::string& path : options_.folders) add_folder(path);
  for (StoredJob& job : history_.recent(begun_.wall)) {
    FolderSlot* const slot = slot_of(job.view.folder);
    if (slot != nullptr) slot->remember(std::move(job), begun_);
  }
}

void Watcher::turn(const Moment& now) {
  begin_turn(now);
  if (is_stopping_) {
    suspend_all(now);  // those of folders that were busy until now
  } else {
    look(now);
    search_work(now);
    clean_up(now);
  }
  advance(now);
  if (!is_stopping_) {
    look_for_late_changes(now);
    dispatch(now);
  }
  is_ready_ =
      is_ready_ || std::ranges::all_of(slots_, [](const FolderSlot& slot) {
        return slot.is_busy() ? slot.is_silent || slot.shown.has_looked : slot.folder.looked();
      });
}

void Watcher::add_polls(const Moment& now, std::vector<pollfd>& polls) const {
  if (!is_stopping_ && events_.fd() >= 0 && now.steady >= events_.rests_until()) {
    polls.push_back({.fd = events_.fd(), .events = POLLIN, .revents = 0});
  }
  for (const FolderSlot& slot : slots_) {
    if (slot.is_busy()) continue;
    for (const ActiveJob& held : slot.jobs) held.add_polls(polls);
  }
}

void Watcher::stop(const Moment& now) {
  if (std::exchange(is_stopping_, true)) return;
  const size_t jobs = job_count();
  log::info("stopping: {}",
            jobs == 0 ? std::string("no job is running")
                      : counted(jobs, "job") + " running, to go on at the next start");
  suspend_all(now);
}

bool Watcher::is_over(const Moment& now) const {
  return (is_stopping_ && job_count() == 0) || (options_.once && is_idle(now));
}

bool Watcher::is_idle(const Moment& now) const {
  if (!is_ready_ || job_count() > 0) return false;
  return std::ranges::all_of(slots_, [&](const FolderSlot& slot) {
    const WatchedFolder& folder = slot.folder;
    if (slot.cleaning->is_busy()) return false;
    if (slot.is_busy()) return slot.is_silent;  // its trouble is in the status
    if (!folder.is_up()) return true;
    // There may be more jobs whose watchers are gone.
    if (slot.wants_search || folder.is_searching()) return false;
    if (folder.wants_look() || folder.disk().arriving() > 0) return false;
    return folder.waiting().empty() || !folder.blocked_reason(now).empty();
  });
}

WatchEnd Watcher::end(const Moment& now, bool kills) {
  // Before all steps below, which may wait or throw.
  for (FolderSlot& slot : slots_) {
    if (!kills || slot.is_busy()) continue;
    for (ActiveJob& held : slot.jobs) held.kill();
  }
  keep_arrived(now);
  WatchEnd end{.failed = history_.counts().failed};
  for (FolderSlot& slot : slots_) {
    if (slot.is_busy()) {
      ++end.troubled;
    } else {
      end.troubled += !slot.folder.is_up() || slot.folder.is_refusing();
      end.short_of_space += slot.folder.waits_for_space();
      if (!slot.jobs.empty()) {
        slot.lane->run([&slot] { slot.jobs.clear(); });  // which waits for the ends of workers
      }
    }
  }
  end.is_held_up = std::ranges::any_of(slots_, [](const FolderSlot& slot) {
    return slot.cleaning->is_busy() || slot.lane->is_busy();
  });
  return end;
}

}  // namespace mezzo::watch
