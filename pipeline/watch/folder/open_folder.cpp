#include "pipeline/watch/folder/open_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string_view>

#include "stages/files/publish.h"

namespace mezzo::watch {
namespace {

int64_t nanoseconds(const struct timespec& time) {
  return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

FileLook from_stat(const struct stat& status) {
  return {.inode = status.st_ino,
          .links = status.st_nlink,
          .bytes = static_cast<uint64_t>(status.st_size),
          .mode = status.st_mode,
          .modified_ns = nanoseconds(status.st_mtim),
          .changed_ns = nanoseconds(status.st_ctim)};
}

/// FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv.
class Fingerprint {
 public:
  void add(std::string_view bytes) {
    for (const char c : bytes) mix(static_cast<unsigned char>(c));
    mix(0);
  }
  void add(uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) mix(static_cast<unsigned char>(number >> shift));
  }
  uint64_t value() const { return value_; }

 private:
  void mix(unsigned char byte) { value_ = (value_ ^ byte) * 0x100000001B3; }
  uint64_t value_ = 0xCBF29CE484222325;
};

class TreeWalk {
 public:
  /// False when a folder cannot be read.
  bool walk(int parent, const std::string& name, size_t depth) {
    if (depth > kMaxTreeDepth) return look_.is_too_large = true;
    const Descriptor folder = open_folder(parent, name);
    if (!folder) return false;
    std::vector<std::string> names;
    for_each_name(folder.get(), name, [&](const char* found) { names.emplace_back(found); });
    std::ranges::sort(names);
    for (const std::string& entry : names) {
      if (++entries_ > kMaxTreeEntries) return look_.is_too_large = true;
      const std::optional<FileLook> seen = look_at(folder.get(), entry);
      if (!seen) return false;
      add(entry, *seen);
      if (seen->is_folder() && !walk(folder.get(), entry, depth + 1)) return false;
    }
    print_.add("..");  // so that it counts where a file lies
    return true;
  }

  TreeLook result() {
    look_.fingerprint = print_.value();
    return look_;
  }

 private:
  void add(const std::string& name, const FileLook& seen) {
    print_.add(name);
    for (const uint64_t part : {seen.inode,
                                seen.links,
                                seen.bytes,
                                static_cast<uint64_t>(seen.mode),
                                static_cast<uint64_t>(seen.modified_ns),
                                static_cast<uint64_t>(seen.changed_ns)}) {
      print_.add(part);
    }
    if (!seen.is_regular()) return;
    look_.bytes += seen.bytes;
    look_.modified_ns = std::max(look_.modified_ns, seen.modified_ns);
  }

  TreeLook look_;
  Fingerprint print_;
  size_t entries_ = 0;
};

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    fd_ = other.release();
  }
  return *this;
}

int Descriptor::release() noexcept {
  const int fd = fd_;
  fd_ = -1;
  return fd;
}

void Descriptor::reset() noexcept {
  if (fd_ < 0) return;
  const int saved = errno;
  ::close(fd_);
  errno = saved;
  fd_ = -1;
}

bool FileLook::is_regular() const {
  return S_ISREG(mode);
}

bool FileLook::is_folder() const {
  return S_ISDIR(mode);
}

std::optional<FileLook> look_at(int folder, const char* name) {
  struct stat status {};
  if (::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return from_stat(status);
}

std::optional<FileLook> look_at(int folder, const std::string& name) {
  return look_at(folder, name.c_str());
}

std::optional<FileLook> look_at(int fd) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) return std::nullopt;
  return from_stat(status);
}

Descriptor open_folder(int folder, const std::string& path) {
  Descriptor opened;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string name = path.substr(begin, end - begin);
    opened = Descriptor(::openat(opened ? opened.get() : folder,
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
  const std::optional<FileLook> seen = look_at(file.get());
  if (!seen) return Descriptor();
  if (seen->is_regular() && seen->links == 1) return file;
  file.reset();
  errno = EMLINK;
  return file;
}

void for_each_name(int folder,
                   const std::string& path,
                   const std::function<void(const char*)>& visit) {
  // A descriptor of its own, as reading moves its position.
  Descriptor again(::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!again) throw files::file_error(path, "opening the folder", errno);
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(again.get()), &::closedir);
  if (!entries) throw files::file_error(path, "reading the folder", errno);
  again.release();
  for (;;) {
    errno = 0;
    const struct dirent* entry = ::readdir(entries.get());
    if (entry == nullptr) break;
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") visit(entry->d_name);
  }
  if (errno != 0) throw files::file_error(path, "reading the folder", errno);
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

std::optional<TreeLook> look_at_tree(int folder, const std::string& name) {
  TreeWalk walk;
  try {
    if (!walk.walk(folder, name, 0)) return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
  return walk.result();
}

}  // namespace mezzo::watch
