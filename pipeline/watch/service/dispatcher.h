// The jobs that this watcher holds, and the choice of the next one to begin: first those that were
// begun before, then new ones, from the folder of the highest priority, and of several such from
// the one that was served longest ago.
#pragma once

#include <poll.h>

#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/steady_time.h"
#include "pipeline/watch/job/active_job.h"
#include "pipeline/watch/job/gpu_backoff.h"
#include "pipeline/watch/job/job_context.h"
#include "pipeline/watch/service/folder_set.h"

namespace mezzo::watch {

class Dispatcher {
 public:
  /// `folders` and all that `context` points to must outlive it; its `gpus` are set here.
  Dispatcher(FolderSet& folders, JobContext context, uint32_t workers);
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  /// Adds a job that was claimed.
  ActiveJob& add(FolderSlot& slot, ClaimedJob job);

  /// Advances the jobs; those that are over leave, and are shown in the history.
  void advance(SteadyTime now);

  /// Begins jobs while there are free workers.
  void dispatch(SteadyTime now);

  void suspend_all(SteadyTime now);
  void kill_all();
  void drop_all() { jobs_.clear(); }  ///< their workers are killed

  size_t job_count() const { return jobs_.size(); }
  size_t working() const;

  /// Null when no job has this ID.
  ActiveJob* find(const std::string& id);

  std::vector<JobView> views(SteadyTime now) const;

  /// On which workers wait for space.
  std::vector<DiskView> wanted_disks() const;

  uint32_t workers() const { return workers_; }
  void add_polls(std::vector<pollfd>& polls) const;

  /// When advance() has something to do, after a turn that began at `turn`.
  std::optional<SteadyTime> next_time(SteadyTime turn) const;

 private:
  struct Held {
    Held(FolderSlot& its_slot, ClaimedJob claim, const JobContext& context)
        : slot(its_slot), job(its_slot.folder.disk(), std::move(claim), context) {}
    FolderSlot& slot;
    ActiveJob job;
  };

  void remove_ended();
  void count_running();
  bool start_resting(SteadyTime now);
  bool claim_one(SteadyTime now);
  FolderSlot* next_folder(SteadyTime now);
  std::optional<size_t> next_job(const FolderSlot& slot) const;
  bool is_held(const FolderSlot& slot, const std::string& name) const;

  FolderSet& folders_;
  GpuBackoff gpus_;
  JobContext context_;
  const uint32_t workers_;  ///< at once
  std::list<Held> jobs_;
  uint64_t claims_ = 0;  ///< so far
};

}  // namespace mezzo::watch
