// The files that one run has published. None may take the place of another, as happens where the file
// system takes two names for one.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>

#include "stages/files/file_system.h"

namespace mezzo::files {

/// Safe for use by several threads.
class PublishedFiles {
 public:
  /// `path` has this file now.
  void add(const std::string& path, const struct stat& file);

  /// It has none of this run any more.
  void remove(const std::string& path);

  /// The path of the file of this run that has the name `path`, too; empty when there is none. `file` is
  /// what lstat(2) says of `path`, or of the name that its file was moved to.
  std::string owner_of(FileSystem& files, const std::string& path, const struct stat& file) const;

  /// Held from the look at what a rename would replace until add(), so that no other thread gives that
  /// name to a file meanwhile.
  std::mutex& renaming() { return renaming_; }

 private:
  using Inode = std::pair<dev_t, ino_t>;
  using Content = std::tuple<dev_t, off_t, int64_t>;  ///< size and time of the last change

  struct File {
    Inode inode;
    Content content;
  };
  static File file_of(const struct stat& file);

  std::mutex renaming_;
  mutable std::mutex mutex_;
  std::map<std::string, File> files_;                      ///< by path
  std::map<Inode, const std::string*> by_inode_;           ///< paths of files_
  std::multimap<Content, const std::string*> by_content_;  ///< likewise
};

/// Whether the folder lists the name as it is written. A file that can be opened by a name that is not
/// listed has another one. True when the folder cannot be read.
bool is_listed(FileSystem& files, const std::string& path);

}  // namespace mezzo::files
