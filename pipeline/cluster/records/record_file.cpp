#include "pipeline/cluster/records/record_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <random>

#include "kernels/base/error.h"
#include "pipeline/cluster/records/record_json.h"
#include "stages/files/folder.h"
#include "stages/files/publish.h"

namespace mezzo::cluster {

RecordFile::RecordFile(const std::string& folder, const std::string& beginning) : folder_(folder) {
  std::random_device random;
  do {
    name_ = fmt::format("{}-{:08x}", beginning, random());
    path_ = folder_ + "/" + name_ + std::string(kRecordSuffix);
    file_.reset(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644));
  } while (!file_ && (errno == EEXIST || errno == EINTR));
  if (!file_) throw files::file_error(path_, "creating it", errno, ErrorKind::kCannotCreate);
}

void RecordFile::write(const std::string& lines) {
  const std::string text = is_torn_ ? "\n" + lines : lines;
  ssize_t wrote = 0;
  do {
    wrote = ::write(file_.get(), text.data(), text.size());
  } while (wrote < 0 && errno == EINTR);
  if (wrote == static_cast<ssize_t>(text.size())) {
    is_torn_ = false;
    return;
  }
  if (wrote > 0) is_torn_ = true;
  throw files::file_error(path_, "writing a line", wrote < 0 ? errno : ENOSPC);
}

void RecordFile::sync() {
  if (::fdatasync(file_.get()) != 0) throw files::file_error(path_, "syncing it", errno);
  const auto stat = files::stat_file(file_.get());
  if (!stat) throw files::file_error(path_, "examining it", errno);
  if (stat->links > 0) return;
  throw Error(ErrorKind::kBusy,
              path_ + ": the record was removed: the job was submitted again, so this is over");
}

void RecordFile::sync_folder() {
  files::sync_folder(files::FileSystem::real(), folder_, folder_);
}

}  // namespace mezzo::cluster
