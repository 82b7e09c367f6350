#include "pipeline/watch/folder/folder_jobs.h"

#include <filesystem>
#include <optional>
#include <system_error>

#include "stages/files/folder.h"

namespace mezzo::watch {

bool is_away(const ClaimedJob& job) {
  std::error_code error;
  if (std::filesystem::exists(job.work, error)) return false;
  const std::optional<files::FileStat> lock = files::stat_file(job.lock_fd);
  return !lock || lock->links > 0;
}

}  // namespace mezzo::watch
