#include "pipeline/watch/service/drop_again.h"

#include "pipeline/watch/folder/watched_folder.h"
#include "pipeline/watch/job/job_history.h"

namespace mezzo::watch {

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

}  // namespace mezzo::watch
