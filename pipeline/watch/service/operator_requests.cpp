#include "pipeline/watch/service/operator_requests.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>

#include "kernels/base/error.h"
#include "pipeline/steady_time.h"
#include "pipeline/text.h"
#include "pipeline/watch/job/job_history.h"
#include "pipeline/watch/service/dispatcher.h"
#include "pipeline/watch/service/folder_set.h"

namespace mezzo::watch {

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
    spdlog::info("{}: {} on request", one.path(), paused ? "paused" : "resumed");
  }
  return found ? "" : "no folder " + one_line(folder) + " is watched";
}

std::string retry_job(FolderSet& folders,
                      Dispatcher& jobs,
                      JobHistory& history,
                      const std::string& id) {
  if (jobs.find(id) != nullptr) return "the job is running, or waits for its next try";
  JobStore* store = history.store();
  if (store == nullptr) return "there is no history of jobs, so its files are not known";
  try {
    auto stored = store->find(id);
    if (!stored) return "there is no job " + one_line(id, 100);
    if (stored->view.state == JobState::kDone) return "the job is done";
    const auto slot = std::ranges::find_if(folders.slots(), [&](const FolderSlot& one) {
      return one.folder.path() == stored->view.folder;
    });
    if (slot == folders.slots().end()) return stored->view.folder + " is not watched";
    if (stored->files.empty()) return "the job was tried again already";
    if (slot->folder.disk().work().drop_again(stored->files) == 0) {
      return "its files cannot be dropped again: they are no longer in failed/, or files of these "
             "names are in the folder already";
    }
    stored->files.clear();
    stored->view.message += "; tried again";
    store->enter(*stored);
    history.set_message(id, stored->view.message);
    spdlog::info("{}: {} is tried again on request", stored->view.folder, stored->view.name);
    slot->folder.hint();
    return "";
  } catch (const Error& error) {
    return one_line(error.what());
  }
}

std::string cancel_job(Dispatcher& jobs, const std::string& id) {
  ActiveJob* job = jobs.find(id);
  if (job == nullptr) return "no job " + one_line(id, 100) + " is running";
  job->cancel(SteadyClock::now());
  return "";
}

}  // namespace mezzo::watch
