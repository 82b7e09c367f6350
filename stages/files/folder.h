// Folders as open descriptors, and the files in them, without ever following a link.
//
// A path is walked one name at a time, each opened with O_NOFOLLOW below the one before, so nothing
// that appears in a folder meanwhile can lead out of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "stages/files/descriptor.h"
#include "stages/files/file_mark.h"

namespace mezzo::files {

/// A state of a file or folder. Times are the file system's, and are only compared for equality.
struct FileStat : FileMark {
  uint64_t links = 0;
  uint32_t mode = 0;
  bool operator==(const FileStat&) const = default;

  const FileMark& mark() const { return *this; }
  bool is_regular() const;
  bool is_folder() const;

  /// The same content, as far as known without reading; a rename changes nothing here.
  bool same_content(const FileStat& other) const {
    return FileMark::same_content(other) && mode == other.mode;
  }
};

/// Nothing when there is none of that name, or it cannot be examined; errno has the reason.
std::optional<FileStat> stat_file(int folder, const char* name);
std::optional<FileStat> stat_file(int folder, const std::string& name);
std::optional<FileStat> stat_file(int fd);

/// Opens a folder below `folder`: one name, or several with slashes between. On failure errno is
/// set: ENOTDIR or ELOOP when something else has that name.
Descriptor open_folder(int folder, const std::string& path);

/// Opens a regular file with one name for reading; never waits. On failure errno is set: EMLINK for
/// another kind of file or several names.
Descriptor open_regular(int folder, const std::string& name);

/// openat2(2), for which glibc has no function, tried again when a signal interrupts it. `resolve`
/// are its RESOLVE_* flags. On failure errno is set: ENOSYS before Linux 5.6.
Descriptor open_resolving(int folder, const std::string& path, int flags, uint64_t resolve);

/// Opens the file or folder of a path that stays below `folder` and has no link in it. Otherwise
/// errno is EXDEV or ELOOP.
Descriptor open_beneath(int folder, const std::string& path, int flags);

/// Calls `visit` with each name in the folder but . and .., in any order. Throws Error (kIo, and
/// kMissing for a folder that is gone) naming `path` when they cannot be read to the end.
void for_each_name(int folder,
                   const std::string& path,
                   const std::function<void(const char*)>& visit);

/// The same names, sorted.
std::vector<std::string> names_in(int folder, const std::string& path);

/// The first `most` names, unsorted: all of them when there are fewer.
std::vector<std::string> first_names_in(int folder, const std::string& path, size_t most);

/// Something below a folder that is walked.
struct TreeEntry {
  int folder;               ///< that contains it, open
  const std::string& name;  ///< there
  const std::string& path;  ///< from the folder that is walked
  const FileStat& stat;
};
inline constexpr size_t kMaxTreeDepth = 8;
inline constexpr size_t kMaxTreeEntries = 20'000;
enum class Hidden { kVisit, kLeaveOut };

/// Visits all entries in and below the folder, sorted by name, a folder before its entries.
/// Messages call the folder `shown`. Throws Error: kLimit when there are more than the constants
/// above allow; kMissing, kIo when an entry cannot be read, also one that has gone meanwhile.
void walk_tree(int folder,
               const std::string& shown,
               Hidden hidden,
               const std::function<void(const TreeEntry&)>& visit);

/// Brings the regular files in and below the folder to the disk, as their programs may not have
/// done. Throws Error as walk_tree() does, and kIo when one cannot be synced; then others may not
/// be, too.
void sync_tree(FileSystem& files, int folder, const std::string& shown);

}  // namespace mezzo::files
