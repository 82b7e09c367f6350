// Locks between processes: flock(2) on a lock file, released with the last process that has it
// open.
#pragma once

#include <fcntl.h>

#include <string>

#include "stages/files/descriptor.h"

namespace mezzo::files {

/// A lock file. One that could not be opened has no `file`, and errno is set.
struct Lock {
  Descriptor file;
  int error_number = 0;  ///< why it is open and not locked; EWOULDBLOCK: another process has it

  bool is_held() const { return file && error_number == 0; }
};

/// Opens the file, made with `mode` when it is missing, follows no link at the end of the path, and
/// takes its lock if that is free. Never waits.
Lock take_lock(const std::string& path, unsigned mode, int folder = AT_FDCWD);

}  // namespace mezzo::files
