#include "pipeline/cluster/plan/plan_lock.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "stages/files/publish.h"

namespace mezzo::cluster {

PlanLock::PlanLock(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw files::file_error(folder, "making it", error.value(), ErrorKind::kCannotCreate);
  const std::string path = folder + "/lock";
  fd_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (fd_ < 0) throw files::file_error(path, "opening it", errno, ErrorKind::kCannotCreate);
  if (::flock(fd_, LOCK_EX | LOCK_NB) == 0) return;
  const int reason = errno;
  ::close(fd_);
  fd_ = -1;
  if (reason == EWOULDBLOCK) {
    throw Error(ErrorKind::kBusy,
                folder + ": another submit or collect is at work on this plan; wait for its end");
  }
  spdlog::warn("{}: cannot be locked: {}", path, std::generic_category().message(reason));
}

PlanLock::~PlanLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace mezzo::cluster
