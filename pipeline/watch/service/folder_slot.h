// A hot folder of a watcher with all that belongs to it: its jobs, its share of the workers, and the
// lane in which its disks are used.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "pipeline/watch/folder/folder_events.h"
#include "pipeline/watch/folder/watched_folder.h"
#include "pipeline/watch/job/active_job.h"
#include "pipeline/watch/job/job_store.h"
#include "pipeline/watch/machine/machine.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

/// Jobs of a folder that are held without a worker.
inline constexpr size_t kMostResting = 64;

inline constexpr size_t kMostShown = 200;  ///< of each list of the view

/// A folder's share of the view. Lists are as long as the view shows them at most.
struct SlotView {
  FolderView folder{};
  std::vector<JobView> waiting{};
  std::vector<JobView> jobs{};  ///< that have begun
  std::vector<StuckView> stuck{};
  std::vector<StuckView> not_taken{};
  std::vector<DiskView> disks{};
  uint64_t bytes = 0;       ///< of the waiting jobs that may begin
  uint32_t ready = 0;       ///< how many these are
  bool has_looked = false;  ///< the folder was looked at
  SteadyTime taken{};       ///< when it was taken
};

/// A job that has ended. Its files are still watched, as they may change.
struct EndedJob {
  StoredJob job;
  SteadyTime until;  ///< its files are watched until then
};

struct FolderSlot {
  /// All references must outlive it; `wake` wakes the main loop.
  FolderSlot(const std::string& path,
             size_t number,
             FolderEvents& events,
             Machine& machine,
             const std::function<void()>& wake)
      : folder(path, number, events, machine),
        cleaning(machine.make_lane(wake, std::chrono::milliseconds(0))),
        lane(machine.make_lane(wake, ThreadLane::kPatience)) {
    shown.folder.path = path;
  }
  ~FolderSlot() { ends.request_stop(); }
  FolderSlot(const FolderSlot&) = delete;
  FolderSlot& operator=(const FolderSlot&) = delete;

  /// Whether the settings allow it another worker. Not while it is busy.
  bool has_room() const {
    const uint32_t throttle = folder.settings().throttle;
    return throttle == 0 || running < throttle;
  }

  /// Whether it may claim another job. Those that rest, or whose files cannot be moved at their ends,
  /// take descriptors, too. Not while it is busy.
  bool may_claim() const { return jobs.size() < running + kMostResting; }

  /// Whether a step is under way in the lane, which has all of the first block below until then. One
  /// that was silent stays busy until Watcher::begin_turn() has seen that it answers.
  bool is_busy() const { return is_silent || lane->is_busy(); }

  WatchedFolder folder;
  std::list<ActiveJob> jobs;     ///< that this watcher holds
  std::deque<EndedJob> ended{};  ///< the one to be looked at next first
  SteadyTime ended_due{};        ///< when it is
  bool has_begun = false;        ///< the last step began what it was to begin
  bool knows_settings = false;   ///< the history knows that the folder has had a folder.yaml

  /// Not while it is busy. In watcher_view.cpp.
  SlotView view(const Moment& now) const;

  // In watcher_ended.cpp.
  std::string drop_again(JobHistory& history, StoredJob& job, const std::string& note);
  void remember(StoredJob job, SteadyTime now);

  // Always the main loop's.
  size_t running = 0;                  ///< jobs that have a worker, when it was last known
  uint64_t last_served = 0;            ///< number of the claim that was its last
  int64_t priority = 0;                ///< of its settings, when they were last known
  double worked = 0;                   ///< seconds that its workers ran
  double worked_least = 0;             ///< by any folder that it is compared with
  std::vector<pid_t> stopped{};        ///< its workers that stand still, when they were last known
  bool is_hinted = false;              ///< something has changed, and the folder does not know yet
  bool is_silent = false;              ///< it has been busy for longer than Watcher::kSilent
  bool wants_search = false;           ///< .work is to be searched for orphaned jobs
  std::vector<ArrivedFile> arrived{};  ///< as the history has them
  std::vector<StoredJob> entered{};    ///< to be remembered
  SlotView shown{};                    ///< before its last step
  std::stop_source ends{};             ///< stops long steps when this is destroyed
  std::unique_ptr<Lane> cleaning;      ///< deletes old files, which may take long
  std::unique_ptr<Lane> lane;          // last, as it uses the others
};

}  // namespace mezzo::watch
