#include "stages/files/file_system.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace mezzo::files {

FileSystem& FileSystem::real() {
  static FileSystem calls;
  return calls;
}

int FileSystem::status(const std::string& path, struct stat& found) {
  return ::stat(path.c_str(), &found);
}

int FileSystem::status_of_name(At at, struct stat& found) {
  return ::fstatat(at.folder, at.name.c_str(), &found, AT_SYMLINK_NOFOLLOW);
}

int FileSystem::room(const std::string& path, struct statvfs& found) {
  return ::statvfs(path.c_str(), &found);
}

int FileSystem::open(At at, int flags, unsigned mode) {
  return ::openat(at.folder, at.name.c_str(), flags, static_cast<mode_t>(mode));
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

int FileSystem::rename(At from, At to, unsigned flags) {
  const char* old_name = from.name.c_str();
  const char* new_name = to.name.c_str();
  if (flags == 0) return ::renameat(from.folder, old_name, to.folder, new_name);
  return ::renameat2(from.folder, old_name, to.folder, new_name, flags);
}

int FileSystem::link(At from, At to) {
  return ::linkat(from.folder, from.name.c_str(), to.folder, to.name.c_str(), 0);
}

int FileSystem::unlink(At at, int flags) {
  return ::unlinkat(at.folder, at.name.c_str(), flags);
}

int FileSystem::make_folder(At at, unsigned mode) {
  return ::mkdirat(at.folder, at.name.c_str(), static_cast<mode_t>(mode));
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

std::string existing_folder(FileSystem& files, const std::string& path) {
  struct stat found {};
  std::filesystem::path folder = std::filesystem::path(path).parent_path();
  while (folder.has_relative_path() && files.status(folder, found) != 0) {
    folder = folder.parent_path();
  }
  return folder.empty() ? "." : folder.string();
}

std::optional<uint64_t> free_space(FileSystem& files, const std::string& path) {
  struct statvfs found {};
  if (files.room(existing_folder(files, path), found) != 0) return std::nullopt;
  return uint64_t{found.f_bavail} * found.f_frsize;
}

int open_file(FileSystem& files, const std::string& path, int flags, unsigned mode) {
  int fd = -1;
  do {
    fd = files.open(path, flags, mode);
  } while (fd < 0 && errno == EINTR);
  return fd;
}

size_t read_fully(FileSystem& files,
                  int fd,
                  uint64_t offset,
                  std::span<std::byte> to,
                  int& error_number) noexcept {
  error_number = 0;
  size_t done = 0;
  while (done < to.size()) {
    // One read moves at most 2 GiB less a page.
    const size_t wanted = std::min(to.size() - done, size_t{1} << 30);
    const ssize_t got = files.pread(fd, to.data() + done, wanted, offset + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) error_number = errno;
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  return done;
}

int sync_file(FileSystem& files, int fd) {
  int status = -1;
  do {
    status = files.fsync(fd);
  } while (status != 0 && errno == EINTR);
  return status;
}

}  // namespace mezzo::files
