// Preloaded into a program, makes its writes to files short, as POSIX permits: SHORT_WRITES=half:3
// lets every third write() and pwrite() of a thread take half of what it is given, `one` a single
// byte, `none` nothing. Writes to pipes, terminals and the first three descriptors are left alone.
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace {

size_t shortened(int fd, size_t bytes) {
  static const char* const settings = std::getenv("SHORT_WRITES");
  static thread_local unsigned long writes = 0;
  struct stat found {};
  if (settings == nullptr || fd <= 2 || ::fstat(fd, &found) != 0 || !S_ISREG(found.st_mode)) {
    return bytes;
  }
  const char* const colon = std::strchr(settings, ':');
  const unsigned long every = colon == nullptr ? 1 : std::strtoul(colon + 1, nullptr, 10);
  if (every == 0 || ++writes % every != 0 || bytes < 2) return bytes;
  switch (settings[0]) {
    case 'h':
      return bytes / 2;
    case 'o':
      return 1;
    default:
      return 0;
  }
}

template <typename Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

ssize_t write(int fd, const void* data, size_t bytes) {
  using Write = ssize_t (*)(int, const void*, size_t);
  static const auto next = real<Write>("write");
  return next(fd, data, shortened(fd, bytes));
}

ssize_t pwrite(int fd, const void* data, size_t bytes, off_t offset) {
  using Write = ssize_t (*)(int, const void*, size_t, off_t);
  static const auto next = real<Write>("pwrite");
  return next(fd, data, shortened(fd, bytes), offset);
}

ssize_t pwrite64(int fd, const void* data, size_t bytes, off64_t offset) {
  using Write = ssize_t (*)(int, const void*, size_t, off64_t);
  static const auto next = real<Write>("pwrite64");
  return next(fd, data, shortened(fd, bytes), offset);
}
}
