// A hot folder of the watcher: when to look at it next, its troubles, and whether a job of it may
// begin now.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "pipeline/watch/folder/folder_events.h"
#include "pipeline/watch/folder/hot_folder.h"
#include "pipeline/watch/folder/log_limit.h"
#include "pipeline/watch/folder/plate_space.h"
#include "pipeline/watch/folder/waiting_list.h"
#include "pipeline/watch/machine/machine.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

class WatchedFolder {
 public:
  /// `slot`: its number in `events`, which must outlive it, as the machine must.
  WatchedFolder(const std::string& path, size_t slot, FolderEvents& events, Machine& machine);

  HotFolder& disk() { return disk_; }
  const std::string& path() const { return disk_.path(); }
  const manifests::FolderSettings& settings() const { return disk_.settings(); }

  /// Something has changed: look soon.
  void hint() { looks_.hinted = true; }
  /// A look is to be begun or continued.
  bool wants_look() const { return looks_.hinted || disk_.is_looking(); }

  /// Looks when it is time. A look that fails is trouble(), and tried again later.
  void look_if_due(SteadyTime now);
  bool is_look_due(SteadyTime now) const { return !looks_.done || now >= next_look(); }
  SteadyTime next_look() const;
  /// The disk has not answered until now: the last look was none of the long ones.
  void excuse() { looks_.took = {}; }
  bool looked() const { return looks_.done; }

  /// Looks at its disk and that of the plates, every 5 s at most.
  void check_space(SteadyTime now);
  bool is_space_due(SteadyTime now) const { return space_.is_due(now); }

  /// Why the folder is not watched as it should be; empty when it is.
  std::string trouble() const;
  bool is_up() const { return looked() && gone_.empty() && disk_.has_settings(); }
  /// The last claim failed.
  bool is_refusing() const { return !refusal_.why.empty(); }

  /// Pages are there, and the disk of their plates is too full to begin with them.
  bool waits_for_space() const { return !waiting().empty() && !space_.shortage().empty(); }

  /// Both for any thread.
  bool is_paused() const { return paused_; }
  void set_paused(bool paused) { paused_ = paused; }

  /// Why no job of it may begin now, for people; empty when one may.
  std::string blocked_reason(const Moment& now) const;

  /// When blocked_reason() may change by itself.
  std::optional<SteadyTime> next_open_time(const Moment& now) const;

  /// Jobs that were complete at the last look and have not been claimed since, in order.
  const std::deque<WaitingJob>& waiting() const { return waiting_.jobs(); }

  /// Claims the waiting job of this index. Returns nothing when another watcher was first, the
  /// files have changed or are being written, or claiming failed: then no job begins for 10 s, and after that others go
  /// first.
  std::optional<ClaimedJob> claim(size_t index, SteadyTime now);
  void refuse(const std::string& why, SteadyTime now, const WaitingJob& job);

  /// HotFolder::search_work() and take_orphaned(). None when that fails, and likewise no job begins
  /// for 10 s.
  void search_work(SteadyTime now);
  std::vector<ClaimedJob> take_orphaned(size_t most, SteadyTime now);
  bool is_searching() const { return disk_.is_searching(); }

  /// Without `running`, which the caller fills in.
  FolderView view() const;

  /// Sets, tickets and pages that wait for files, and what is not taken: the first `most` of each.
  std::vector<StuckView> stuck(const Moment& now, size_t most) const;
  std::vector<StuckView> not_taken(const Moment& now, size_t most) const;

  /// Of its plates and of itself, as check_space() found them.
  const std::vector<DiskView>& disks() const { return space_.disks(); }

 private:
  struct Looks {
    bool done = false;  ///< at least one
    bool hinted = true;
    SteadyTime last{};
    SteadyClock::duration took{};
  };
  struct Refusal {
    std::string why;  ///< the last claim failed
    SteadyTime until{};
  };

  void look(SteadyTime now);
  void look_inside(SteadyTime now);
  void read_settings(SteadyTime now);
  void log_mistakes(SteadyTime now);
  void log_notes(SteadyTime now);
  void refuse(const std::string& why, SteadyTime now);

  const Clock& clock_;
  const WatchedWriters writers_;
  HotFolder disk_;
  const size_t slot_;
  FolderEvents& events_;
  bool has_events_ = false;
  std::atomic<bool> paused_{false};
  Looks looks_;
  std::string gone_;             ///< why the last look failed
  std::string mistakes_;         ///< in folder.yaml
  std::string logged_mistakes_;  ///< the last that the log has
  Refusal refusal_;
  PlateSpace space_{disk_.calls()};
  WaitingList waiting_;
  std::unordered_set<std::string> logged_;  ///< names of the notes that the log need not have again
  LogLimit note_lines_{20};
  LogLimit settings_lines_{6};
};

}  // namespace mezzo::watch
