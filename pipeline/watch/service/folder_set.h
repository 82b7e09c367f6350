// The hot folders of a watcher: when to look at each, and the jobs to take from them.
#pragma once

#include <poll.h>

#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <vector>

#include "pipeline/steady_time.h"
#include "pipeline/watch/folder/folder_events.h"
#include "pipeline/watch/folder/watched_folder.h"
#include "pipeline/watch/service/clean_up.h"

namespace mezzo::watch {

class JobHistory;

/// A hot folder, and its share of the workers.
struct FolderSlot {
  FolderSlot(const std::string& path, size_t number, FolderEvents& events)
      : folder(path, number, events) {}

  /// Whether the settings allow it another worker.
  bool has_room() const {
    const uint32_t throttle = folder.settings().throttle;
    return throttle == 0 || running < throttle;
  }

  WatchedFolder folder;
  size_t running = 0;                  ///< jobs that have a worker
  uint64_t last_served = 0;            ///< number of the claim that was its last
  std::vector<ArrivedFile> arrived{};  ///< as the history has them
};

class FolderSet {
 public:
  /// `history` must outlive this.
  explicit FolderSet(JobHistory& history) : history_(history) {}

  /// A folder that was added before is not added again. Throws Error(kUsage) for one that lies in
  /// another.
  void add(const std::string& path);

  /// Slots keep their addresses.
  std::list<FolderSlot>& slots() { return slots_; }
  const std::list<FolderSlot>& slots() const { return slots_; }

  /// Looks at the folders whose time has come. Files that cannot become a job are entered in the
  /// history as failed jobs.
  void look(SteadyTime now);

  /// Enters the files that wait for others in the history, where it has others.
  void keep_arrived(SteadyTime now);

  /// From time to time: passes on jobs whose watchers are gone, one a turn when a worker is free
  /// for it, and deletes files that are past their keep times.
  void maintain(SteadyTime now,
                bool has_room,
                const std::function<void(FolderSlot&, ClaimedJob)>& take_orphan);

  /// Whether there may be more jobs whose watchers are gone.
  bool is_searching() const;
  bool is_cleaning_up() const { return clean_up_.is_under_way(); }

  /// All folders are to be looked at, and their settings read.
  void hint_all();

  /// All folders were looked at once.
  bool looked() const;

  void add_polls(SteadyTime now, std::vector<pollfd>& polls) const;

  /// When there is something to do.
  SteadyTime next_time(SteadyTime now) const;

 private:
  void refuse_nested(const std::string& name) const;
  void enter_refused(WatchedFolder& folder);
  bool is_of_another_folder(const ClaimedJob& job, const FolderSlot& slot) const;
  void search_work(SteadyTime now,
                   bool has_room,
                   const std::function<void(FolderSlot&, ClaimedJob)>& take_orphan);
  void begin_clean_up();

  JobHistory& history_;
  FolderEvents events_;
  std::list<FolderSlot> slots_;
  SteadyTime orphans_due_{};
  bool took_orphan_ = false;     ///< in the last turn
  bool search_goes_on_ = false;  ///< for orphans, in the next turn
  SteadyTime clean_up_due_{};
  SteadyTime keep_due_{};  ///< keep_arrived()
  CleanUp clean_up_;
  bool told_of_clock_ = false;
  const SteadyTime begun_ = SteadyClock::now();
  const WallTime begun_wall_ = std::chrono::system_clock::now();
};

}  // namespace mezzo::watch
