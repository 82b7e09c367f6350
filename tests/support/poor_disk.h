// File systems that lack what others have, for tests.
#pragma once

#include <cerrno>
#include <cstdio>
#include <string>

#include "kernels/prepress/folded_name.h"
#include "stages/files/file_system.h"

namespace mezzo::test {

/// What renameat2(2) says with a flag that the file system does not know: the kernel looks at both names
/// before it asks.
inline int refuse_flag(files::FileSystem& disk, files::At from, files::At to, unsigned flags) {
  struct stat found {};
  if (disk.status_of_name(from, found) != 0) return -1;
  const bool is_taken = disk.status_of_name(to, found) == 0;
  const bool swaps = flags == RENAME_EXCHANGE;
  errno = swaps == is_taken ? EINVAL : is_taken ? EEXIST : ENOENT;
  return -1;
}

/// As FAT and exFAT by FUSE: without flags of renameat2(2) and without hard links.
class PoorDisk : public files::FileSystem {
 public:
  int rename(files::At from, files::At to, unsigned flags) override {
    return flags == 0 ? FileSystem::rename(from, to, 0) : refuse_flag(*this, from, to, flags);
  }
  int link(files::At, files::At) override {
    errno = EPERM;
    return -1;
  }
};

/// A disk that takes names for one that differ in case or in the form of Unicode. Its files have the
/// names that prepress::folded_name() gives; folders have theirs.
template <typename Disk>
class FoldingDisk : public Disk {
 public:
  int status_of_name(files::At at, struct stat& found) override {
    const std::string name = folded(at.name);
    return Disk::status_of_name({at.folder, name}, found);
  }
  int open(files::At at, int flags, unsigned mode) override {
    if ((flags & O_DIRECTORY) != 0) return Disk::open(at, flags, mode);
    const std::string name = folded(at.name);
    return Disk::open({at.folder, name}, flags, mode);
  }
  int rename(files::At from, files::At to, unsigned flags) override {
    const std::string one = folded(from.name), other = folded(to.name);
    return Disk::rename({from.folder, one}, {to.folder, other}, flags);
  }
  int unlink(files::At at, int flags) override {
    const std::string name = folded(at.name);
    return Disk::unlink({at.folder, name}, flags);
  }

 private:
  /// The path with the last part folded.
  static std::string folded(const std::string& path) {
    const size_t slash = path.rfind('/');
    const size_t begin = slash == std::string::npos ? 0 : slash + 1;
    return path.substr(0, begin) + prepress::folded_name(path.substr(begin));
  }
};

}  // namespace mezzo::test
