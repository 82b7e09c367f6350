#include "pipeline/watch/job/content_digest.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>
#include <vector>

#include "kernels/base/error.h"
#include "stages/files/folder.h"
#include "stages/files/xxh3.h"
#include "stages/tiff/read/limits.h"

namespace mezzo::watch {
namespace {

constexpr size_t kMaxManifest = 1 << 20;
constexpr size_t kBuffer = 128 << 10;  // small, as every thread's heap keeps one

[[noreturn]] void fail(const std::string& path) {
  throw Error(errno == ENOENT ? ErrorKind::kMissing : ErrorKind::kIo,
              path + ": cannot be read: " + std::generic_category().message(errno));
}

/// A page with more holes than content costs its sender nothing, and its reader hours. A page that
/// a disk compresses to a quarter is taken for one; then a second drop of it is not known.
void refuse_oversize(int fd, const std::string& name) {
  constexpr uint64_t kLarge = 16 << 20;
  constexpr uint64_t kBlockBytes = 512;
  struct stat status {};
  if (::fstat(fd, &status) != 0) fail(name);
  const auto bytes = static_cast<uint64_t>(status.st_size);
  const uint64_t stored = static_cast<uint64_t>(status.st_blocks) * kBlockBytes;
  if (bytes > tiff::InputLimits().max_file_bytes) {
    throw Error(ErrorKind::kLimit, name + ": is larger than any page may be");
  }
  if (bytes > kLarge && stored < bytes / 4) {
    throw Error(ErrorKind::kLimit,
                name + ": most of it is holes, so it is not compared with earlier pages");
  }
}

class Digest {
 public:
  Digest(std::string id,
         const std::stop_token& stop,
         std::atomic<uint64_t>* bytes_read,
         FileDigests* files)
      : id_(std::move(id)), stop_(stop), bytes_read_(bytes_read), files_(files) {}

  std::string of(const std::string& work) {
    const files::Descriptor folder(
        ::open(work.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder) fail(work);
    files::walk_tree(folder.get(), work, files::Hidden::kLeaveOut, [this](const auto& entry) {
      if (stop_.stop_requested()) throw Error(ErrorKind::kInterrupted, "stopped on request");
      if (!entry.stat.is_folder()) add_entry(entry);
    });
    return digest_.hex128();
  }

 private:
  void add_entry(const files::TreeEntry& entry) {
    const files::Descriptor file = files::open_regular(entry.folder, entry.name);
    if (!file && errno == EMLINK) {
      throw Error(ErrorKind::kIo, entry.path + ": is not a regular file with one name");
    }
    const auto stat = file ? files::stat_file(file.get()) : std::nullopt;
    if (!stat) fail(entry.path);
    refuse_oversize(file.get(), entry.path);
    entry.path == "job.yaml" ? add_manifest(file.get(), entry.path)
                             : add_file(file.get(), entry.path, stat->bytes);
  }

  /// So that no other way of cutting the same bytes into files has the same digest.
  void add_title(const std::string& name, uint64_t bytes) {
    const std::string title = fmt::format("{} {} {}\n", name.size(), name, bytes);
    digest_.add(title.data(), title.size());
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
    files::Xxh3 own;
    while (const size_t got = read_some(fd, name)) {
      if (stop_.stop_requested()) throw Error(ErrorKind::kInterrupted, "stopped on request");
      digest_.add(buffer_.data(), got);
      if (files_ != nullptr) own.add(buffer_.data(), got);
      if (bytes_read_ != nullptr) *bytes_read_ += got;
    }
    if (files_ != nullptr) (*files_)[name] = own.hex128();
  }

  void add_manifest(int fd, const std::string& name) {
    std::optional<std::string> text = files::read_all(fd, kMaxManifest + 1);
    if (!text) fail(name);
    if (text->size() > kMaxManifest) throw Error(ErrorKind::kLimit, name + ": is too long");
    for (size_t at; !id_.empty() && (at = text->find(id_)) != std::string::npos;) {
      text->erase(at, id_.size());
    }
    add_title(name, text->size());
    digest_.add(text->data(), text->size());
  }

  std::string id_;
  const std::stop_token& stop_;
  std::atomic<uint64_t>* bytes_read_;
  FileDigests* files_;
  files::Xxh3 digest_;
  std::vector<char> buffer_ = std::vector<char>(kBuffer);
};

}  // namespace

std::string content_digest(const std::string& work,
                           const std::string& id,
                           const std::stop_token& stop,
                           std::atomic<uint64_t>* bytes_read,
                           FileDigests* files) {
  return Digest(id, stop, bytes_read, files).of(work);
}

DigestTask::DigestTask(Machine& machine,
                       std::string work,
                       std::string id,
                       std::function<void()> done) {
  machine.detach(
      [state = state_, work = std::move(work), id = std::move(id), done = std::move(done)] {
        const std::stop_token stop = state->stop.get_token();
        try {
          state->result = content_digest(work, id, stop, &state->bytes_read, &state->files);
        } catch (const std::exception& error) {
          state->problem = error.what();
        }
        state->finished = true;
        if (!stop.stop_requested()) done();
      });
}

DigestTask::~DigestTask() {
  state_->stop.request_stop();
}

}  // namespace mezzo::watch
