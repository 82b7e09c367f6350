#include "manifests/read_text.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "kernels/base/error.h"
#include "manifests/source_text.h"

namespace mezzo::manifests {
namespace {

/// A file descriptor that closes itself.
class OpenFile {
 public:
  OpenFile(const std::string& path, int flags)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | flags)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

}  // namespace

std::string read_text(const std::string& path,
                      std::string_view what,
                      Names names,
                      std::string_view advice) {
  const bool is_strict = names == Names::kOneAndNoLink;
  const std::string title = std::string(what) + " " + in_quotes(path);
  const auto cannot_read = [&](const std::string& reason) {
    throw Error(ErrorKind::kIo, "the " + title + " cannot be read: " + reason);
  };
  const OpenFile file(path, is_strict ? O_NOFOLLOW : 0);
  if (file.get() < 0) {
    const int error = errno;
    if (is_strict && error == ELOOP) cannot_read("it is a symbolic link");
    if (error != ENOENT && error != ENOTDIR) cannot_read(std::strerror(error));
    throw Error(ErrorKind::kMissing, "there is no " + title + "; check the path and its spelling");
  }
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) cannot_read(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) cannot_read("it is a folder; name the file in it");
  if (!S_ISREG(status.st_mode)) cannot_read("it is not a regular file");
  if (is_strict && status.st_nlink > 1) cannot_read("it has a second name (a hard link)");
  std::string text(kMaxManifestBytes + 1, '\0');
  size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(std::strerror(errno));
    if (got == 0) break;
    size += static_cast<size_t>(got);
  }
  if (size > kMaxManifestBytes) {
    throw Error(ErrorKind::kLimit,
                "the " + title + " is larger than 256 KiB, the limit for a " + std::string(what) +
                    "; " + std::string(advice));
  }
  text.resize(size);
  return text;
}

}  // namespace mezzo::manifests
