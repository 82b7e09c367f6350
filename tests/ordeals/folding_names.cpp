// Makes folders called "folds" take names for one that differ in case, in the form of Unicode, or in '-'
// and '_': as some file systems do, and one that folds more than the program knows. For LD_PRELOAD; see
// poor_disk.py.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <string>

#include "kernels/prepress/folded_name.h"

namespace {

template <typename Call>
Call next(Call, const char* name) {
  return reinterpret_cast<Call>(::dlsym(RTLD_NEXT, name));
}

std::string folded(const char* path) {
  std::string text = path;
  const size_t slash = text.rfind('/');
  if (slash == std::string::npos || !text.substr(0, slash).ends_with("/folds")) return text;
  std::string name = mezzo::prepress::folded_name(text.substr(slash + 1));
  std::ranges::replace(name, '-', '_');
  return text.substr(0, slash + 1) + name;
}

}  // namespace

extern "C" {

int renameat2(int from_folder, const char* from, int to_folder, const char* to, unsigned flags) {
  static const auto call = next(&::renameat2, "renameat2");
  return call(from_folder, folded(from).c_str(), to_folder, folded(to).c_str(), flags);
}

int renameat(int from_folder, const char* from, int to_folder, const char* to) noexcept {
  static const auto call = next(&::renameat, "renameat");
  return call(from_folder, folded(from).c_str(), to_folder, folded(to).c_str());
}

int openat(int folder, const char* path, int flags, ...) {
  static const auto call = next(&::openat, "openat");
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return call(folder, folded(path).c_str(), flags, mode);
}

int open(const char* path, int flags, ...) {
  static const auto call = next(&::open, "open");
  va_list more;
  va_start(more, flags);
  const mode_t mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
  va_end(more);
  return call(folded(path).c_str(), flags, mode);
}

int fstatat(int folder, const char* path, struct stat* found, int flags) noexcept {
  static const auto call = next(&::fstatat, "fstatat");
  return call(folder, folded(path).c_str(), found, flags);
}

int stat(const char* path, struct stat* found) noexcept {
  static const auto call = next(static_cast<int (*)(const char*, struct stat*)>(&::stat), "stat");
  return call(folded(path).c_str(), found);
}

int lstat(const char* path, struct stat* found) noexcept {
  static const auto call = next(&::lstat, "lstat");
  return call(folded(path).c_str(), found);
}

int linkat(int from_folder, const char* from, int to_folder, const char* to, int flags) noexcept {
  static const auto call = next(&::linkat, "linkat");
  return call(from_folder, folded(from).c_str(), to_folder, folded(to).c_str(), flags);
}

int unlinkat(int folder, const char* path, int flags) noexcept {
  static const auto call = next(&::unlinkat, "unlinkat");
  return call(folder, folded(path).c_str(), flags);
}

}  // extern "C"
