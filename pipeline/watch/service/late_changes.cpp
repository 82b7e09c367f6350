#include "pipeline/watch/service/late_changes.h"

#include <algorithm>

#include "kernels/base/error.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "pipeline/watch/folder/watched_folder.h"
#include "pipeline/watch/job/plate_marks.h"

namespace mezzo::watch {
namespace {

constexpr std::chrono::seconds kLookEvery{2};
constexpr size_t kFilesATurn = 200;
constexpr size_t kFilesATake = 20;  // as which it counts to take a job again

bool share_a_path(const StoredJob& a, const StoredJob& b) {
  return std::ranges::any_of(a.files, [&](const MovedFile& file) {
    return std::ranges::find(b.files, file.path, &MovedFile::path) != b.files.end();
  });
}

}  // namespace

std::string drop_again(WatchedFolder& folder,
                       JobHistory& history,
                       StoredJob& job,
                       const std::string& note) {
  if (job.files.empty()) return "its files went back into the folder already, or are not known";
  if (folder.disk().work().drop_again(job.files) == 0) {
    return "its files cannot be dropped again: they are no longer where the job left them; drop "
           "the page again";
  }
  job.files.clear();
  job.view.message += (job.view.message.empty() ? "" : "; ") + note;
  history.enter(job);
  history.set_message(job.view.id, job.view.message);
  folder.hint();
  return "";
}

void LateChanges::remember(StoredJob job, SteadyTime now) {
  // A file of it took a name that was free: that of an earlier job had gone by then, perhaps back into
  // the folder, by a watcher that was killed before it had entered that.
  std::erase_if(jobs_, [&](const Ended& one) {
    return one.job.view.id == job.view.id || share_a_path(one.job, job);
  });
  jobs_.push_back({.job = std::move(job), .until = now + JobHistory::kRecent});
  if (jobs_.size() > JobHistory::kMostRecent) jobs_.pop_front();
}

void LateChanges::look(SteadyTime now) {
  due_ = now + kLookEvery;
  size_t files = 0;
  for (size_t left = jobs_.size(); left > 0 && files < kFilesATurn; --left) {
    Ended one = std::move(jobs_.front());
    jobs_.pop_front();
    files += one.job.files.size();
    if (one.until <= now) continue;
    if (has_changed(one.job)) {
      take_again(std::move(one.job));
      files += kFilesATake;
    } else {
      jobs_.push_back(std::move(one));
    }
  }
}

bool LateChanges::has_changed(StoredJob& job) const {
  return folder_.is_up() && std::ranges::any_of(job.files, [&](MovedFile& file) {
           return folder_.disk().has_changed(file);
         });
}

void LateChanges::take_again(StoredJob job) {
  try {
    // Retried by hand meanwhile, it has no files any longer.
    std::optional<StoredJob> stored = history_.find(job.view.id);
    if (!stored || stored->files.empty()) return;
    const bool is_done = job.view.state == JobState::kDone;
    const size_t removed = is_done ? remove_plates(*stored, folder_.disk().plates()) : 0;
    std::string note = "its files have changed since";
    if (removed > 0) note += ", so " + counted(removed, "plate") + " of it were removed";
    note += "; dropped again";
    const std::string refusal = drop_again(folder_, history_, *stored, note);
    if (refusal.empty()) history_.dismiss(job.view.id);
    log::warn("{}: {}: {}", job.view.folder, job.view.name, refusal.empty() ? note : refusal);
  } catch (const Error& error) {
    log::warn("{}: {}: {}", job.view.folder, job.view.name, one_line(error.what()));
  }
}

std::optional<SteadyTime> LateChanges::next_time() const {
  return jobs_.empty() ? std::nullopt : std::optional(due_);
}

}  // namespace mezzo::watch
