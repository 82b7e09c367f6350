// The few system calls that a job makes on paths, those that put a file on disk and those that
// change a hot folder, behind one seam: a test makes each of them fail or stop in turn, and
// ConfinedFileSystem keeps a job within its folders. Every call returns what the system call
// returns, and leaves errno as it does; nothing here retries, loops or throws.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace mezzo::files {

/// A name in an open folder, without links on the way; or a path from the current folder. Only for
/// the time of a call: the name must outlive it.
struct At {
  At(const std::string& path) : name(path) {}  // NOLINT(google-explicit-constructor): a path does
  At(int folder_fd, const std::string& its_name) : folder(folder_fd), name(its_name) {}

  int folder = AT_FDCWD;
  const std::string& name;
};

/// The real calls; a test overrides some. Safe for use by several threads.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  /// The calls of the system, unchanged.
  static FileSystem& real();

  /// stat(2), and lstat(2), which looks at a symbolic link itself.
  virtual int status(const std::string& path, struct stat& found);
  virtual int status_of_name(At at, struct stat& found);

  /// statvfs(2): the room on the disk of this path.
  virtual int room(const std::string& path, struct statvfs& found);

  virtual int open(At at, int flags, unsigned mode = 0);
  virtual ssize_t pread(int fd, void* data, size_t bytes, uint64_t offset);
  virtual ssize_t pwrite(int fd, const void* data, size_t bytes, uint64_t offset);
  virtual int fsync(int fd);
  virtual int close(int fd);

  /// renameat2(2); renameat(2) when `flags` is 0.
  virtual int rename(At from, At to, unsigned flags);
  virtual int link(At from, At to);

  /// unlinkat(2): AT_REMOVEDIR in `flags` for a folder.
  virtual int unlink(At at, int flags = 0);
  virtual int make_folder(At at, unsigned mode);

  /// Asks the kernel to begin writing this range to the disk; a hint, whose failure is ignored.
  virtual void start_writeback(int fd, uint64_t offset, uint64_t bytes);

  /// The reason for an errno of these calls, in words for the user.
  virtual std::string reason(int error_number) const;
};

/// The nearest folder above the path that exists.
std::string existing_folder(FileSystem& files, const std::string& path);

/// Bytes free for this user on the disk that a file of this path is on, or will be; nothing when
/// not known.
std::optional<uint64_t> free_space(FileSystem& files, const std::string& path);

/// open(), tried again when a signal interrupts it.
int open_file(FileSystem& files, const std::string& path, int flags, unsigned mode = 0);

/// Reads up to `to.size()` bytes, fewer at the end of the file or when reading fails; interrupted
/// reads go on. Returns how many; `error_number` receives 0 or the errno of a read that failed.
size_t read_fully(FileSystem& files,
                  int fd,
                  uint64_t offset,
                  std::span<std::byte> to,
                  int& error_number) noexcept;

/// fsync(), tried again when a signal interrupts it, which loses nothing; not after any other
/// failure.
int sync_file(FileSystem& files, int fd);

}  // namespace mezzo::files
