#include "stages/files/rename.h"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string_view>

#include "stages/files/descriptor.h"
#include "stages/files/disk_kind.h"
#include "stages/files/mount.h"
#include "stages/files/temporary_name.h"

namespace mezzo::files {
namespace {

constexpr std::string_view kPlaceholder = "Placeholder of mezzotint for a file that is renamed: ";
constexpr size_t kMostPlaceholderBytes = 128;

bool has_no_links(int error_number) {
  return error_number == EPERM || error_number == ENOTSUP || error_number == ENOSYS ||
         error_number == EOPNOTSUPP;
}

/// Opens a regular file that is short enough to be a placeholder; owns nothing for all others.
Descriptor open_short(FileSystem& files, At at) {
  struct stat found {};
  if (files.status_of_name(at, found) != 0 || !S_ISREG(found.st_mode)) return {};
  if (found.st_size > static_cast<off_t>(kMostPlaceholderBytes)) return {};
  return Descriptor(files.open(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

std::string text_of(FileSystem& files, int fd) {
  std::array<char, kMostPlaceholderBytes> bytes{};
  int error_number = 0;
  const size_t size =
      read_fully(files, fd, 0, std::as_writable_bytes(std::span(bytes)), error_number);
  return {bytes.data(), size};
}

/// Whether the name still belongs to the open file.
bool has_name(FileSystem& files, int fd, At at) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(fd, &opened) == 0 && files.status_of_name(at, named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_size == named.st_size;
}

/// Whether only this kernel uses the file's disk, so that it knows all locks.
bool has_all_locks(int fd) {
  return is_on_own_disk("/proc/self/fd/" + std::to_string(fd)) ||
         has_fixed_modes(file_system_of(fd));
}

/// What a placeholder says of the rename that it is for.
struct PlaceholderText {
  Writer writer;
  ino_t source = 0;
};

std::string placeholder_text(ino_t source) {
  return std::string(kPlaceholder) + std::to_string(source) +
         temporary_tail(this_process(), std::random_device()()) + "\n";
}

/// Nothing when the text is no placeholder's.
std::optional<PlaceholderText> parse_placeholder(const std::string& text) {
  if (!text.starts_with(kPlaceholder) || !text.ends_with('\n')) return std::nullopt;
  PlaceholderText parsed;
  const std::string name = text.substr(kPlaceholder.size(), text.size() - kPlaceholder.size() - 1);
  const auto source = final_name_of("." + name, parsed.writer);
  if (!source) return std::nullopt;
  parsed.source = std::strtoull(source->c_str(), nullptr, 10);
  return parsed;
}

/// Whether the folder of the file has neither RENAME_NOREPLACE nor links, as a file made for that says.
bool needs_placeholders(FileSystem& files, At beside) {
  const size_t slash = beside.name.rfind('/');
  const size_t begin = slash == std::string::npos ? 0 : slash + 1;
  const auto name = [&] {  // temporary, as if of that file
    return beside.name.substr(0, begin) + "." + beside.name.substr(begin) +
           temporary_tail(this_process(), std::random_device()());
  };
  const std::string one = name(), other = name();
  const At from{beside.folder, one}, to{beside.folder, other};
  const int fd = files.open(from, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0) return false;
  files.close(fd);
  const bool has_flag = files.rename(from, to, RENAME_NOREPLACE) == 0 || !is_flag_unknown(errno);
  const bool has_links = has_flag || files.link(from, to) == 0 || !has_no_links(errno);
  files.unlink(from);
  files.unlink(to);
  return !has_flag && !has_links;
}

int write_fully(FileSystem& files, int fd, std::string_view text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t written = files.pwrite(fd, text.data() + done, text.size() - done, done);
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = EIO;
    if (written <= 0) return -1;
    done += static_cast<size_t>(written);
  }
  return 0;
}

/// Opens and locks the placeholder of a rename_new() that was stopped. Owns nothing when the name belongs to any other
/// file, or to the placeholder of a rename_new() that is under way, which holds the lock until its file has the name.
Descriptor lock_abandoned(FileSystem& files, At at, ino_t source) {
  Descriptor file = open_short(files, at);
  if (!file) return {};
  const bool is_locked = ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
  if (!is_locked && errno == EWOULDBLOCK) return {};
  if (!has_name(files, file.get(), at)) return {};  // it was renamed over meanwhile
  const std::string text = text_of(files, file.get());
  const auto placeholder = parse_placeholder(text);
  if (!placeholder && !(text.empty() && needs_placeholders(files, at))) return {};
  const bool is_own = placeholder && source != 0 && placeholder->source == source;
  const bool is_of_here = placeholder && !placeholder->writer.machine.empty() &&
                          placeholder->writer.machine == this_process().machine;
  const bool is_free = is_locked && (is_of_here || has_all_locks(file.get()));
  return is_own || is_free ? std::move(file) : Descriptor();
}

/// A file that takes the name until another is renamed over it.
class Placeholder {
 public:
  Placeholder(FileSystem& files, At at) : files_(files), at_(at) {}

  /// For the file with this inode. Returns 0, or -1 with errno.
  int make(ino_t source) {
    do {
      file_.reset(files_.open(at_, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    } while (!file_ && errno == EINTR);
    if (!file_) return -1;
    // Before it is locked, another process may take it for abandoned and replace it.
    const bool is_lost = ::flock(file_.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (is_lost || !has_name(files_, file_.get(), at_)) {
      errno = EEXIST;
      return -1;
    }
    return write_fully(files_, file_.get(), placeholder_text(source)) == 0 ? 0 : give_up(errno);
  }

  /// Returns 0, or -1 with errno. Another's file that took the name meanwhile stays.
  int replace_by(At from) {
    if (!has_name(files_, file_.get(), at_)) {
      errno = EEXIST;
      return -1;
    }
    return files_.rename(from, at_, 0) == 0 ? 0 : give_up(errno);
  }

 private:
  int give_up(int error_number) {
    files_.unlink(at_);
    errno = error_number;
    return -1;
  }

  FileSystem& files_;
  At at_;
  Descriptor file_;  ///< with the lock
};

}  // namespace

int rename_new(FileSystem& files, At from, At to) {
  struct stat found {};
  if (files.rename(from, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno == EEXIST) {
    if (files.status_of_name(from, found) != 0) return -1;
    const Descriptor abandoned = lock_abandoned(files, to, found.st_ino);
    if (!abandoned) {
      errno = EEXIST;
      return -1;
    }
    if (files.unlink(to) != 0 && errno != ENOENT) return -1;
    if (files.rename(from, to, RENAME_NOREPLACE) == 0) return 0;
  }
  if (!is_flag_unknown(errno)) return -1;
  if (files.status_of_name(from, found) != 0) return -1;
  if (S_ISDIR(found.st_mode)) return files.rename(from, to, 0);  // replaces empty folders alone
  if (files.link(from, to) == 0) {                               // replaces nothing
    files.unlink(from);
    return 0;
  }
  if (!has_no_links(errno)) return -1;
  Placeholder placeholder(files, to);
  return placeholder.make(found.st_ino) == 0 ? placeholder.replace_by(from) : -1;
}

bool is_abandoned_placeholder(FileSystem& files, At at) {
  const int error_number = errno;
  const bool is_abandoned = static_cast<bool>(lock_abandoned(files, at, 0));
  errno = error_number;
  return is_abandoned;
}

bool is_flag_unknown(int error_number) {
  return error_number == EINVAL || error_number == ENOSYS || error_number == ENOTSUP;
}

}  // namespace mezzo::files
