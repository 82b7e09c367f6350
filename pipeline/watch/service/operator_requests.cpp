#include "pipeline/watch/service/operator_requests.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "kernels/base/error.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "pipeline/watch/job/job_history.h"
#include "pipeline/watch/service/dispatcher.h"
#include "pipeline/watch/service/drop_again.h"
#include "pipeline/watch/service/folder_set.h"

namespace mezzo::watch {
namespace {

constexpr const char* kNoAnswer =
    "the disk of its folder does not answer now; try again when its server is up";

/// With a disk that is only slow. The main loop stands still meanwhile.
constexpr std::chrono::milliseconds kPatience{1000};

/// Whether the lane of the folder is free, perhaps after a while.
bool is_free(FolderSlot& slot) {
  return !slot.is_silent && slot.lane->wait(kPatience);
}

/// The folder that is busy and had the job when it was last seen.
FolderSlot* busy_folder_of(FolderSet& folders, const std::string& id) {
  const auto found = std::ranges::find_if(folders.slots(), [&](const FolderSlot& slot) {
    return slot.is_busy() &&
           std::ranges::find(slot.shown.jobs, id, &JobView::id) != slot.shown.jobs.end();
  });
  return found == folders.slots().end() ? nullptr : &*found;
}

/// Drops the job's files again in the lane of its folder, and logs that. One that failed is not
/// listed any longer: its next try takes its place.
std::string drop_on_request(FolderSet& folders,
                            JobHistory& history,
                            const StoredJob& stored,
                            const std::string& note) {
  const auto slot = std::ranges::find_if(folders.slots(), [&](const FolderSlot& one) {
    return one.folder.path() == stored.view.folder;
  });
  if (slot == folders.slots().end()) return stored.view.folder + " is not watched";
  if (!is_free(*slot)) return kNoAnswer;
  const auto refusal = std::make_shared<std::string>();
  const bool has_ended =
      slot->lane->run([&folder = slot->folder, &history, job = stored, note, refusal]() mutable {
        // What is printed before the drop is in vain keeps its content, so that it is known again.
        const bool is_done = job.view.state == JobState::kDone;
        const std::string digest = is_done ? std::exchange(job.digest, "") : "";
        try {
          *refusal = drop_again(folder, history, job, note);
          if (refusal->empty()) history.store()->forget_content(job.view.folder, digest);
        } catch (const Error& error) {
          *refusal = one_line(error.what());
        }
        if (!refusal->empty()) return;
        log::info("{}: {} is dropped again on request", job.view.folder, job.view.name);
        if (!is_done) history.dismiss(job.view.id);
      });
  return has_ended || slot->lane->wait(kPatience)
             ? *refusal
             : "it takes long; its folder shows later whether it was done";
}

}  // namespace

std::string pause_folder(FolderSet& folders,
                         JobHistory& history,
                         const std::string& folder,
                         bool paused) {
  const std::string path =
      folder.empty() ? "" : std::filesystem::absolute(folder).lexically_normal().string();
  bool found = false;
  for (FolderSlot& slot : folders.slots()) {
    WatchedFolder& one = slot.folder;
    if (!path.empty() && one.path() != path && one.path() + "/" != path) continue;
    found = true;
    if (one.is_paused() == paused) continue;
    one.set_paused(paused);
    history.set_paused(one.path(), paused);
    log::info("{}: {} on request", one.path(), paused ? "paused" : "resumed");
  }
  return found ? "" : "no folder " + one_line(folder) + " is watched";
}

std::string retry_job(FolderSet& folders,
                      Dispatcher& jobs,
                      JobHistory& history,
                      const std::string& id) {
  if (jobs.find(id) != nullptr) return "the job is running, or waits for its next try";
  JobStore* store = history.store();
  if (store == nullptr)
    return "there is no history of jobs, so its files are not known; drop the page again";
  try {
    auto stored = store->find(id);
    if (!stored) return "there is no job " + one_line(id, 100);
    if (stored->view.state == JobState::kDone) {
      return "the job is done; `mezzotint jobs again " + id + "` makes its plates again";
    }
    if (stored->files.empty())
      return "the job was tried again already; its next try is listed as a job of its own";
    return drop_on_request(folders, history, *stored, "tried again");
  } catch (const Error& error) {
    return one_line(error.what());
  }
}

std::string again_job(FolderSet& folders, JobHistory& history, const std::string& id) {
  JobStore* store = history.store();
  if (store == nullptr)
    return "there is no history of jobs, so its files are not known; drop the page again";
  try {
    auto stored = store->find(id);
    if (!stored) return "there is no ended job " + one_line(id, 100);
    if (stored->view.state != JobState::kDone) {
      return "the job is not done; `mezzotint jobs retry " + id + "` tries it again";
    }
    if (stored->files.empty())
      return "the job was made again already, or its files are not known; drop the page again";
    return drop_on_request(folders, history, *stored, "made again");
  } catch (const Error& error) {
    return one_line(error.what());
  }
}

std::string dismiss_job(JobHistory& history, const std::string& id) {
  return history.dismiss(id) ? "" : "no failed job " + one_line(id, 100) + " is listed";
}

std::string cancel_job(FolderSet& folders,
                       Dispatcher& jobs,
                       const std::string& id,
                       const Moment& now) {
  FolderSlot* const busy = busy_folder_of(folders, id);
  if (busy != nullptr && !is_free(*busy)) return kNoAnswer;
  if (jobs.cancel(id, now)) return "";
  return "no job " + one_line(id, 100) + " is running";
}

}  // namespace mezzo::watch
