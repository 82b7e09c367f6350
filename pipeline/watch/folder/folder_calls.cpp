#include "pipeline/watch/folder/folder_calls.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace mezzo::watch {

FolderCalls& FolderCalls::real() {
  static FolderCalls calls;
  return calls;
}

int FolderCalls::make_folder(int folder, const std::string& name) {
  return ::mkdirat(folder, name.c_str(), 0777);
}

int FolderCalls::create(int folder, const std::string& name) {
  return ::openat(
      folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC, 0666);
}

ssize_t FolderCalls::write(int fd, const void* data, size_t bytes) {
  return ::write(fd, data, bytes);
}

int FolderCalls::sync(int fd) {
  return ::fsync(fd);
}

int FolderCalls::rename(int from_folder,
                        const std::string& from,
                        int to_folder,
                        const std::string& to,
                        unsigned flags) {
  return ::renameat2(from_folder, from.c_str(), to_folder, to.c_str(), flags);
}

int FolderCalls::link(int from_folder,
                      const std::string& from,
                      int to_folder,
                      const std::string& to) {
  return ::linkat(from_folder, from.c_str(), to_folder, to.c_str(), 0);
}

int FolderCalls::remove(int folder, const std::string& name, int flags) {
  return ::unlinkat(folder, name.c_str(), flags);
}

}  // namespace mezzo::watch
