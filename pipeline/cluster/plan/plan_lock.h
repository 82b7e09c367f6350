// The lock of a plan: one process submits its units at a time.
#pragma once

#include <string>

#include "stages/files/lock.h"

namespace mezzo::cluster {

/// Holds flock(2) on FOLDER/lock for as long as it lives; it goes with its process. Makes the
/// folder.
class PlanLock {
 public:
  /// Throws Error: kBusy when another process has it, kCannotCreate when the file cannot be made.
  /// On a file system without locks it logs that and holds nothing: two processes may then do the
  /// same work twice, and nothing worse.
  explicit PlanLock(const std::string& folder);

 private:
  files::Lock lock_;
};

}  // namespace mezzo::cluster
