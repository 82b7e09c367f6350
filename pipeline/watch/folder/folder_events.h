// Hints of changes in a folder, from inotify(7). Only hints: events get lost when there are too
// many, and changes by other machines on a network file system give none. Safe for several threads.
#pragma once

#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "pipeline/steady_time.h"
#include "stages/files/descriptor.h"

namespace mezzo::watch {

class FolderEvents {
 public:
  /// Without inotify (none left for this user), no folder is ever watched.
  FolderEvents();

  int fd() const { return fd_.get(); }  ///< readable when there are events; -1: there never are

  /// Until then changed() takes no more events: a program that writes makes thousands a second.
  SteadyTime rests_until() const;

  /// Watches the folder that has the name `path` now, in place of an earlier one of that name.
  /// changed() names it by `slot`. False when there will be no events: the folder is gone, the file
  /// system is on another machine, or the system has no watch left. Other calls do not wait for this
  /// one, which may hang with its disk.
  bool watch(size_t slot, const std::string& path);
  void forget(size_t slot);

  /// Slots whose folder has changed since the last call, each once; all, when events were lost.
  /// Writes to a file are no change of its folder before the file is closed.
  std::vector<size_t> changed(SteadyTime now);

  /// Whether the file of the folder was written to and not closed since, as far as events have
  /// told. An hour after its last write it does not count: the end of some writes is not told.
  bool is_written(size_t slot, const std::string& name, SteadyTime now) const;

 private:
  /// Files that were written to and not closed since, and when changed() told.
  using Written = std::unordered_map<std::string, SteadyTime>;
  struct Watch {
    int number = -1;  ///< of inotify; -1: none
    Written written;
  };

  void forget_locked(size_t slot);

  /// Whether the event is a change of the folder.
  static bool take(Watch& watch, uint32_t mask, const char* name, SteadyTime now);

  const files::Descriptor fd_;
  mutable std::mutex mutex_;    // of all below
  std::vector<Watch> watches_;  ///< by slot
  SteadyTime rests_until_{};
};

}  // namespace mezzo::watch
