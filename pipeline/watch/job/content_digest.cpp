#include "pipeline/watch/job/content_digest.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>
#include <vector>

#include "kernels/base/error.h"

namespace mezzo::watch {
namespace {

constexpr size_t kMaxManifest = 1 << 20;
constexpr size_t kMaxFiles = 20'000;
constexpr int kMaxDepth = 8;
constexpr size_t kBuffer = 128 << 10;  // small, as every thread's heap keeps one

[[noreturn]] void fail(const std::string& path) {
  throw Error(errno == ENOENT ? ErrorKind::kMissing : ErrorKind::kIo,
              path + ": cannot be read: " + std::generic_category().message(errno));
}

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }

 private:
  int fd_;
};

class Digest {
 public:
  Digest(std::string id, const std::atomic<bool>& stop) : id_(std::move(id)), stop_(stop) {
    if (state_ == nullptr) throw std::bad_alloc();
    XXH3_128bits_reset(state_);
    buffer_.resize(kBuffer);
  }
  ~Digest() { XXH3_freeState(state_); }
  Digest(const Digest&) = delete;
  Digest& operator=(const Digest&) = delete;

  /// `name` is the folder's, from that of the job; empty for that itself.
  void add_folder(int parent, const char* entry, const std::string& name, int depth) {
    if (depth > kMaxDepth) throw Error(ErrorKind::kLimit, name + ": folders are too deep");
    const int fd =
        ::openat(parent, entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) fail(name.empty() ? entry : name);
    DIR* listing = ::fdopendir(fd);
    if (listing == nullptr) {
      ::close(fd);
      fail(name);
    }
    std::vector<std::string> entries;
    errno = 0;
    while (const dirent* found = ::readdir(listing)) {
      if (found->d_name[0] != '.') entries.emplace_back(found->d_name);
      errno = 0;
    }
    const int error_number = errno;
    std::ranges::sort(entries);
    try {
      errno = error_number;
      if (error_number != 0) fail(name.empty() ? entry : name);
      for (const std::string& one : entries) {
        add_entry(fd, one, name.empty() ? one : name + "/" + one, depth);
      }
    } catch (...) {
      ::closedir(listing);
      throw;
    }
    ::closedir(listing);
  }

  std::string hex() const {
    const XXH128_hash_t hash = XXH3_128bits_digest(state_);
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
  }

 private:
  void add_entry(int parent, const std::string& entry, const std::string& name, int depth) {
    if (stop_) throw Error(ErrorKind::kInterrupted, "stopped on request");
    struct stat status {};
    if (::fstatat(parent, entry.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) fail(name);
    if (S_ISDIR(status.st_mode)) return add_folder(parent, entry.c_str(), name, depth + 1);
    if (++files_ > kMaxFiles) throw Error(ErrorKind::kLimit, "there are too many files");
    const Descriptor file(
        ::openat(parent, entry.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (file.get() < 0 || ::fstat(file.get(), &status) != 0) fail(name);
    if (!S_ISREG(status.st_mode) || status.st_nlink != 1) {
      throw Error(ErrorKind::kIo, name + ": is not a regular file with one name");
    }
    name == "job.yaml" ? add_manifest(file.get(), name)
                       : add_file(file.get(), name, static_cast<uint64_t>(status.st_size));
  }

  void add(const void* data, size_t bytes) { XXH3_128bits_update(state_, data, bytes); }

  /// So that no other way of cutting the same bytes into files has the same digest.
  void add_title(const std::string& name, uint64_t bytes) {
    const std::string title = fmt::format("{} {} {}\n", name.size(), name, bytes);
    add(title.data(), title.size());
  }

  size_t read_some(int fd, const std::string& name) {
    for (;;) {
      const ssize_t got = ::read(fd, buffer_.data(), buffer_.size());
      if (got >= 0) return static_cast<size_t>(got);
      if (errno != EINTR) fail(name);
    }
  }

  void add_file(int fd, const std::string& name, uint64_t bytes) {
    add_title(name, bytes);
    while (const size_t got = read_some(fd, name)) {
      if (stop_) throw Error(ErrorKind::kInterrupted, "stopped on request");
      add(buffer_.data(), got);
    }
  }

  void add_manifest(int fd, const std::string& name) {
    std::string text;
    while (const size_t got = read_some(fd, name)) {
      text.append(buffer_.data(), got);
      if (text.size() > kMaxManifest) throw Error(ErrorKind::kLimit, name + ": is too long");
    }
    for (size_t at; !id_.empty() && (at = text.find(id_)) != std::string::npos;) {
      text.erase(at, id_.size());
    }
    add_title(name, text.size());
    add(text.data(), text.size());
  }

  std::string id_;
  const std::atomic<bool>& stop_;
  XXH3_state_t* state_ = XXH3_createState();
  std::vector<char> buffer_;
  size_t files_ = 0;
};

}  // namespace

std::string content_digest(const std::string& work,
                           const std::string& id,
                           const std::atomic<bool>& stop) {
  Digest digest(id, stop);
  digest.add_folder(AT_FDCWD, work.c_str(), "", 0);
  return digest.hex();
}

struct DigestTask::Shared {
  std::atomic<bool> stop{false};
  std::atomic<bool> finished{false};
  std::string result;
  std::string problem;
};

DigestTask::DigestTask(std::string work, std::string id, std::function<void()> done)
    : shared_(std::make_shared<Shared>()) {
  std::thread([shared = shared_,
               work = std::move(work),
               id = std::move(id),
               done = std::move(done)] {
    try {
      shared->result = content_digest(work, id, shared->stop);
    } catch (const std::exception& error) {
      shared->problem = error.what();
    }
    shared->finished = true;
    if (!shared->stop) done();
  }).detach();
}

DigestTask::~DigestTask() {
  shared_->stop = true;
}

bool DigestTask::finished() const {
  return shared_->finished;
}

const std::string& DigestTask::result() const {
  return shared_->result;
}

const std::string& DigestTask::problem() const {
  return shared_->problem;
}

}  // namespace mezzo::watch
