// The watcher's history: the store of ended jobs, and those that are shown: the newest, and all that
// failed until somebody deals with them.
//
// A watcher without a history still prints, so a store that fails is logged, and nothing here
// throws but the constructor. Safe for several threads.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/watch/job/job_store.h"
#include "pipeline/watch/view/watch_listener.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

class JobHistory {
 public:
  static constexpr size_t kShown = 200;
  static constexpr size_t kFailedShown = 1000;

  /// Keeps nothing.
  JobHistory() = default;

  /// Opens the store in `folder`; goes on without it when it cannot be opened. `listener` may be
  /// null. Throws Error(kCannotCreate) when the folder cannot be made.
  explicit JobHistory(const std::string& folder, WatchListener* listener = nullptr);

  /// Null when there is none.
  JobStore* store() { return store_ ? &*store_ : nullptr; }

  std::optional<StoredJob> find(const std::string& id) const;

  /// The last job of the folder that was done with this content.
  std::optional<StoredJob> find_done(const std::string& folder, const std::string& digest) const;

  /// Enters a job, in place of an older entry with its ID.
  void enter(const StoredJob& job);

  /// Counts and shows a job that has ended, and calls the listener.
  void add_ended(const JobView& job);

  /// The failed job is not shown any longer. False when none of this ID is.
  bool dismiss(const std::string& id);

  /// Changes the view of an ended job.
  void set_message(const std::string& id, const std::string& message);

  /// Jobs that ended in the hour before `now`, and whose files are known; the oldest first.
  static constexpr std::chrono::hours kRecent{1};
  static constexpr size_t kMostRecent = 1000;
  std::vector<StoredJob> recent(WallTime now) const;

  /// The jobs with known files that were entered since the last call.
  std::vector<StoredJob> take_entered();

  bool is_paused(const std::string& folder) const;
  void set_paused(const std::string& folder, bool paused);

  /// Whether the folder has had a folder.yaml.
  bool had_settings(const std::string& folder) const;
  void set_had_settings(const std::string& folder);

  /// The files of a folder that wait for others.
  std::vector<ArrivedFile> arrived(const std::string& folder) const;
  void set_arrived(const std::string& folder, const std::vector<ArrivedFile>& files);

  /// Those that are shown, newest first.
  std::vector<JobView> ended() const;
  size_t failed_shown() const;

  uint64_t done() const;    ///< since the start
  uint64_t failed() const;  ///< likewise

 private:
  std::optional<JobStore> store_;
  WatchListener* listener_ = nullptr;
  mutable std::mutex mutex_;  // of all below
  std::vector<StoredJob> entered_;
  std::deque<JobView> ended_;        ///< but the failed ones; newest first
  std::deque<JobView> failed_jobs_;  ///< not dismissed; likewise
  uint64_t done_ = 0;
  uint64_t failed_ = 0;
};

}  // namespace mezzo::watch
