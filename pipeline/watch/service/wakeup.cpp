#include "pipeline/watch/service/wakeup.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#include "kernels/base/error.h"

namespace mezzo::watch {

Wakeup::Wakeup() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!fd_) {
    throw Error(ErrorKind::kIo, "eventfd: " + std::generic_category().message(errno));
  }
}

void Wakeup::wake() noexcept {
  const int kept = errno;
  const uint64_t one = 1;
  // A full counter is as good: the sleeper has not looked yet.
  [[maybe_unused]] const ssize_t written = ::write(fd_.get(), &one, sizeof one);
  errno = kept;
}

void Wakeup::clear() noexcept {
  uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = ::read(fd_.get(), &count, sizeof count);
}

}  // namespace mezzo::watch
