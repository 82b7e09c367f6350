// The mark of a file: tells it from another, and from itself after a change, without reading it.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <optional>
#include <string>

#include "stages/files/file_system.h"

namespace mezzo::files {

/// Size, inode and times of a regular file. A rename moves `changed_ns` and nothing else.
struct FileMark {
  uint64_t bytes = 0;
  uint64_t inode = 0;
  int64_t modified_ns = 0;  ///< of the content
  int64_t changed_ns = 0;   ///< of content, name or rights; it cannot be set back
  bool operator==(const FileMark&) const = default;

  /// The same content, perhaps under another name, as far as stat(2) shows: a file made after this
  /// one was removed may have its inode, and then differs only in its times.
  bool same_content(const FileMark& other) const {
    return bytes == other.bytes && inode == other.inode && modified_ns == other.modified_ns;
  }
};

FileMark mark_of(const struct stat& status);

/// Nothing when `path` is not a regular file; links are not followed.
std::optional<FileMark> mark_of(FileSystem& files, const std::string& path);

/// "BYTES INODE MODIFIED CHANGED", and back; nothing when the text is something else.
std::string to_string(const FileMark& mark);
std::optional<FileMark> parse_file_mark(const std::string& text);

}  // namespace mezzo::files
