// The system calls that change a hot folder, behind one seam, so that a test can stop the process
// before or after each of them. Names are relative to open folders and never lead through a link.
// Every call returns what the system call returns, and leaves errno as it does.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

namespace mezzo::watch {

/// The real calls; a test overrides some.
class FolderCalls {
 public:
  virtual ~FolderCalls() = default;

  /// The calls of the system, unchanged.
  static FolderCalls& real();

  virtual int make_folder(int folder, const std::string& name);

  /// A new file, open for writing; a name that exists is refused.
  virtual int create(int folder, const std::string& name);

  virtual ssize_t write(int fd, const void* data, size_t bytes);
  virtual int sync(int fd);

  /// renameat2(2).
  virtual int rename(int from_folder,
                     const std::string& from,
                     int to_folder,
                     const std::string& to,
                     unsigned flags);
  virtual int link(int from_folder, const std::string& from, int to_folder, const std::string& to);

  /// unlinkat(2).
  virtual int remove(int folder, const std::string& name, int flags);
};

}  // namespace mezzo::watch
