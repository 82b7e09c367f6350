// Folders as open descriptors, and how what is in them looks, without ever following a link.
//
// A path is walked one name at a time, each opened with O_NOFOLLOW below the one before, so nothing
// that appears in a folder meanwhile can lead out of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mezzo::watch {

/// Owns a file descriptor.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release() noexcept;
  void reset() noexcept;

 private:
  int fd_ = -1;
};

/// What tells one state of a file from another. Times are the file system's, and are only compared
/// for equality.
struct FileLook {
  uint64_t inode = 0;
  uint64_t links = 0;
  uint64_t bytes = 0;
  uint32_t mode = 0;
  int64_t modified_ns = 0;
  int64_t changed_ns = 0;
  bool operator==(const FileLook&) const = default;

  bool is_regular() const;
  bool is_folder() const;

  /// The same content, as far as one can tell without reading: a rename changes none of it.
  bool same_content(const FileLook& other) const {
    return inode == other.inode && bytes == other.bytes && modified_ns == other.modified_ns &&
           mode == other.mode;
  }
};

/// Nothing when there is none of that name, or it cannot be looked at; errno says which.
std::optional<FileLook> look_at(int folder, const char* name);
std::optional<FileLook> look_at(int folder, const std::string& name);
std::optional<FileLook> look_at(int fd);

/// Opens a folder below `folder`: one name, or several with slashes between. Without one, errno
/// says why; ENOTDIR or ELOOP when there is something else of that name.
Descriptor open_folder(int folder, const std::string& path);

/// Opens a regular file with one name for reading; never waits. Without one, errno says why, and is
/// EMLINK for another kind of file or several names.
Descriptor open_regular(int folder, const std::string& name);

/// Calls `visit` with each name in the folder but . and .. in any order. Throws Error(kIo) naming
/// `path` when reading fails.
void for_each_name(int folder,
                   const std::string& path,
                   const std::function<void(const char*)>& visit);

/// Up to `limit` bytes of a file, or nothing (errno) when reading fails.
std::optional<std::string> read_all(int fd, size_t limit);

/// A folder and all that is in it, in one number that changes when any of it does; the folder's own
/// name and times are not part of it.
struct TreeLook {
  uint64_t fingerprint = 0;
  uint64_t bytes = 0;
  int64_t modified_ns = 0;  ///< newest of its files
  bool is_too_large = false;
  bool operator==(const TreeLook&) const = default;
};
inline constexpr size_t kMaxTreeDepth = 8;
inline constexpr size_t kMaxTreeEntries = 20'000;

/// Nothing when it cannot be read.
std::optional<TreeLook> look_at_tree(int folder, const std::string& name);

}  // namespace mezzo::watch
