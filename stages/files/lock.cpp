#include "stages/files/lock.h"

#include <sys/file.h>

#include <cerrno>

namespace mezzo::files {

Lock take_lock(const std::string& path, unsigned mode, int folder) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  Lock lock{.file = Descriptor(::openat(folder, path.c_str(), kFlags, mode))};
  if (lock.file && ::flock(lock.file.get(), LOCK_EX | LOCK_NB) != 0) lock.error_number = errno;
  return lock;
}

}  // namespace mezzo::files
