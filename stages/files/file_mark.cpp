#include "stages/files/file_mark.h"

#include <sstream>

namespace mezzo::files {
namespace {

int64_t nanoseconds(const timespec& time) {
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

FileMark mark_of(const struct stat& status) {
  return {static_cast<uint64_t>(status.st_size),
          static_cast<uint64_t>(status.st_ino),
          nanoseconds(status.st_mtim),
          nanoseconds(status.st_ctim)};
}

std::optional<FileMark> mark_of(FileSystem& files, const std::string& path) {
  struct stat status {};
  if (files.status_of_name(path, status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return mark_of(status);
}

std::string to_string(const FileMark& mark) {
  std::ostringstream text;
  text << mark.bytes << ' ' << mark.inode << ' ' << mark.modified_ns << ' ' << mark.changed_ns;
  return text.str();
}

std::optional<FileMark> parse_file_mark(const std::string& text) {
  std::istringstream in(text);
  FileMark mark;
  if (!(in >> mark.bytes >> mark.inode >> mark.modified_ns >> mark.changed_ns)) return std::nullopt;
  return mark;
}

}  // namespace mezzo::files
