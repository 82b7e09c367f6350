// Deletes files of a hot folder that are past their keep times, in a thread of its own: users can make
// trees that take long to delete, and neither jobs nor other folders must wait for them.
#pragma once

#include <atomic>
#include <stop_token>
#include <string>
#include <thread>

#include "manifests/folder.h"
#include "pipeline/wall_time.h"

namespace mezzo::watch {

class CleanUp {
 public:
  /// Begins in the hot folder `path` with the ages that files have at `now`, 10 s at most; the next
  /// one continues. Does nothing while the one before is under way, or when there is no thread.
  void begin(const std::string& path, const manifests::FolderSettings& settings, WallTime now);

  bool is_under_way() const { return is_under_way_; }

 private:
  std::atomic<bool> is_under_way_{false};
  std::jthread thread_;  // last: it uses the others
};

}  // namespace mezzo::watch
