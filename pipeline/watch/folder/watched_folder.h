// A hot folder as the watcher keeps it: when to look at it next, what is wrong with it, and whether
// a job of it may begin now.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/watch/folder/folder_events.h"
#include "pipeline/watch/folder/hot_folder.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

class WatchedFolder {
 public:
  using Clock = std::chrono::steady_clock;

  /// `slot`: its number in `events`, which must outlive it.
  WatchedFolder(const std::string& path, size_t slot, FolderEvents& events);

  HotFolder& disk() { return disk_; }
  const std::string& path() const { return disk_.path(); }
  const manifests::FolderSettings& settings() const { return disk_.settings(); }

  /// Something has changed: look soon.
  void hint() { hinted_ = true; }
  bool hinted() const { return hinted_; }

  /// Looks when it is time. What fails is trouble(), and tried again later.
  void look_if_due(Clock::time_point now);

  /// Logs what is odd in it and was not the time before.
  void note_oddities();
  Clock::time_point next_look() const;
  bool looked() const { return looked_; }

  /// What keeps the folder from being watched as it should be; empty when nothing does.
  std::string trouble() const;
  bool is_up() const { return looked_ && gone_.empty() && disk_.has_settings(); }
  /// The last claim failed.
  bool is_refusing() const { return !refused_.empty(); }

  bool paused = false;
  size_t running = 0;        ///< jobs that have a worker
  uint64_t last_served = 0;  ///< a number that grows from claim to claim

  /// Why no job of it may begin now, as people say it; empty when one may. Looks at the disk of the
  /// plates at most every 5 s.
  std::string closed(Clock::time_point now, WallTime wall) const;

  /// When closed() may say something else by itself.
  std::optional<Clock::time_point> opens(Clock::time_point now, WallTime wall) const;

  /// Jobs that were complete at the last look and have not been taken since, in order.
  std::deque<WaitingJob>& waiting() { return waiting_; }
  const std::deque<WaitingJob>& waiting() const { return waiting_; }

  /// Claiming a job of it has failed: no other begins for 10 s. Or has not, this time.
  void refuse(const std::string& why, Clock::time_point now);
  /// Likewise, and after that the others go before it.
  void refuse(const std::string& why, Clock::time_point now, const WaitingJob& job);
  void accept() { refused_.clear(); }

  std::string plates() const;  ///< folder that plates go to
  FolderView view() const;

 private:
  void look(Clock::time_point now);
  void look_inside(Clock::time_point now);
  void read_settings();
  bool is_last(const WaitingJob& job) const;
  void put_in_order();
  void check_space(Clock::time_point now) const;

  HotFolder disk_;
  size_t slot_;
  FolderEvents& events_;
  bool looked_ = false;
  bool hinted_ = true;
  bool has_events_ = false;
  Clock::time_point looked_at_{};
  Clock::duration look_took_{};
  std::string gone_;      ///< why the last look failed
  std::string mistakes_;  ///< in folder.yaml
  std::string refused_;   ///< why the last claim failed
  Clock::time_point refused_until_{};
  mutable std::string space_;  ///< why the disk of the plates is too full
  mutable Clock::time_point space_checked_{};
  std::deque<WaitingJob> waiting_;
  std::vector<std::vector<std::string>> last_;  ///< files of jobs that could not be claimed
  std::vector<std::string> noted_;              ///< oddities that the log has
};

}  // namespace mezzo::watch
