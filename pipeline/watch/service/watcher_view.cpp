// The view of a watcher's folders and jobs.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include "pipeline/text.h"
#include "pipeline/watch/folder/entry_names.h"
#include "pipeline/watch/service/watcher.h"

namespace mezzo::watch {
namespace {

/// Each disk once, with the largest shortage on it.
void add_disk(std::vector<DiskView>& disks, const DiskView& disk) {
  const auto known = std::ranges::find(disks, disk.path, &DiskView::path);
  if (known == disks.end()) {
    disks.push_back(disk);
  } else if (disk.missing_bytes > known->missing_bytes) {
    *known = disk;
  }
}

/// Jobs that are still to be made.
struct Work {
  uint64_t bytes = 0;  ///< of those without a pace of their own
  uint32_t jobs = 0;
  double seconds = 0;  ///< of the others, until they end
  double longest = 0;  ///< of these

  void add(const JobView& job) {
    ++jobs;
    if (const auto left = seconds_left_of(job)) {
      seconds += *left;
      longest = std::max(longest, *left);
    } else {
      bytes += job.bytes;
    }
  }
};

/// Until all of it is done, by `workers`; 0: not known.
double seconds_for(const Work& work, const Pace& pace, uint32_t workers) {
  if (work.jobs == 0) return 0;
  const double by_bytes = pace.seconds_for(work.bytes, 1);
  if (work.bytes > 0 && by_bytes == 0) return 0;
  return std::max(work.longest, (by_bytes + work.seconds) / std::min(work.jobs, workers));
}

/// As many as the list still has room for.
template <typename List>
void add_some(List& list, List& more) {
  const size_t room = kMostShown - std::min(kMostShown, list.size());
  const auto end = more.begin() + static_cast<std::ptrdiff_t>(std::min(room, more.size()));
  std::move(more.begin(), end, std::back_inserter(list));
}

/// The folder's share, as it was before the step that is under way in its lane.
SlotView share_of(const FolderSlot& slot, const Moment& now) {
  const auto since = slot.lane->busy_since();
  if (!since) return slot.view(now);
  SlotView share = slot.shown;
  if (!slot.is_silent) return share;
  share.folder.up = false;
  share.folder.silent = true;
  share.folder.trouble = fmt::format(
      "its disk, or that of its plates, has not answered for {}; see whether its server is up: it "
      "goes on by itself when that answers",
      duration_text(std::floor(std::chrono::duration<double>(now.steady - *since).count())));
  share.ready = 0;
  share.bytes = 0;
  return share;
}

/// Adds the folder, and to `work` its jobs that wait and may begin.
void add_share(WatchView& view, Work& work, SlotView share) {
  work.bytes += share.bytes;
  work.jobs += share.ready;
  view.folders.push_back(std::move(share.folder));
  add_some(view.waiting, share.waiting);
  add_some(view.stuck, share.stuck);
  add_some(view.not_taken, share.not_taken);
  for (const DiskView& disk : share.disks) add_disk(view.disks, disk);
}

/// Adds the jobs that have begun; one whose worker waits for space waits, ahead of the others.
void add_jobs(WatchView& view, Work& work, std::vector<JobView> jobs) {
  for (JobView& job : jobs) {
    if (job.state == JobState::kWaiting) {
      const auto folder = std::ranges::find(view.folders, job.folder, &FolderView::path);
      if (folder != view.folders.end()) {
        ++folder->waiting;
        if (folder->oldest == WallTime{} || job.since < folder->oldest) folder->oldest = job.since;
        folder->running -= std::min<size_t>(1, folder->running);
      }
      view.waiting.insert(view.waiting.begin(), std::move(job));
      continue;
    }
    work.add(job);
    view.running.push_back(std::move(job));
  }
}

}  // namespace

SlotView FolderSlot::view(const Moment& now) const {
  const std::string why = folder.blocked_reason(now);
  const HotFolder& disk = folder.disk();
  SlotView view{.folder = {.path = folder.path(),
                           .paused = folder.is_paused(),
                           .up = folder.is_up(),
                           .trouble = folder.trouble(),
                           .arriving = disk.arriving(),
                           .waiting = folder.waiting().size(),
                           .running = running,
                           .stuck = disk.waiting_sets().size(),
                           .not_taken = disk.not_taken().count()},
                .disks = folder.disks(),
                .has_looked = folder.looked(),
                .taken = now};
  for (const WaitingJob& job : folder.waiting()) {
    if (why.empty()) {
      view.bytes += job.bytes;
      ++view.ready;
    }
    const WallTime since = now.wall_of(job.seen);
    WallTime& oldest = view.folder.oldest;
    if (oldest == WallTime{} || since < oldest) oldest = since;
    if (view.waiting.size() >= kMostShown) continue;
    view.waiting.push_back({.folder = folder.path(),
                            .name = one_line(job.name),
                            .message = why,
                            .since = since,
                            .bytes = job.bytes});
  }
  for (const ActiveJob& job : jobs) {
    view.jobs.push_back(job.view(now));
    if (job.wanted_disk()) view.disks.push_back(*job.wanted_disk());
  }
  for (const WaitingSet& set : disk.waiting_sets()) {
    if (view.stuck.size() == kMostShown) break;
    view.stuck.push_back({.folder = folder.path(),
                          .name = one_line(printable_name(set.name)),
                          .message = one_line("waits for " + set.wanted),
                          .since = now.wall_of(set.since),
                          .until = now.wall_of(set.due)});
    for (const std::string& missing : set.missing) {
      if (view.stuck.back().missing.size() == kMostShown) break;
      view.stuck.back().missing.push_back(one_line(missing));
    }
  }
  for (const auto& [name, file] : disk.not_taken().files()) {
    if (view.not_taken.size() == kMostShown) break;
    view.not_taken.push_back({.folder = folder.path(),
                              .name = one_line(printable_name(name)),
                              .message = file.reason,
                              .since = now.wall_of(file.since)});
  }
  return view;
}

WatchView Watcher::view(const Moment& now) const {
  WatchView view{.started = begun_.wall,
                 .ready = is_ready_,
                 .stopping = is_stopping_,
                 .finished = history_.ended(),
                 .jobs_done = history_.counts().done,
                 .jobs_failed = history_.counts().failed_shown};
  Work work;
  std::vector<JobView> begun;
  for (const FolderSlot& slot : slots_) {
    SlotView share = share_of(slot, now);
    std::ranges::move(share.jobs, std::back_inserter(begun));
    add_share(view, work, std::move(share));
  }
  add_jobs(view, work, std::move(begun));
  std::ranges::stable_sort(
      view.disks, {}, [](const DiskView& disk) { return disk.missing_bytes == 0; });
  view.sheets_an_hour = pace_.sheets_an_hour(now);
  view.seconds_left = seconds_for(work, pace_, options_.jobs);
  return view;
}

std::string Watcher::status_text() {
  size_t waiting = 0, down = 0;
  for (const FolderSlot& slot : slots_) {
    waiting += slot.is_busy() ? slot.shown.folder.waiting : slot.folder.waiting().size();
    down += slot.is_busy() ? slot.is_silent || !slot.shown.folder.up : !slot.folder.is_up();
  }
  std::string status = fmt::format("{}{} running, {} waiting, {} done, {} failed",
                                   is_stopping_ ? "stopping; " : "",
                                   working(),
                                   waiting,
                                   history_.counts().done,
                                   history_.counts().failed);
  if (down > 0) status += fmt::format("; {} cannot be watched", counted(down, "folder"));
  return status;
}

}  // namespace mezzo::watch
