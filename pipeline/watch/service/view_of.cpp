#include "pipeline/watch/service/view_of.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "pipeline/text.h"
#include "pipeline/watch/job/job_history.h"
#include "pipeline/watch/job/pace.h"
#include "pipeline/watch/service/dispatcher.h"
#include "pipeline/watch/service/folder_set.h"

namespace mezzo::watch {
namespace {

constexpr size_t kMostShown = 200;

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
  uint64_t bytes = 0;
  uint32_t jobs = 0;

  void add(uint64_t more) {
    bytes += more;
    ++jobs;
  }
};

void add_stuck(std::vector<StuckView>& views, std::vector<StuckView> more) {
  std::ranges::move(more, std::back_inserter(views));
}

/// Adds the folder, and to `work` its jobs that wait and may begin.
void add_folder(WatchView& view, Work& work, FolderSlot& slot, SteadyTime now, WallTime wall) {
  WatchedFolder& folder = slot.folder;
  const std::string why = folder.blocked_reason(now, wall);
  view.folders.push_back(folder.view());
  view.folders.back().running = slot.running;
  for (const WaitingJob& job : folder.waiting()) {
    if (why.empty()) work.add(job.bytes);
    const WallTime since = wall_time_of(job.seen, now, wall);
    WallTime& oldest = view.folders.back().oldest;
    if (oldest == WallTime{} || since < oldest) oldest = since;
    if (view.waiting.size() >= kMostShown) continue;
    view.waiting.push_back({.folder = folder.path(),
                            .name = one_line(job.name),
                            .message = why,
                            .since = since,
                            .bytes = job.bytes});
  }
  add_stuck(view.stuck,
            folder.stuck(now, wall, kMostShown - std::min(kMostShown, view.stuck.size())));
  add_stuck(view.not_taken,
            folder.not_taken(now, wall, kMostShown - std::min(kMostShown, view.not_taken.size())));
  for (const DiskView& disk : folder.disks(now)) add_disk(view.disks, disk);
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
    const double left =
        job.pixels > 0 ? 1 - static_cast<double>(job.pixels_done) / static_cast<double>(job.pixels)
                       : 1;
    work.add(static_cast<uint64_t>(static_cast<double>(job.bytes) * std::max(0.0, left)));
    view.running.push_back(std::move(job));
  }
}

}  // namespace

WatchView view_of(FolderSet& folders,
                  const Dispatcher& jobs,
                  const JobHistory& history,
                  const Pace& pace,
                  SteadyTime now) {
  WatchView view;
  view.jobs_done = history.done();
  view.jobs_failed = history.failed_shown();
  view.finished = history.ended();
  const auto wall = std::chrono::system_clock::now();
  Work work;
  for (FolderSlot& slot : folders.slots()) add_folder(view, work, slot, now, wall);
  add_jobs(view, work, jobs.views(now));
  for (const DiskView& disk : jobs.wanted_disks()) add_disk(view.disks, disk);
  std::ranges::stable_sort(
      view.disks, {}, [](const DiskView& disk) { return disk.missing_bytes == 0; });
  view.sheets_an_hour = pace.sheets_an_hour(now);
  if (work.jobs > 0) {
    view.seconds_left = pace.seconds_for(work.bytes, std::min(work.jobs, jobs.workers()));
  }
  return view;
}

}  // namespace mezzo::watch
