#include "pipeline/watch/service/view_of.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

#include "pipeline/text.h"
#include "pipeline/watch/job/job_history.h"
#include "pipeline/watch/job/pace.h"
#include "pipeline/watch/service/dispatcher.h"
#include "pipeline/watch/service/folder_set.h"

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
void add_folder(WatchView& view, Work& work, SlotView share) {
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

WatchView view_of(const FolderSet& folders,
                  const Dispatcher& jobs,
                  const JobHistory& history,
                  const Pace& pace,
                  const Moment& now) {
  WatchView view;
  view.jobs_done = history.done();
  view.jobs_failed = history.failed_shown();
  view.finished = history.ended();
  Work work;
  std::vector<JobView> begun;
  for (const FolderSlot& slot : folders.slots()) {
    SlotView share = share_of(slot, now);
    std::ranges::move(share.jobs, std::back_inserter(begun));
    add_folder(view, work, std::move(share));
  }
  add_jobs(view, work, std::move(begun));
  std::ranges::stable_sort(
      view.disks, {}, [](const DiskView& disk) { return disk.missing_bytes == 0; });
  view.sheets_an_hour = pace.sheets_an_hour(now);
  view.seconds_left = seconds_for(work, pace, jobs.workers());
  return view;
}

}  // namespace mezzo::watch
