#include "stages/files/file_system.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace mezzo::files {

FileSystem& FileSystem::real() {
  static FileSystem calls;
  return calls;
}

int FileSystem::status(const std::string& path, struct stat& found) {
  return ::stat(path.c_str(), &found);
}

int FileSystem::status_of_name(const std::string& path, struct stat& found) {
  return ::lstat(path.c_str(), &found);
}

int FileSystem::room(const std::string& path, struct statvfs& found) {
  return ::statvfs(path.c_str(), &found);
}

int FileSystem::open(const std::string& path, int flags, unsigned mode) {
  return ::open(path.c_str(), flags, static_cast<mode_t>(mode));
}

ssize_t FileSystem::pread(int fd, void* data, size_t bytes, uint64_t offset) {
  return ::pread(fd, data, bytes, static_cast<off_t>(offset));
}

ssize_t FileSystem::pwrite(int fd, const void* data, size_t bytes, uint64_t offset) {
  return ::pwrite(fd, data, bytes, static_cast<off_t>(offset));
}

int FileSystem::fsync(int fd) {
  return ::fsync(fd);
}

int FileSystem::close(int fd) {
  return ::close(fd);
}

int FileSystem::rename(const std::string& from, const std::string& to, unsigned flags) {
  if (flags == 0) return ::rename(from.c_str(), to.c_str());
  return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags);
}

int FileSystem::link(const std::string& from, const std::string& to) {
  return ::link(from.c_str(), to.c_str());
}

int FileSystem::unlink(const std::string& path) {
  return ::unlink(path.c_str());
}

int FileSystem::make_folder(const std::string& path, unsigned mode) {
  return ::mkdir(path.c_str(), static_cast<mode_t>(mode));
}

void FileSystem::start_writeback(int fd, uint64_t offset, uint64_t bytes) {
  const int saved = errno;
  ::sync_file_range(
      fd, static_cast<off_t>(offset), static_cast<off_t>(bytes), SYNC_FILE_RANGE_WRITE);
  errno = saved;
}

std::string FileSystem::reason(int error_number) const {
  return std::generic_category().message(error_number);
}

}  // namespace mezzo::files
