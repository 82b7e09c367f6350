// The few system calls that a job makes on paths, and those that put a file on disk, behind one
// seam: a test makes each of them fail in turn, and ConfinedFileSystem keeps a job within its
// folders. Every call returns what the system call returns, and leaves errno as it does; nothing
// here retries, loops or throws.
#pragma once

#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace mezzo::files {

/// The real calls; a test overrides some. Safe for use by several threads.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  /// The calls of the system, unchanged.
  static FileSystem& real();

  /// stat(2), and lstat(2), which looks at a symbolic link itself.
  virtual int status(const std::string& path, struct stat& found);
  virtual int status_of_name(const std::string& path, struct stat& found);

  /// statvfs(2): the room on the disk of this path.
  virtual int room(const std::string& path, struct statvfs& found);

  virtual int open(const std::string& path, int flags, unsigned mode = 0);
  virtual ssize_t pread(int fd, void* data, size_t bytes, uint64_t offset);
  virtual ssize_t pwrite(int fd, const void* data, size_t bytes, uint64_t offset);
  virtual int fsync(int fd);
  virtual int close(int fd);

  /// renameat2(2) in the current folder; rename(2) when `flags` is 0.
  virtual int rename(const std::string& from, const std::string& to, unsigned flags);
  virtual int link(const std::string& from, const std::string& to);
  virtual int unlink(const std::string& path);
  virtual int make_folder(const std::string& path, unsigned mode);

  /// Asks the kernel to begin writing this range to the disk; a hint, whose failure means nothing.
  virtual void start_writeback(int fd, uint64_t offset, uint64_t bytes);

  /// What an errno of these calls means, in words for the user.
  virtual std::string reason(int error_number) const;
};

}  // namespace mezzo::files
