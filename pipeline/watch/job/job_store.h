// The history of a watcher's ended jobs, over restarts.
//
// It is not a queue: waiting and running jobs lie in their folders (hot_folder.h), and losing the
// history loses no page. One SQLite database, watch.db, in the state folder, which must be on a
// local disk (WAL, FULL). Safe for several threads, and several watchers may share one.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "kernels/base/error.h"
#include "pipeline/watch/folder/job_record.h"
#include "pipeline/watch/view/watch_view.h"
#include "stages/files/file_mark.h"

namespace mezzo {
class Database;
}  // namespace mezzo

namespace mezzo::watch {

/// A job that ended.
struct StoredJob {
  JobView view{};
  std::string digest{};            ///< of its content; empty when not known, or of no further use
  std::vector<MovedFile> files{};  ///< where its inputs went; empty when they are not to come back
  std::vector<files::FileMark> plate_marks{};  ///< of `view.plates`; empty when not known
};

/// The marks of the plates as they are now; that of a plate that is not there is empty.
std::vector<files::FileMark> marks_of(const std::vector<PlateView>& plates);

/// Why the plates of the job cannot be taken for its result any longer, as the end of "made again:";
/// empty when all stand unchanged. Of a job from before marks were kept, plates of the name will do.
std::string lost_plates(const StoredJob& job);

/// Deletes the plates of the job that stand unchanged in `folder` or below it. Returns how many.
size_t remove_plates(const StoredJob& job, const std::string& folder);

class JobStore {
 public:
  /// Opens `folder`/watch.db, or makes it. One that is damaged, or of a later version, is set aside
  /// as watch.db.bad-N and a new one begun; damage() tells. Throws Error(kCannotCreate, kIo,
  /// kDiskFull).
  explicit JobStore(const std::string& folder);
  ~JobStore();

  /// A message on a damaged history that was set aside; empty when there was none.
  const std::string& damage() const { return damage_; }

  /// Enters a job, in place of an older entry with its ID; on disk when it returns. Of jobs that
  /// ended, the last 10,000 stay. Throws Error(kIo, kDiskFull).
  void enter(const StoredJob& job);

  /// Throws Error(kIo), as do all that follow.
  std::optional<StoredJob> find(const std::string& id) const;

  /// The last job of the folder that was done with this content.
  std::optional<StoredJob> find_done(const std::string& folder, const std::string& digest) const;

  /// No job of the folder counts as done with this content any longer. Throws Error(kIo, kDiskFull).
  void forget_content(const std::string& folder, const std::string& digest);

  /// The last `count` that did not fail, newest first.
  std::vector<JobView> latest(size_t count) const;

  /// Likewise of those that failed, and were not dismissed.
  std::vector<JobView> failed(size_t count) const;

  /// Somebody has dealt with the failed job. Throws Error(kIo, kDiskFull).
  void dismiss(const std::string& id);

  /// Of those that ended after `time`, and whose files are known, the last `count`, newest first.
  std::vector<StoredJob> ended_since(WallTime time, size_t count) const;

  /// Folders that are paused, over restarts. Throws Error(kIo, kDiskFull).
  void set_paused(const std::string& folder, bool paused);
  bool is_paused(const std::string& folder) const;

  /// The files of a folder that wait for others, over restarts. Throws Error(kIo, kDiskFull).
  void set_arrived(const std::string& folder, const std::vector<ArrivedFile>& files);
  std::vector<ArrivedFile> arrived(const std::string& folder) const;

  /// Folders that have had a folder.yaml, over restarts. Throws Error(kIo, kDiskFull).
  void set_had_settings(const std::string& folder);
  bool had_settings(const std::string& folder) const;

 private:
  const std::unique_ptr<const Database> database_;
  std::string damage_;
};

/// The watcher's history: the store of ended jobs, and those that are shown: the newest, and all that
/// failed until somebody deals with them.
///
/// A watcher without a history still prints, so a store that fails is logged, and nothing here
/// throws but the constructor. Safe for several threads.
class JobHistory {
 public:
  static constexpr size_t kShown = 200;
  static constexpr size_t kFailedShown = 1000;

  /// Keeps nothing.
  JobHistory() = default;

  /// Opens the store in `folder`; goes on without it when it cannot be opened. `listener` may be
  /// null. Throws Error(kCannotCreate) when the folder cannot be made.
  explicit JobHistory(const std::string& folder, WatchListener* listener = nullptr);

  /// Returns null when the history is not kept.
  JobStore* store() { return store_ ? &*store_ : nullptr; }

  /// Calls a method of the store, as in `ask(&JobStore::find, id)`. Returns an empty answer where there is
  /// no store, and where it fails, which is logged.
  template <typename Method, typename... Values>
  auto ask(Method method, const Values&... values) {
    return keep("", method, values...);
  }

  /// The same for a call after whose failure something `follows`, as in "; after a restart it will not".
  template <typename Method, typename... Values>
  auto keep(const std::string& follows, Method method, const Values&... values) {
    using Answer = std::invoke_result_t<Method, JobStore&, const Values&...>;
    try {
      if (store_) return std::invoke(method, *store_, values...);
    } catch (const Error& error) {
      log_failure(error, follows);
    }
    return Answer();
  }

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
  std::vector<StoredJob> recent(WallTime now);

  /// The jobs with known files that were entered since the last call.
  std::vector<StoredJob> take_entered();

  /// Those that are shown, newest first.
  std::vector<JobView> ended() const;

  struct Counts {
    uint64_t done = 0;    ///< since the start
    uint64_t failed = 0;  ///< since the start
    size_t failed_shown = 0;
  };
  Counts counts() const;

 private:
  static void log_failure(const Error& error, const std::string& follows);

  std::optional<JobStore> store_;
  WatchListener* listener_ = nullptr;
  mutable std::mutex mutex_;  // of all below
  std::vector<StoredJob> entered_;
  std::deque<JobView> ended_;        ///< without failed jobs; newest first
  std::deque<JobView> failed_jobs_;  ///< those that nobody dismissed; newest first
  Counts counts_;
};

}  // namespace mezzo::watch
