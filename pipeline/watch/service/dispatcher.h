// The jobs that this watcher holds, and the choice of the next one to get a worker: first those that
// were begun before, then new ones, from the folder of the highest priority, and of several such
// from the one that was served longest ago. A folder whose workers have run for longer than those of
// others goes last among its equals, and when all workers are busy one of its jobs stands still for
// the job of another folder: pages of an hour do not hold up pages of a second. Jobs of a folder that
// is busy in its lane are left alone.
#pragma once

#include <poll.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/process/stopped_groups.h"
#include "pipeline/steady_time.h"
#include "pipeline/watch/job/active_job.h"
#include "pipeline/watch/job/gpu_backoff.h"
#include "pipeline/watch/job/job_context.h"
#include "pipeline/watch/service/fair_shares.h"
#include "pipeline/watch/service/folder_set.h"

namespace mezzo::watch {

class Dispatcher {
 public:
  /// `folders` and all that `context` points to must outlive it; its `gpus` are set here.
  Dispatcher(FolderSet& folders, JobContext context, uint32_t workers);
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  /// Adds a job that was claimed. In the lane of the folder.
  ActiveJob& add(FolderSlot& slot, ClaimedJob job, const Moment& now);

  /// Advances the jobs; those that are over leave, and are shown in the history.
  void advance(const Moment& now);

  /// Begins jobs while there are free workers.
  void dispatch(const Moment& now);

  void suspend_all(const Moment& now);  ///< also those that were suspended before
  void kill_all();
  void drop_all();  ///< their workers are killed

  /// Those of folders that answer.
  size_t job_count() const;

  /// Jobs that have a worker. Those of folders that do not answer do not count.
  size_t working();

  /// Null when no job has this ID, or its folder is busy.
  ActiveJob* find(const std::string& id);

  /// Cancels the job, in the lane of its folder. False when no job has this ID, or its folder is busy.
  bool cancel(const std::string& id, const Moment& now);

  uint32_t workers() const { return workers_; }
  void add_polls(std::vector<pollfd>& polls) const;

  /// When advance() has something to do, after a turn that began at `turn`.
  std::optional<SteadyTime> next_time(const Moment& turn) const;

 private:
  /// A job that may have a worker: one that has begun, or a new one of its folder.
  struct Candidate {
    FolderSlot* slot;
    HeldJob* held;  ///< null: a new one
  };

  void remove_ended(FolderSlot& slot);
  void account(const Moment& now);
  std::optional<Candidate> next_candidate(const Moment& now);
  bool make_way(const Candidate& next, const Moment& now);
  void begin(const Candidate& next, const Moment& now);
  void start(FolderSlot& slot, HeldJob& held, const Moment& now);
  bool lacks_process() const;
  void claim(FolderSlot& slot, size_t index, const Moment& now);
  void note_stopped();
  std::optional<size_t> next_job(const FolderSlot& slot) const;

  FolderSet& folders_;
  GpuBackoff gpus_;
  JobContext context_;
  const uint32_t workers_;           ///< at once
  std::atomic<uint64_t> claims_{0};  ///< so far
  FairShares shares_;
  process::StoppedGroups stopped_;
  std::vector<uint64_t> unable_;  ///< jobs for which no process was to be had in this turn
  bool awaits_place_ = false;     ///< one of another folder may make way before its end
};

}  // namespace mezzo::watch
