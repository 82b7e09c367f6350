#include "pipeline/watch/folder/disk.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <filesystem>
#include <system_error>

#include "pipeline/text.h"

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

}  // namespace mezzo::watch
