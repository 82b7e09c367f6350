#include "pipeline/watch/status/report_file.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace mezzo::watch {
namespace {

constexpr off_t kLargestReport = off_t{32} << 20;
constexpr size_t kLargestPicture = size_t{64} << 10;

/// Closes what it holds.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

/// Opens `path` beneath `folder` for reading, following no link; below 0 when that cannot be.
int open_beneath(int folder, const std::string& path) {
  open_how how{};
  how.flags = O_RDONLY | O_NONBLOCK | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  return static_cast<int>(syscall(SYS_openat2, folder, path.c_str(), &how, sizeof(how)));
}

std::optional<std::string> read_all(int fd, size_t bytes) {
  std::string text(bytes, '\0');
  size_t have = 0;
  while (have < bytes) {
    const ssize_t got = read(fd, text.data() + have, bytes - have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};  // the file has shrunk, or cannot be read
    have += static_cast<size_t>(got);
  }
  return text;
}

/// The value of a base64 digit, or -1.
int digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/// RFC 4648, up to the first character that is no digit.
std::string decode_base64(std::string_view text) {
  std::string bytes;
  uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const int value = digit(c);
    if (value < 0) break;
    bits = bits << 6 | static_cast<uint32_t>(value);
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes += static_cast<char>(bits >> held & 0xff);
  }
  return bytes;
}

}  // namespace

std::optional<std::string> read_report(const JobView& job) {
  std::string folder = job.folder;
  while (folder.ends_with('/')) folder.pop_back();
  folder += '/';
  if (job.folder.empty() || !job.report.starts_with(folder)) return {};
  const Descriptor base(open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (base.get() < 0) return {};
  const Descriptor file(open_beneath(base.get(), job.report.substr(folder.size())));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_nlink != 1 || status.st_size > kLargestReport) {
    return {};
  }
  return read_all(file.get(), static_cast<size_t>(status.st_size));
}

std::optional<Picture> first_picture(std::string_view report) {
  constexpr std::string_view kUri = "data:image/";
  struct Kind {
    std::string_view uri;
    const char* type;
    std::string_view begins;
  };
  constexpr std::array kKinds = {
      Kind{"png;base64,", "image/png", "\x89PNG\r\n\x1a\n"},
      Kind{"jpeg;base64,", "image/jpeg", "\xff\xd8\xff"},
  };
  for (size_t at = report.find(kUri); at != std::string_view::npos; at = report.find(kUri, at)) {
    at += kUri.size();
    for (const Kind& kind : kKinds) {
      if (!report.substr(at).starts_with(kind.uri)) continue;
      // A few characters more than the largest picture has, so that one too large is known.
      std::string bytes =
          decode_base64(report.substr(at + kind.uri.size(), kLargestPicture / 3 * 4 + 8));
      if (bytes.starts_with(kind.begins) && bytes.size() <= kLargestPicture) {
        return Picture{kind.type, std::move(bytes)};
      }
    }
  }
  return {};
}

}  // namespace mezzo::watch
