#include "pipeline/watch/service/drop_again.h"

#include <algorithm>

#include "pipeline/watch/job/job_history.h"
#include "pipeline/watch/service/folder_set.h"

namespace mezzo::watch {

std::string drop_again(FolderSet& folders,
                       JobHistory& history,
                       StoredJob& job,
                       const std::string& note) {
  const auto slot = std::ranges::find_if(
      folders.slots(), [&](const FolderSlot& one) { return one.folder.path() == job.view.folder; });
  if (slot == folders.slots().end()) return job.view.folder + " is not watched";
  if (job.files.empty()) return "its files went back into the folder already, or are not known";
  if (slot->folder.disk().work().drop_again(job.files) == 0) {
    return "its files cannot be dropped again: they are no longer where the job left them; drop "
           "the page again";
  }
  job.files.clear();
  job.view.message += (job.view.message.empty() ? "" : "; ") + note;
  history.enter(job);
  history.set_message(job.view.id, job.view.message);
  slot->folder.hint();
  return "";
}

}  // namespace mezzo::watch
