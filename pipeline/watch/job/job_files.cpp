#include "pipeline/watch/job/job_files.h"

#include "kernels/base/error.h"

namespace mezzo::watch {

bool JobFiles::have_changed() const {
  std::vector<files::FileMark> marks;
  const std::optional<TreeStat> now = state(marks);
  return now && ((state_ && *now != *state_) || are_written());
}

SteadyTime JobFiles::look(SteadyTime now) {
  const std::optional<TreeStat> before = state_;
  begin();
  const manifests::FolderSettings& settings = folder_.settings();
  still_->look(state_ && state_ == before && !are_written(), settings, now);
  if (!still_->is_long_enough(settings, now)) return still_->due(settings);
  still_.reset();
  return now;
}

std::optional<TreeStat> JobFiles::state(std::vector<files::FileMark>& marks) const {
  try {
    return folder_.work().state_of(claim_, marks);
  } catch (const Error&) {
    return std::nullopt;  // the folder is away
  }
}

bool JobFiles::are_written() const {
  try {
    return folder_.is_written(claim_);
  } catch (const Error&) {
    return false;
  }
}

}  // namespace mezzo::watch
