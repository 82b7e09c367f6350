// Takes pages again that change after their job has ended.
//
// A copy can pause for longer than any folder waits, and its writer be on another machine, unseen.
// Then a half page was printed, or failed, and the rest comes when the file lies in done/ or
// failed/. So the files of ended jobs are looked at for an hour, and a job is dropped into its
// folder again when one of them changed. Folders that were dropped as jobs are not looked at.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

#include "pipeline/steady_time.h"
#include "pipeline/watch/job/job_history.h"

namespace mezzo::watch {

class WatchedFolder;

/// Moves the job's files from where it left them back into its `folder`, and adds `note` to its
/// message in the history. Returns why it cannot be done, for people; empty when it was. Throws
/// Error(kIo, kDiskFull, kMissing). There must be a store of the history.
std::string drop_again(WatchedFolder& folder,
                       JobHistory& history,
                       StoredJob& job,
                       const std::string& note);

class LateChanges {
 public:
  /// Both must outlive it.
  LateChanges(WatchedFolder& folder, JobHistory& history) : folder_(folder), history_(history) {}

  /// A job of the folder has ended; an older one first.
  void remember(StoredJob job, SteadyTime now);

  /// Looks at some of the files, in turn.
  void look(SteadyTime now);
  bool is_due(SteadyTime now) const { return !jobs_.empty() && now >= due_; }

  /// When look() has something to do.
  std::optional<SteadyTime> next_time() const;

 private:
  struct Ended {
    StoredJob job;
    SteadyTime until;  ///< it is looked at
  };

  bool has_changed(StoredJob& job) const;
  void take_again(StoredJob job);

  WatchedFolder& folder_;
  JobHistory& history_;
  std::deque<Ended> jobs_;  ///< the one to be looked at next first
  SteadyTime due_{};
};

}  // namespace mezzo::watch
