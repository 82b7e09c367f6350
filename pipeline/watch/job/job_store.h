// The history of a watcher's ended jobs, over restarts.
//
// It is not a queue: waiting and running jobs lie in their folders (hot_folder.h), and losing the
// history loses no page. One SQLite database, watch.db, in the state folder, which must be on a
// local disk (WAL, FULL). Safe for several threads, and several watchers may share one.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/watch/folder/folder_jobs.h"
#include "pipeline/watch/view/watch_view.h"
#include "stages/files/file_mark.h"

namespace mezzo {
class Database;
}  // namespace mezzo

namespace mezzo::watch {

/// A job that ended.
struct StoredJob {
  JobView view;
  std::string digest;            ///< of its content; empty when not known, or of no further use
  std::vector<MovedFile> files;  ///< where its inputs went; empty when they are not to come back
  std::vector<files::FileMark> plate_marks;  ///< of `view.plates`; empty when not known
};

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
  /// Whether the table of folders has this one.
  bool has_folder(const char* table, const std::string& folder) const;

  /// The last `count` of those `where`, newest first.
  std::vector<JobView> find_views(const std::string& where, size_t count) const;
  std::optional<StoredJob> find_one(const std::string& where,
                                    const std::vector<std::string>& values) const;

  const std::unique_ptr<const Database> database_;
  std::string damage_;
};

}  // namespace mezzo::watch
