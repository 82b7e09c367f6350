// Deletes files that are past their keep times, in a thread of its own: users of a hot folder can
// make trees that take long to delete, and other folders must not wait for them.
#pragma once

#include <atomic>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "manifests/folder.h"
#include "pipeline/wall_time.h"

namespace mezzo::watch {

class CleanUp {
 public:
  struct Folder {
    std::string path;
    manifests::FolderSettings settings;
  };

  /// Begins with the ages that files have at `now`, 10 s at most for each folder; the next one
  /// continues. Does nothing while the one before is under way, or when there is no thread.
  void begin(std::vector<Folder> folders, WallTime now);

  bool is_under_way() const { return is_under_way_; }

 private:
  void run(const std::vector<Folder>& folders, WallTime now, const std::stop_token& stop);

  std::atomic<bool> is_under_way_{false};
  std::jthread thread_;  // last: it uses the others
};

}  // namespace mezzo::watch
