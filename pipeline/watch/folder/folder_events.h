// Hints of changes in a folder, from inotify(7). Only hints: events get lost when there are too
// many, and changes by other machines on a network file system give none.
#pragma once

#include <string>
#include <vector>

#include "stages/files/descriptor.h"

namespace mezzo::watch {

class FolderEvents {
 public:
  /// Without inotify (none left for this user), no folder is ever watched.
  FolderEvents();

  int fd() const { return fd_.get(); }  ///< readable when there are events; -1: there never are

  /// Watches the folder that has the name `path` now, in place of an earlier one of that name.
  /// changed() names it by `slot`. False when there will be no events: the folder is gone, the file
  /// system is on another machine, or the system has no watch left.
  bool watch(size_t slot, const std::string& path);
  void forget(size_t slot);

  /// Slots whose folder has changed since the last call, each once; all, when events were lost.
  std::vector<size_t> changed();

 private:
  files::Descriptor fd_;
  std::vector<int> watches_;  ///< by slot; -1: none
};

}  // namespace mezzo::watch
