// readdir(3) that fails when it is told to, in place of libc's. Included by one source of a
// program.
#pragma once

#include <dirent.h>
#include <dlfcn.h>

#include <atomic>
#include <cerrno>

namespace mezzo::test {

/// Reads of entries that still succeed before one fails with EIO; below 0: none fails.
inline std::atomic<int> readdir_calls_left{-1};

/// While it lives, the read of an entry after the next `good` ones fails.
class FailingReaddir {
 public:
  explicit FailingReaddir(int good) { readdir_calls_left = good; }
  ~FailingReaddir() { readdir_calls_left = -1; }
  FailingReaddir(const FailingReaddir&) = delete;
  FailingReaddir& operator=(const FailingReaddir&) = delete;
};

}  // namespace mezzo::test

// NOLINTNEXTLINE(misc-definitions-in-headers): see above
extern "C" dirent* readdir(DIR* folder) {
  using Readdir = dirent* (*)(DIR*);
  static const auto real = reinterpret_cast<Readdir>(::dlsym(RTLD_NEXT, "readdir"));
  std::atomic<int>& left = mezzo::test::readdir_calls_left;
  if (left == 0) {
    errno = EIO;
    return nullptr;
  }
  if (left > 0) --left;
  return real(folder);
}
