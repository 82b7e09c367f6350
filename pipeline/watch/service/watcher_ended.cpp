// The files of ended jobs: dropped again on request, and taken again when they change.
//
// A copy can pause for longer than any folder waits, and a writer on another machine cannot be seen. The job then
// starts with half a page, and the rest of the file arrives in done/ or failed/. So the watcher looks at the files
// of ended jobs for an hour. When one of them changes, it drops the job into its folder again. Folders that were
// dropped as jobs are not watched.
#include <algorithm>
#include <utility>

#include "kernels/base/error.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "pipeline/watch/job/job_store.h"
#include "pipeline/watch/service/watcher.h"

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

/// Moves the job's files from where it left them back into the folder, and adds `note` to its
/// message in the history, which must have a store. Returns why it cannot be done, for people; empty when it
/// was. Throws Error(kIo, kDiskFull, kMissing).
std::string FolderSlot::drop_again(JobHistory& history, StoredJob& job, const std::string& note) {
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

/// An older job first.
void FolderSlot::remember(StoredJob job, SteadyTime now) {
  // A file of it took a name that was free: that of an earlier job had gone by then, perhaps back into
  // the folder, by a watcher that was killed before it had entered that.
  std::erase_if(ended, [&](const EndedJob& one) {
    return one.job.view.id == job.view.id || share_a_path(one.job, job);
  });
  ended.push_back({.job = std::move(job), .until = now + JobHistory::kRecent});
  if (ended.size() > JobHistory::kMostRecent) ended.pop_front();
}

/// Looks at some of the files, in turn. In the lane of the folder.
void Watcher::look_at_ended(FolderSlot& slot, SteadyTime now) {
  slot.ended_due = now + kLookEvery;
  size_t files = 0;
  for (size_t left = slot.ended.size(); left > 0 && files < kFilesATurn; --left) {
    EndedJob one = std::move(slot.ended.front());
    slot.ended.pop_front();
    files += one.job.files.size();
    if (one.until <= now) continue;
    const auto has_changed = [&](MovedFile& file) { return slot.folder.disk().has_changed(file); };
    if (slot.folder.is_up() && std::ranges::any_of(one.job.files, has_changed)) {
      take_again(slot, std::move(one.job));
      files += kFilesATake;
    } else {
      slot.ended.push_back(std::move(one));
    }
  }
}

void Watcher::take_again(FolderSlot& slot, StoredJob job) {
  try {
    // Retried by hand meanwhile, it has no files any longer.
    std::optional<StoredJob> stored = history_.ask(&JobStore::find, job.view.id);
    if (!stored || stored->files.empty()) return;
    const bool is_done = job.view.state == JobState::kDone;
    const size_t removed = is_done ? remove_plates(*stored, slot.folder.disk().plates()) : 0;
    std::string note = "its files have changed since";
    if (removed > 0) note += ", so " + counted(removed, "plate") + " of it were removed";
    note += "; dropped again";
    const std::string refusal = slot.drop_again(history_, *stored, note);
    if (refusal.empty()) history_.dismiss(job.view.id);
    log::warn("{}: {}: {}", job.view.folder, job.view.name, refusal.empty() ? note : refusal);
  } catch (const Error& error) {
    log::warn("{}: {}: {}", job.view.folder, job.view.name, one_line(error.what()));
  }
}

}  // namespace mezzo::watch
