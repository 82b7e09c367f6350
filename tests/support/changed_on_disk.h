// A disk that changes a file once it is synced, before anybody reads it again.
#pragma once

#include <sys/stat.h>

#include <functional>
#include <vector>

#include "stages/files/file_system.h"

namespace mezzo::test {

class ChangedOnDisk : public files::FileSystem {
 public:
  /// Gets the content of each regular file that is synced, and may change its bytes and its size.
  using Change = std::function<void(std::vector<uint8_t>& content)>;
  explicit ChangedOnDisk(Change change) : change_(std::move(change)) {}

  // Without the wait for a real disk.
  int fsync(int fd) override {
    struct stat found {};
    if (::fstat(fd, &found) != 0 || !S_ISREG(found.st_mode)) return 0;
    std::vector<uint8_t> content(static_cast<size_t>(found.st_size));
    int error_number = 0;
    files::read_fully(*this, fd, 0, std::as_writable_bytes(std::span(content)), error_number);
    change_(content);
    if (::ftruncate(fd, static_cast<off_t>(content.size())) != 0) return -1;
    return ::pwrite(fd, content.data(), content.size(), 0) < 0 ? -1 : 0;
  }

 private:
  Change change_;
};

}  // namespace mezzo::test
