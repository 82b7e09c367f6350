// Calls of a hot folder that stop the process, or fail, at a chosen one of them.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <functional>

#include "stages/files/file_system.h"
#include "tests/support/poor_disk.h"

namespace mezzo::test {

/// Leaves out what only matters when the power goes, as tests make thousands of jobs.
class QuickCalls : public files::FileSystem {
 public:
  int fsync(int) override { return 0; }
};

/// Likewise, on a disk without flags of renameat2(2) and without hard links.
class QuickPoorCalls : public PoorDisk {
 public:
  int fsync(int) override { return 0; }
};

/// Ends whatever is under way, as a signal would: nothing in the code under test catches it, and
/// what is destroyed on the way closes descriptors and no more, as the kernel does.
struct Stopped {};

class StoppingCalls final : public QuickCalls {
 public:
  enum class Way { kStopBefore, kStopAfter, kFail };
  Way way = Way::kStopBefore;
  int strike = 0;  ///< counts from 1; 0: never
  int strikes = 1;
  int error_number = ENOSPC;
  int calls = 0;
  bool knows_rename_flags = true;
  bool has_links = true;  ///< false: nor does it know the flags

  int make_folder(files::At at, unsigned mode) override {
    return perform([&] { return FileSystem::make_folder(at, mode); });
  }
  int open(files::At at, int flags, unsigned mode) override {
    return perform([&] { return last_created_ = FileSystem::open(at, flags, mode); });
  }
  ssize_t pwrite(int fd, const void* data, size_t bytes, uint64_t offset) override {
    return perform([&] { return FileSystem::pwrite(fd, data, bytes, offset); });
  }
  int fsync(int) override {
    return perform([] { return 0; });
  }
  int rename(files::At from, files::At to, unsigned flags) override {
    if (flags != 0 && !has_links) return refuse_flag(*this, from, to, flags);
    if (flags != 0 && !knows_rename_flags) {
      errno = EINVAL;
      return -1;
    }
    return perform([&] { return FileSystem::rename(from, to, flags); });
  }
  int link(files::At from, files::At to) override {
    if (!has_links) {
      errno = EPERM;
      return -1;
    }
    return perform([&] { return FileSystem::link(from, to); });
  }
  int unlink(files::At at, int flags) override {
    return perform([&] { return FileSystem::unlink(at, flags); });
  }

 private:
  int last_created_ = -1;

  template <typename Work>
  auto perform(const Work& work) -> decltype(work()) {
    ++calls;
    const bool strikes_now = strike != 0 && calls >= strike && calls < strike + strikes;
    if (!strikes_now) return work();
    if (way == Way::kStopBefore) throw Stopped();
    if (way == Way::kFail) {
      errno = error_number;
      return -1;
    }
    last_created_ = -1;
    work();
    if (last_created_ >= 0) ::close(last_created_);
    throw Stopped();
  }
};

/// Whether the work came to its end.
inline bool comes_to_its_end(const std::function<void()>& work) {
  try {
    work();
  } catch (const Stopped&) {
    return false;
  }
  return true;
}

}  // namespace mezzo::test
