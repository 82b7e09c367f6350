// Whether somebody still writes a file of a hot folder.
//
// A copy that sets the size of its file first, and then pauses, cannot be told from a complete file
// by size and times. Two witnesses can tell on a local disk: the kernel grants a read lease only
// while nobody has the file open for writing, and events of the folder name the files that were
// written to and not closed since. Neither sees writers on other machines.
#pragma once

#include <cstddef>
#include <string>

#include "pipeline/watch/machine/clock.h"

namespace mezzo::watch {

class FolderEvents;

class Writers {
 public:
  /// Asks for leases only.
  Writers() = default;
  static const Writers& of_leases();

  /// Asks for leases, and for the events of the folder with the number `slot`. Both references must outlive it.
  Writers(const FolderEvents& events, size_t slot, const Clock& clock)
      : events_(&events), slot_(slot), clock_(&clock) {}
  virtual ~Writers() = default;

  /// Whether somebody has the file `name` in the open hot folder `root` open for writing, or, when
  /// it is a folder, one of the files in it, as far as can be known.
  bool are_at(int root, const std::string& name) const;

 protected:
  enum class Answer { kNone, kSome, kUnknown };

  /// By a lease (fcntl(2), F_SETLEASE). Not known for a file of another owner where the process
  /// lacks CAP_LEASE, and on file systems without leases.
  virtual Answer ask_kernel(int folder, const std::string& name) const;

 private:
  bool told_by_events(const std::string& name) const;

  const FolderEvents* const events_ = nullptr;
  const size_t slot_ = 0;
  const Clock* const clock_ = nullptr;
};

}  // namespace mezzo::watch
