// Temporary folders in memory: tests wait for the disk most of their time, as plates and records are synced.
#pragma once

#include <stdlib.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdint>
#include <optional>
#include <string>

#include "tests/support/effort.h"

namespace mezzo::test {

/// In the short form, where there is /dev/shm, TempFolders are made there while this lives; in the long form
/// on the disk. Containers may have 64 MiB in /dev/shm. Not thread-safe: it sets TMPDIR.
class FoldersInMemory {
 public:
  FoldersInMemory() {
    if (effort::full() || ::access(kMemory, W_OK | X_OK) != 0) return;
    if (const char* const before = ::getenv(kVariable)) before_ = before;
    is_set_ = ::setenv(kVariable, kMemory, 1) == 0;
  }
  ~FoldersInMemory() {
    if (!is_set_) return;
    if (before_) {
      ::setenv(kVariable, before_->c_str(), 1);
    } else {
      ::unsetenv(kVariable);
    }
  }

  /// Whether `bytes` are free there, and programs can be run from there.
  static bool have_room_for(uint64_t bytes) {
    struct statvfs found {};
    if (::statvfs(kMemory, &found) != 0 || (found.f_flag & ST_NOEXEC) != 0) return false;
    return uint64_t{found.f_bavail} * found.f_frsize >= bytes;
  }

  FoldersInMemory(const FoldersInMemory&) = delete;
  FoldersInMemory& operator=(const FoldersInMemory&) = delete;

 private:
  static constexpr const char* kVariable = "TMPDIR";
  static constexpr const char* kMemory = "/dev/shm";

  std::optional<std::string> before_;
  bool is_set_ = false;
};

}  // namespace mezzo::test
