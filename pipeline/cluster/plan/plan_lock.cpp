#include "pipeline/cluster/plan/plan_lock.h"

#include <cerrno>
#include <system_error>

#include "pipeline/cluster/plan/plan_file.h"
#include "pipeline/log/log.h"
#include "stages/files/publish.h"

namespace mezzo::cluster {

PlanLock::PlanLock(const std::string& folder) {
  make_plan_folder(folder);
  const std::string path = folder + "/lock";
  lock_ = files::take_lock(path, 0666);
  if (!lock_.file) throw files::file_error(path, "opening it", errno, ErrorKind::kCannotCreate);
  if (lock_.is_held()) return;
  if (lock_.error_number == EWOULDBLOCK) {
    throw Error(ErrorKind::kBusy,
                folder + ": another submit or collect is using this plan",
                "wait for its end");
  }
  const std::string reason = std::generic_category().message(lock_.error_number);
  log::warn("{}: cannot be locked: {}", path, reason);
}

}  // namespace mezzo::cluster
