#include "stages/files/published_files.h"

#include <dirent.h>

#include <cerrno>
#include <filesystem>
#include <iterator>
#include <memory>

#include "stages/files/file_mark.h"
#include "stages/files/temporary_name.h"

namespace mezzo::files {

PublishedFiles::File PublishedFiles::file_of(const struct stat& file) {
  return {{file.st_dev, file.st_ino}, {file.st_dev, file.st_size, mark_of(file).modified_ns}};
}

void PublishedFiles::add(const std::string& path, const struct stat& file) {
  remove(path);
  const std::lock_guard lock(mutex_);
  const File made = file_of(file);
  const std::string* key = &files_.emplace(path, made).first->first;
  by_inode_[made.inode] = key;
  by_content_.emplace(made.content, key);
}

void PublishedFiles::remove(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(path);
  if (found == files_.end()) return;
  const std::string* key = &found->first;
  const auto inode = by_inode_.find(found->second.inode);
  if (inode != by_inode_.end() && inode->second == key) by_inode_.erase(inode);
  auto [at, end] = by_content_.equal_range(found->second.content);
  while (at != end) at = at->second == key ? by_content_.erase(at) : std::next(at);
  files_.erase(found);
}

std::string PublishedFiles::owner_of(FileSystem& files,
                                     const std::string& path,
                                     const struct stat& file) const {
  const File found = file_of(file);
  std::string owner;
  {
    const std::lock_guard lock(mutex_);
    // When a file was replaced or removed, the disk may give its inode to another one.
    const auto same_inode = by_inode_.find(found.inode);
    if (same_inode != by_inode_.end() && files_.at(*same_inode->second).content == found.content) {
      return *same_inode->second == path ? "" : *same_inode->second;
    }
    // File systems without inodes may number a file anew for each way to write its name.
    const auto [begin, end] = by_content_.equal_range(found.content);
    for (auto same = begin; same != end; ++same) {
      if (*same->second == path) return "";
      if (folder_of(*same->second) == folder_of(path)) owner = *same->second;
    }
  }
  return owner.empty() || is_listed(files, path) ? "" : owner;
}

bool is_listed(FileSystem& files, const std::string& path) {
  const std::string folder = folder_of(path);
  const std::string wanted = std::filesystem::path(path).filename().string();
  const int fd = open_file(files, folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return true;
  const std::unique_ptr<DIR, int (*)(DIR*)> names(::fdopendir(fd), &::closedir);
  if (!names) {
    files.close(fd);
    return true;
  }
  errno = 0;
  const struct dirent* entry = ::readdir(names.get());
  while (entry != nullptr && wanted != entry->d_name) entry = ::readdir(names.get());
  return entry != nullptr || errno != 0;
}

}  // namespace mezzo::files
