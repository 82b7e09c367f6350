#include "pipeline/watch/folder/disk.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "pipeline/text.h"
#include "stages/files/descriptor.h"

namespace mezzo::watch {
namespace {

namespace fs = std::filesystem;

/// The highest folder above `folder` that is on its disk.
std::string mount_of(fs::path folder) {
  struct stat here {};
  struct stat above {};
  if (::stat(folder.c_str(), &here) != 0) return folder;
  while (folder.has_relative_path() && ::stat(folder.parent_path().c_str(), &above) == 0 &&
         above.st_dev == here.st_dev) {
    folder = folder.parent_path();
  }
  return folder;
}

constexpr size_t kProbeBytes = 256 << 10;  // a journal that grows needs less

bool is_of_disk(int error_number) {
  constexpr std::array kOfDisks = {ENOSPC, EDQUOT, EROFS, EIO, ESTALE};
  return std::ranges::find(kOfDisks, error_number) != kOfDisks.end();
}

/// 0, or the errno of the call that failed. Through no link: the folder may lie where strangers write.
int write_probe(const std::string& folder, files::FileSystem& files) {
  const files::Descriptor there(
      ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!there) return errno;
  const std::string name = ".mezzotint-" + std::to_string(::getpid()) + ".part";
  const files::At at(there.get(), name);
  const int fd = files.open(at, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return errno;
  const std::vector<char> zeros(kProbeBytes);
  int error_number = 0;
  for (size_t done = 0; done < zeros.size() && error_number == 0;) {
    const ssize_t n = files.pwrite(fd, zeros.data() + done, zeros.size() - done, done);
    if (n > 0) done += static_cast<size_t>(n);
    if (n == 0) error_number = EIO;
    if (n < 0 && errno != EINTR) error_number = errno;
  }
  if (error_number == 0 && files::sync_file(files, fd) != 0) error_number = errno;
  files.close(fd);
  files.unlink(at);
  return error_number;
}

bool is_shared(const struct statfs& status) {
  constexpr std::array<uint32_t, 7> kShared = {NFS_SUPER_MAGIC,
                                               SMB_SUPER_MAGIC,
                                               CIFS_SUPER_MAGIC,
                                               SMB2_SUPER_MAGIC,
                                               CEPH_SUPER_MAGIC,
                                               FUSE_SUPER_MAGIC,
                                               V9FS_MAGIC};
  return std::ranges::find(kShared, static_cast<uint32_t>(status.f_type)) != kShared.end();
}

}  // namespace

std::optional<DiskView> disk_of(const std::string& folder, files::FileSystem& calls) {
  std::error_code error;
  const fs::path there = fs::canonical(files::existing_folder(calls, folder + "/file"), error);
  struct statvfs room {};
  if (error || calls.room(there, room) != 0) return std::nullopt;
  return DiskView{.path = mount_of(there),
                  .free_bytes = uint64_t{room.f_bavail} * room.f_frsize,
                  .total_bytes = uint64_t{room.f_blocks} * room.f_frsize};
}

std::string shortage_text(const DiskView& disk) {
  return fmt::format("waits for space on {}: {} are free, {} more are needed",
                     disk.path,
                     bytes_text(disk.free_bytes),
                     bytes_text(disk.missing_bytes));
}

std::string disk_trouble(const std::string& folder, files::FileSystem& files) {
  const std::string there = files::existing_folder(files, folder + "/file");
  const int error_number = write_probe(there, files);
  if (!is_of_disk(error_number)) return {};
  return there + " cannot be written to: " + std::generic_category().message(error_number) +
         "; the job goes on once it can";
}

bool is_on_shared_disk(const std::string& path) {
  struct statfs status {};
  return ::statfs(path.c_str(), &status) != 0 || is_shared(status);
}

bool is_on_shared_disk(int fd) {
  struct statfs status {};
  return ::fstatfs(fd, &status) != 0 || is_shared(status);
}

}  // namespace mezzo::watch
