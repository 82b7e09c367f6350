// The history of a watcher's ended jobs, over restarts.
//
// It is no queue: jobs that wait or are in work lie in their folders (hot_folder.h), and losing the
// history loses no page. One SQLite database, watch.db, in the state folder, which must be on a
// local disk (WAL, FULL). Not safe for several threads; several watchers may share one.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pipeline/watch/folder/folder_jobs.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

/// A job that ended.
struct StoredJob {
  JobView view;
  std::string digest;            ///< of its content; empty when not known, or of no further use
  std::vector<MovedFile> files;  ///< where its inputs went; empty when they are not to come back
};

class JobStore {
 public:
  /// Opens `folder`/watch.db, or makes it. One that is damaged, or of a later version, is set aside
  /// as watch.db.bad-N and a new one begun; damage() tells. Throws Error(kCannotCreate, kIo,
  /// kDiskFull).
  static std::unique_ptr<JobStore> open(const std::string& folder);
  virtual ~JobStore() = default;

  /// How a damaged history was set aside, for people; empty when there was none.
  virtual const std::string& damage() const = 0;

  /// Enters a job, in place of an older entry with its ID; on disk when it returns. Of jobs that
  /// ended, the last 10,000 stay. Throws Error(kIo, kDiskFull).
  virtual void enter(const StoredJob& job) = 0;

  /// Throws Error(kIo), as do all that follow.
  virtual std::optional<StoredJob> find(const std::string& id) const = 0;

  /// The last job of the folder that was done with this content.
  virtual std::optional<StoredJob> find_done(const std::string& folder,
                                             const std::string& digest) const = 0;

  /// The last `count`, newest first.
  virtual std::vector<JobView> latest(size_t count) const = 0;

  virtual size_t size() const = 0;

  /// Folders that are paused, over restarts. Throws Error(kIo, kDiskFull).
  virtual void set_paused(const std::string& folder, bool paused) = 0;
  virtual bool is_paused(const std::string& folder) const = 0;

 protected:
  JobStore() = default;
  JobStore(const JobStore&) = delete;
  JobStore& operator=(const JobStore&) = delete;
};

}  // namespace mezzo::watch
