// A hot folder of the watcher: when to look at it next, its troubles, and whether a job of it may
// begin now.
#pragma once

#include <atomic>
#include <deque>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "pipeline/watch/folder/folder_events.h"
#include "pipeline/watch/folder/hot_folder.h"
#include "pipeline/watch/machine/machine.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

/// Limits the lines of a log that users of a hot folder can cause.
class LogLimit {
 public:
  static constexpr std::chrono::minutes kSpan{1};

  /// So many lines in each minute.
  explicit LogLimit(size_t most) : most_(most) {}

  /// Whether one more line may be logged; it counts as logged then, and as left out otherwise.
  bool allows(SteadyTime now) {
    begin_span(now);
    const bool is_allowed = lines_ < most_;
    ++(is_allowed ? lines_ : left_out_);
    return is_allowed;
  }

  /// The lines that were left out in earlier minutes, and not told before.
  size_t take_left_out(SteadyTime now) {
    begin_span(now);
    return std::exchange(to_tell_, 0);
  }

 private:
  void begin_span(SteadyTime now) {
    if (now - begun_ < kSpan) return;
    begun_ = now;
    lines_ = 0;
    to_tell_ += std::exchange(left_out_, 0);
  }

  const size_t most_;
  SteadyTime begun_{};
  size_t lines_ = 0;
  size_t left_out_ = 0;
  size_t to_tell_ = 0;
};

class WatchedFolder {
 public:
  /// `slot`: its number in `events`, which must outlive it, as the machine must.
  WatchedFolder(const std::string& path, size_t slot, FolderEvents& events, Machine& machine);

  HotFolder& disk() { return disk_; }
  const HotFolder& disk() const { return disk_; }
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
  bool is_space_due(SteadyTime now) const;

  /// Why the folder is not watched as it should be; empty when it is.
  std::string trouble() const;
  bool is_up() const { return looked() && gone_.empty() && disk_.has_settings(); }
  /// The last claim failed.
  bool is_refusing() const { return !refusal_.why.empty(); }

  /// Pages are there, and the disk of their plates is too full to begin with them.
  bool waits_for_space() const { return !waiting().empty() && !space_.shortage.empty(); }

  /// Both for any thread.
  bool is_paused() const { return paused_; }
  void set_paused(bool paused) { paused_ = paused; }

  /// Why no job of it may begin now, for people; empty when one may.
  std::string blocked_reason(const Moment& now) const;

  /// When blocked_reason() may change by itself.
  std::optional<SteadyTime> next_open_time(const Moment& now) const;

  /// Jobs that were complete at the last look and have not been claimed since, in order.
  const std::deque<WaitingJob>& waiting() const { return waiting_; }

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

  /// Of its plates and of itself, as check_space() found them.
  const std::vector<DiskView>& disks() const { return space_.disks; }

 private:
  struct Looks {
    bool done = false;  ///< at least one
    bool hinted = true;
    SteadyTime last{};
    SteadyClock::duration took{};
  };
  struct Space {
    std::string shortage;         ///< why no job may begin; empty when one may
    std::vector<DiskView> disks;  ///< that of the plates, then that of the folder
    std::optional<SteadyTime> checked;
  };
  struct Refusal {
    std::string why;  ///< the last claim failed
    SteadyTime until{};
  };

  void look(SteadyTime now);
  void look_inside(SteadyTime now);
  void read_settings(SteadyTime now);
  void take_waiting();
  bool is_last(const WaitingJob& job) const;
  void log_mistakes(SteadyTime now);
  void log_notes(SteadyTime now);
  void refuse(const std::string& why, SteadyTime now);

  const Clock& clock_;
  const Writers writers_;
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
  Space space_;
  std::deque<WaitingJob> waiting_;
  std::vector<std::vector<std::string>> last_;  ///< files of jobs that could not be claimed
  std::unordered_set<std::string> logged_;  ///< names of the notes that the log need not have again
  LogLimit note_lines_{20};
  LogLimit settings_lines_{6};
};

}  // namespace mezzo::watch
