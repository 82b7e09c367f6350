#include "stages/files/rename.h"

#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string_view>
#include <thread>

#include "stages/files/file_mark.h"
#include "stages/files/temporary_name.h"

namespace mezzo::files {
namespace {

constexpr std::string_view kPlaceholder = "Placeholder of mezzotint for a file that is renamed: ";
constexpr size_t kMostPlaceholderBytes = 128;

bool has_no_links(int error_number) {
  return error_number == EPERM || error_number == ENOTSUP || error_number == ENOSYS ||
         error_number == EOPNOTSUPP;
}

/// Of a short regular file; empty otherwise.
std::string text_of(FileSystem& files, At at) {
  struct stat found {};
  if (files.status_of_name(at, found) != 0 || !S_ISREG(found.st_mode)) return {};
  if (found.st_size <= 0 || found.st_size > static_cast<off_t>(kMostPlaceholderBytes)) return {};
  const int fd = files.open(at, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return {};
  std::array<char, kMostPlaceholderBytes> bytes{};
  int error_number = 0;
  const size_t size =
      read_fully(files, fd, 0, std::as_writable_bytes(std::span(bytes)), error_number);
  files.close(fd);
  return {bytes.data(), size};
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

/// Whether it is there a second later, as it was: a rename_new() under way takes less.
bool stays(FileSystem& files, At at, const struct stat& before) {
  std::this_thread::sleep_for(std::chrono::seconds(1));
  struct stat after {};
  return files.status_of_name(at, after) == 0 && mark_of(after) == mark_of(before);
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

/// A file that takes the name until another is renamed over it.
class Placeholder {
 public:
  Placeholder(FileSystem& files, At at) : files_(files), at_(at) {}

  /// For the file with this inode. Returns 0, or -1 with errno.
  int make(ino_t source) {
    const std::string text = placeholder_text(source);
    int fd = -1;
    do {
      fd = files_.open(at_, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    } while (fd < 0 && errno == EINTR);
    if (fd < 0) return -1;
    int result = write_fully(files_, fd, text);
    if (result == 0) result = ::fstat(fd, &made_);
    const int error_number = errno;
    files_.close(fd);
    return result == 0 ? 0 : give_up(error_number);
  }

  /// Returns 0, or -1 with errno. Another's file that took the name meanwhile stays.
  int replace_by(At from) {
    struct stat found {};
    if (files_.status_of_name(at_, found) != 0) return -1;
    if (found.st_ino != made_.st_ino || found.st_size != made_.st_size) {
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
  struct stat made_ {};
};

}  // namespace

int rename_new(FileSystem& files, At from, At to) {
  struct stat found {};
  if (files.rename(from, to, RENAME_NOREPLACE) == 0) return 0;
  if (errno == EEXIST) {
    if (files.status_of_name(from, found) != 0) return -1;
    if (!is_abandoned_placeholder(files, to, found.st_ino)) return -1;
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

bool is_abandoned_placeholder(FileSystem& files, At at, ino_t source) {
  const int error_number = errno;
  struct stat found {};
  bool is_abandoned = false;
  if (files.status_of_name(at, found) == 0 && S_ISREG(found.st_mode)) {
    const auto text = parse_placeholder(text_of(files, at));
    if (text && source != 0 && text->source == source) {
      is_abandoned = true;
    } else if (text && !text->writer.machine.empty() &&
               text->writer.machine == this_process().machine) {
      is_abandoned = ::kill(text->writer.pid, 0) != 0 && errno == ESRCH;
    } else if (text || (found.st_size == 0 && needs_placeholders(files, at))) {
      is_abandoned = stays(files, at, found);
    }
  }
  errno = error_number;
  return is_abandoned;
}

bool is_flag_unknown(int error_number) {
  return error_number == EINVAL || error_number == ENOSYS || error_number == ENOTSUP;
}

}  // namespace mezzo::files
