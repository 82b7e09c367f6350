#include "stages/files/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>

#include "stages/files/publish.h"

namespace mezzo::files {
namespace {

[[noreturn]] void fail(const std::string& path, const char* doing) {
  throw file_error(path, doing, errno, errno == ENOENT ? ErrorKind::kMissing : ErrorKind::kIo);
}

class TreeWalk {
 public:
  TreeWalk(const std::string& top,
           Hidden hidden,
           const std::function<void(const TreeEntry&)>& visit)
      : top_(top), hidden_(hidden), visit_(visit) {}

  /// `path` is the folder's from the top, with a slash at its end; empty for the top itself.
  void walk(int folder, const std::string& path, size_t depth) {
    const std::string& shown = path.empty() ? top_ : path;
    if (depth > kMaxTreeDepth) throw Error(ErrorKind::kLimit, shown + ": folders are too deep");
    std::vector<std::string> names = first_names_in(folder, shown, kMaxTreeEntries + 1);
    std::ranges::sort(names);
    for (const std::string& entry : names) {
      if (hidden_ == Hidden::kLeaveOut && entry.starts_with('.')) continue;
      if (++entries_ > kMaxTreeEntries) {
        throw Error(ErrorKind::kLimit, shown + ": there are too many files");
      }
      const std::string inside = path + entry;
      const std::optional<FileStat> stat = stat_file(folder, entry);
      if (!stat) fail(inside, "examining it");
      visit_({.folder = folder, .name = entry, .path = inside, .stat = *stat});
      if (!stat->is_folder()) continue;
      const Descriptor below = open_folder(folder, entry);
      if (!below) fail(inside, "opening the folder");
      walk(below.get(), inside + "/", depth + 1);
    }
  }

 private:
  const std::string& top_;
  Hidden hidden_;
  const std::function<void(const TreeEntry&)>& visit_;
  size_t entries_ = 0;
};

FileStat from_stat(const struct stat& status) {
  return {{mark_of(status)}, status.st_nlink, status.st_mode};
}

/// Until `visit` returns false.
void read_names(int folder,
                const std::string& path,
                const std::function<bool(const char*)>& visit) {
  // A descriptor of its own, as reading moves its position.
  Descriptor again(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!again) fail(path, "opening the folder");
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(again.get()), &::closedir);
  if (!entries) fail(path, "reading the folder");
  again.release();
  for (;;) {
    errno = 0;
    const struct dirent* entry = ::readdir(entries.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != ".." && !visit(entry->d_name)) return;
  }
  if (errno != 0) fail(path, "reading the folder");
}

}  // namespace

bool FileStat::is_regular() const {
  return S_ISREG(mode);
}

bool FileStat::is_folder() const {
  return S_ISDIR(mode);
}

std::optional<FileStat> stat_file(int folder, const char* name) {
  struct stat status {};
  if (::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return from_stat(status);
}

std::optional<FileStat> stat_file(int folder, const std::string& name) {
  return stat_file(folder, name.c_str());
}

std::optional<FileStat> stat_file(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return std::nullopt;
  return from_stat(status);
}

Descriptor open_folder(int folder, const std::string& path) {
  Descriptor opened;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    opened.reset(::openat(opened ? opened.get() : folder,
                          name.c_str(),
                          O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!opened) break;
    begin = end + 1;
  }
  return opened;
}

Descriptor open_regular(int folder, const std::string& name) {
  Descriptor file(
      ::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  if (!file) return file;
  const std::optional<FileStat> seen = stat_file(file.get());
  if (!seen) return Descriptor();
  if (seen->is_regular() && seen->links == 1) return file;
  file.reset();
  errno = EMLINK;
  return file;
}

Descriptor open_resolving(int folder, const std::string& path, int flags, uint64_t resolve) {
  open_how how{};
  how.flags = static_cast<uint64_t>(flags | O_CLOEXEC);
  how.resolve = resolve;
  long fd = -1;
  do {
    fd = ::syscall(SYS_openat2, folder, path.c_str(), &how, sizeof how);
  } while (fd < 0 && errno == EINTR);
  return Descriptor(static_cast<int>(fd));
}

Descriptor open_beneath(int folder, const std::string& path, int flags) {
  return open_resolving(
      folder, path, flags, RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS);
}

void for_each_name(int folder,
                   const std::string& path,
                   const std::function<void(const char*)>& visit) {
  read_names(folder, path, [&](const char* name) {
    visit(name);
    return true;
  });
}

std::vector<std::string> names_in(int folder, const std::string& path) {
  std::vector<std::string> names;
  for_each_name(folder, path, [&](const char* name) { names.emplace_back(name); });
  std::ranges::sort(names);
  return names;
}

std::vector<std::string> first_names_in(int folder, const std::string& path, size_t most) {
  std::vector<std::string> names;
  if (most == 0) return names;
  read_names(folder, path, [&](const char* name) {
    names.emplace_back(name);
    return names.size() < most;
  });
  return names;
}

void walk_tree(int folder,
               const std::string& shown,
               Hidden hidden,
               const std::function<void(const TreeEntry&)>& visit) {
  TreeWalk(shown, hidden, visit).walk(folder, "", 0);
}

void sync_tree(FileSystem& files, int folder, const std::string& shown) {
  walk_tree(folder, shown, Hidden::kVisit, [&](const TreeEntry& entry) {
    if (!entry.stat.is_regular()) return;
    const Descriptor file = open_regular(entry.folder, entry.name);
    if (!file && errno == EMLINK) return;  // not a file that jobs read
    if (!file) fail(entry.path, "opening it");
    if (sync_file(files, file.get()) != 0 && errno != EINVAL && errno != ENOTSUP) {
      throw file_error(entry.path, "syncing it to the disk", errno);
    }
  });
}

}  // namespace mezzo::files
