#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "manifests/job.h"
#include "manifests/source_text.h"

namespace mezzo {
namespace {

/// A file descriptor that closes itself.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

[[noreturn]] void cannot_read(const std::string& path, const std::string& reason) {
  throw Error(ErrorKind::kIo, "the manifest " + in_quotes(path) + " cannot be read: " + reason);
}

/// The whole text of a regular file of at most kMaxManifestBytes.
std::string read_text(const std::string& path) {
  const OpenFile file(path);
  if (file.get() < 0) {
    const int error = errno;
    if (error != ENOENT && error != ENOTDIR) cannot_read(path, std::strerror(error));
    throw Error(ErrorKind::kMissing,
                "there is no manifest " + in_quotes(path) + "; check the path and its spelling");
  }
  struct stat status = {};
  if (::fstat(file.get(), &status) != 0) cannot_read(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) cannot_read(path, "it is a folder; name the file in it");
  if (!S_ISREG(status.st_mode)) cannot_read(path, "it is not a regular file");
  std::string text(kMaxManifestBytes + 1, '\0');
  size_t size = 0;
  while (size < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + size, text.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) cannot_read(path, std::strerror(errno));
    if (got == 0) break;
    size += static_cast<size_t>(got);
  }
  if (size > kMaxManifestBytes) {
    throw Error(ErrorKind::kLimit,
                "the manifest " + in_quotes(path) +
                    " is larger than 256 KiB, the limit for a manifest; split the job, or name "
                    "folders and patterns instead of files");
  }
  text.resize(size);
  return text;
}

}  // namespace

Checked<Job> load_manifest(const std::string& path) {
  Checked<JobDraftPtr> parsed = parse_manifest(read_text(path), path);
  if (auto* diagnostics = std::get_if<std::vector<Diagnostic>>(&parsed)) {
    return std::move(*diagnostics);
  }
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return resolve(*std::get<JobDraftPtr>(parsed), folder);
}

}  // namespace mezzo
