#include "stages/files/descriptor.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace mezzo::files {

int Descriptor::release() noexcept {
  return std::exchange(fd_, -1);
}

void Descriptor::reset(int fd) noexcept {
  const int saved = errno;
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
  errno = saved;
}

std::optional<std::string> read_all(int fd, size_t limit) {
  std::string text(limit, '\0');
  size_t size = 0;
  while (size < limit) {
    const ssize_t got = ::read(fd, text.data() + size, limit - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return std::nullopt;
    if (got == 0) break;
    size += static_cast<size_t>(got);
  }
  text.resize(size);
  return text;
}

}  // namespace mezzo::files
