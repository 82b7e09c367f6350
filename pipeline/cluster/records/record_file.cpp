#include "pipeline/cluster/records/record_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <random>

#include "kernels/base/error.h"
#include "pipeline/cluster/records/record_json.h"
#include "stages/files/publish.h"

namespace mezzo::cluster {

RecordFile::RecordFile(const std::string& folder, const std::string& beginning) : folder_(folder) {
  std::random_device random;
  do {
    name_ = fmt::format("{}-{:08x}", beginning, random());
    path_ = folder_ + "/" + name_ + std::string(kRecordSuffix);
    fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
  } while (fd_ < 0 && (errno == EEXIST || errno == EINTR));
  if (fd_ < 0) throw files::file_error(path_, "creating it", errno, ErrorKind::kCannotCreate);
}

RecordFile::~RecordFile() {
  ::close(fd_);
}

void RecordFile::write(const std::string& lines) {
  const std::string text = is_torn_ ? "\n" + lines : lines;
  ssize_t wrote = 0;
  do {
    wrote = ::write(fd_, text.data(), text.size());
  } while (wrote < 0 && errno == EINTR);
  if (wrote == static_cast<ssize_t>(text.size())) {
    is_torn_ = false;
    return;
  }
  if (wrote > 0) is_torn_ = true;
  throw files::file_error(path_, "writing a line", wrote < 0 ? errno : ENOSPC);
}

void RecordFile::sync() {
  if (::fdatasync(fd_) != 0) throw files::file_error(path_, "syncing it", errno);
  struct stat found {};
  if (::fstat(fd_, &found) != 0) throw files::file_error(path_, "examining it", errno);
  if (found.st_nlink > 0) return;
  throw Error(ErrorKind::kBusy,
              path_ + ": the record was removed: the job was submitted again, so this is over");
}

void RecordFile::sync_folder() {
  const int folder = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) throw files::file_error(folder_, "opening it", errno);
  const int error_number = ::fsync(folder) == 0 ? 0 : errno;
  ::close(folder);
  // Some network file systems cannot, and need not.
  if (error_number != 0 && error_number != EINVAL && error_number != ENOTSUP) {
    throw files::file_error(folder_, "syncing it", error_number);
  }
}

}  // namespace mezzo::cluster
