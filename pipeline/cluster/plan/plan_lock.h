// Who may hand over units of a plan now: one at a time.
#pragma once

#include <string>

#include "stages/files/lock.h"

namespace mezzo::cluster {

/// Holds flock(2) on FOLDER/lock for as long as it lives; it goes with its process. Makes the
/// folder.
class PlanLock {
 public:
  /// Throws Error: kBusy when somebody else has it, kCannotCreate when there can be none. On a file
  /// system that knows no locks it holds nothing, and says so to the log: what it keeps apart does
  /// work twice then, and nothing worse.
  explicit PlanLock(const std::string& folder);

 private:
  files::Lock lock_;
};

}  // namespace mezzo::cluster
