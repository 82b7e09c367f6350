// A disk that takes no files.
#pragma once

#include <cerrno>

#include "stages/files/file_system.h"

namespace mezzo::test {

class FailingDisk final : public files::FileSystem {
 public:
  enum class Call { kNone, kOpen, kWrite, kSync };

  void fail(Call call, int error_number) {
    call_ = call;
    error_number_ = error_number;
  }

  int open(files::At at, int flags, unsigned mode) override {
    return fails(Call::kOpen) ? -1 : FileSystem::open(at, flags, mode);
  }
  ssize_t pwrite(int fd, const void* data, size_t bytes, uint64_t offset) override {
    return fails(Call::kWrite) ? -1 : FileSystem::pwrite(fd, data, bytes, offset);
  }
  int fsync(int fd) override { return fails(Call::kSync) ? -1 : FileSystem::fsync(fd); }

 private:
  bool fails(Call call) const {
    errno = error_number_;
    return call == call_;
  }

  Call call_ = Call::kNone;
  int error_number_ = 0;
};

}  // namespace mezzo::test
