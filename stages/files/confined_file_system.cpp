#include "stages/files/confined_file_system.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "kernels/base/error.h"
#include "stages/files/folder.h"

namespace mezzo::files {
namespace {

int fail(int error_number) {
  errno = error_number;
  return -1;
}

/// The path without empty and "." parts; "." when nothing is left.
std::string tidy(std::string_view path) {
  std::string result = path.starts_with('/') ? "/" : "";
  for (size_t at = 0; at < path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    at = end + 1;
    if (part.empty() || part == ".") continue;
    if (!result.empty() && result.back() != '/') result += '/';
    result += part;
  }
  return result.empty() ? "." : result;
}

bool has_double_dot(std::string_view path) {
  return ("/" + std::string(path) + "/").find("/../") != std::string::npos;
}

/// The position in `path` of the part below folder `start`, both clean; npos when it is not below
/// it.
size_t below(std::string_view path, std::string_view start) {
  if (start == ".") return path.starts_with('/') ? std::string_view::npos : 0;
  if (!path.starts_with(start)) return std::string_view::npos;
  if (path.size() == start.size() || start == "/") return start.size();
  return path[start.size()] == '/' ? start.size() + 1 : std::string_view::npos;
}

/// The errno for a file that is not to be opened for reading, or 0.
int refusal(const struct stat& found) {
  if (S_ISLNK(found.st_mode)) return ELOOP;
  if (S_ISDIR(found.st_mode)) return EISDIR;
  if (!S_ISREG(found.st_mode)) return ENXIO;
  if (found.st_nlink == 0) return ENOENT;  // removed just now
  return found.st_nlink == 1 ? 0 : EMLINK;
}

/// Opens a folder that no link is, or is in the path of.
Descriptor open_root(int above, const std::string& path) {
  return open_resolving(above, path, O_PATH | O_DIRECTORY, RESOLVE_NO_SYMLINKS);
}

/// Makes the folder and those above it, as far as they are missing, without following a link.
Descriptor make_root(const std::string& path) {
  Descriptor at(::open(path.starts_with('/') ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC));
  for (const std::filesystem::path& part : std::filesystem::path(path).lexically_normal()) {
    const std::string name = part.string();
    if (name.empty() || name == "/") continue;
    Descriptor next = open_root(at.get(), name);
    if (!next && errno == ENOENT &&
        (::mkdirat(at.get(), name.c_str(), 0777) == 0 || errno == EEXIST)) {
      next = open_root(at.get(), name);
    }
    at = std::move(next);
    if (!at) break;
  }
  return at;
}

[[noreturn]] void refuse_root(const std::string& path, int error_number) {
  switch (error_number) {
    case ENOSYS:
      throw Error(ErrorKind::kDevice,
                  path +
                      ": a job cannot be confined to this folder: the kernel, or a container "
                      "around this program, lacks the system call openat2",
                  "use Linux 5.6 or later, or run the job without --within");
    case ENOENT:
      throw Error(
          ErrorKind::kMissing, path + ": this folder of the job is missing", "make it first");
    case ELOOP:
      throw Error(ErrorKind::kCannotCreate,
                  path +
                      ": expected the folder itself, found a symbolic link in its path, and a "
                      "confined job follows none",
                  "give the path that realpath(1) prints");
    case ENOTDIR:
      throw Error(ErrorKind::kCannotCreate, path + ": expected a folder, found something else");
    default:
      throw Error(ErrorKind::kCannotCreate,
                  path + ": this folder of the job cannot be opened: " +
                      FileSystem::real().reason(error_number));
  }
}

}  // namespace

struct ConfinedFileSystem::Entry {
  Descriptor folder;
  std::string name;  ///< empty: the root itself, which is in no folder that can be reached
};

ConfinedFileSystem::ConfinedFileSystem(const std::vector<AllowedFolder>& folders) {
  for (const AllowedFolder& folder : folders) {
    Descriptor root = open_root(AT_FDCWD, folder.path);
    if (!root && errno == ENOENT && folder.make) root = make_root(folder.path);
    if (!root) refuse_root(folder.path, errno);
    const std::string normal = std::filesystem::path(folder.path).lexically_normal().string();
    roots_.push_back({{tidy(folder.path), tidy(normal)}, folder.write, std::move(root)});
  }
}

bool ConfinedFileSystem::find(At at, Way& way) const {
  MZ_ASSERT(at.folder == AT_FDCWD);
  const std::string& path = at.name;
  if (path.empty() || path.find('\0') != std::string::npos) {
    errno = ENOENT;  // as no file has that name
    return false;
  }
  const std::string clean = tidy(path);
  size_t longest = 0;
  for (const Root& root : roots_) {
    for (const std::string& spelling : root.spellings) {
      const size_t begin = below(clean, spelling);
      if (begin == std::string_view::npos) continue;
      if (way.root != nullptr && begin < longest) continue;
      longest = begin;
      way = {&root, begin == clean.size() ? "." : clean.substr(begin)};
    }
  }
  if (way.root != nullptr && !has_double_dot(way.below)) return true;
  errno = EXDEV;
  return false;
}

bool ConfinedFileSystem::find_entry(At at, bool to_write, Entry& entry) const {
  Way way;
  if (!find(at, way)) return false;
  if (to_write && !way.root->write) {
    errno = EROFS;
    return false;
  }
  if (way.below == ".") {
    errno = EBUSY;
    return false;
  }
  const size_t slash = way.below.rfind('/');
  const std::string parent = slash == std::string::npos ? "." : way.below.substr(0, slash);
  entry.name = way.below.substr(slash == std::string::npos ? 0 : slash + 1);
  entry.folder = open_beneath(way.root->folder.get(), parent, O_PATH | O_DIRECTORY);
  return static_cast<bool>(entry.folder);
}

int ConfinedFileSystem::status(const std::string& path, struct stat& found) {
  Way way;
  if (!find(path, way)) return -1;
  const Descriptor file = open_beneath(way.root->folder.get(), way.below, O_PATH);
  return file ? ::fstat(file.get(), &found) : -1;
}

int ConfinedFileSystem::status_of_name(At at, struct stat& found) {
  Way way;
  if (!find(at, way)) return -1;
  if (way.below == ".") return ::fstat(way.root->folder.get(), &found);
  Entry entry;
  if (!find_entry(at, false, entry)) return -1;
  return ::fstatat(entry.folder.get(), entry.name.c_str(), &found, AT_SYMLINK_NOFOLLOW);
}

int ConfinedFileSystem::room(const std::string& path, struct statvfs& found) {
  Way way;
  if (!find(path, way)) return -1;
  const Descriptor file = open_beneath(way.root->folder.get(), way.below, O_PATH);
  return file ? ::fstatvfs(file.get(), &found) : -1;
}

int ConfinedFileSystem::open(At at, int flags, unsigned mode) {
  const bool is_new = (flags & O_CREAT) != 0;
  MZ_ASSERT(is_new ? (flags & O_EXCL) != 0 : (flags & (O_ACCMODE | O_TRUNC)) == O_RDONLY);
  if ((flags & O_DIRECTORY) != 0) {
    Way way;
    if (!find(at, way)) return -1;
    return open_beneath(way.root->folder.get(), way.below, flags).release();
  }
  Entry entry;
  if (!find_entry(at, is_new, entry)) return errno == EBUSY ? fail(EISDIR) : -1;
  if (!is_new) return open_to_read(entry, flags);
  return ::openat(entry.folder.get(),
                  entry.name.c_str(),
                  flags | O_NOFOLLOW | O_CLOEXEC,
                  static_cast<mode_t>(mode));
}

// Looked at twice: before, so that no device or FIFO is opened at all, and after, as another file
// may have come under that name meanwhile. Such a one is opened without blocking, and never read.
int ConfinedFileSystem::open_to_read(const Entry& entry, int flags) {
  struct stat found {};
  if (::fstatat(entry.folder.get(), entry.name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) {
    return -1;
  }
  if (const int error_number = refusal(found)) return fail(error_number);
  Descriptor file(::openat(entry.folder.get(),
                           entry.name.c_str(),
                           flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!file || ::fstat(file.get(), &found) != 0) return -1;
  if (const int error_number = refusal(found)) return fail(error_number);
  return file.release();
}

int ConfinedFileSystem::rename(At from, At to, unsigned flags) {
  Entry old_entry, new_entry;
  if (!find_entry(from, true, old_entry) || !find_entry(to, true, new_entry)) return -1;
  return ::renameat2(old_entry.folder.get(),
                     old_entry.name.c_str(),
                     new_entry.folder.get(),
                     new_entry.name.c_str(),
                     flags);
}

int ConfinedFileSystem::link(At from, At to) {
  Entry old_entry, new_entry;
  if (!find_entry(from, true, old_entry) || !find_entry(to, true, new_entry)) return -1;
  return ::linkat(old_entry.folder.get(),
                  old_entry.name.c_str(),
                  new_entry.folder.get(),
                  new_entry.name.c_str(),
                  0);
}

int ConfinedFileSystem::unlink(At at, int flags) {
  Entry entry;
  if (!find_entry(at, true, entry)) return -1;
  return ::unlinkat(entry.folder.get(), entry.name.c_str(), flags);
}

int ConfinedFileSystem::make_folder(At at, unsigned mode) {
  Entry entry;
  if (!find_entry(at, true, entry)) return -1;
  return ::mkdirat(entry.folder.get(), entry.name.c_str(), static_cast<mode_t>(mode));
}

std::string ConfinedFileSystem::reason(int error_number) const {
  switch (error_number) {
    case EXDEV:
      return "expected a path inside the folders of the job, found one that leads out of them";
    case ELOOP:
      return "expected the file itself, found a symbolic link in its path, and the job follows "
             "none";
    case EMLINK:
      return "expected a file with one name, found one with a second name elsewhere (a hard link); "
             "copy the file instead of linking it";
    case ENXIO:
      return "expected a regular file, found a device, pipe or socket";
    case EISDIR:
      return "expected a regular file, found a folder";
    case EROFS:
      return "the job may only read in that folder, or its disk is for reading only";
    default:
      return FileSystem::reason(error_number);
  }
}

std::vector<AllowedFolder> folders_of_job(const std::string& folder, const std::string& plates) {
  if (plates.empty()) return {{.path = folder, .write = true}};
  return {{.path = folder}, {.path = plates, .write = true, .make = true}};
}

}  // namespace mezzo::files
