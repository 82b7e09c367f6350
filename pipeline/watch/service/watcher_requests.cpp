// The requests of an operator (watch_requests.h).
#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include "kernels/base/error.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "pipeline/watch/service/watcher.h"
#include "pipeline/watch/view/watch_requests.h"

namespace mezzo::watch {
namespace {

constexpr const char* kNoAnswer =
    "the disk of its folder does not answer now; try again when its server is up";

/// With a disk that is only slow. The main loop stands still meanwhile.
constexpr std::chrono::milliseconds kPatienceWithDisk{1000};

/// Whether the lane of the folder is free, perhaps after a while.
bool is_free(FolderSlot& slot) {
  return !slot.is_silent && slot.lane->wait(kPatienceWithDisk);
}

/// Why the job cannot be made again, or tried again when it has failed; empty when it can.
std::string refusal_of(const std::optional<StoredJob>& job, const std::string& id, bool is_done) {
  if (!job) {
    return std::string("there is no ") + (is_done ? "ended " : "") + "job " + one_line(id, 100);
  }
  const bool has_files = !job->files.empty();
  if (is_done != (job->view.state == JobState::kDone)) {
    return is_done ? "the job is not done; `mezzotint jobs retry " + id + "` tries it again"
                   : "the job is done; `mezzotint jobs again " + id + "` makes its plates again";
  }
  if (has_files) return "";
  return is_done ? "the job was made again already, or its files are not known; drop the page again"
                 : "the job was tried again already; its next try is listed as a job of its own";
}

/// Drops the job's files again in the lane of its folder, and logs that. One that failed is not
/// listed any longer: its next try takes its place.
std::string drop_in_lane(FolderSlot& slot, JobHistory& history, const StoredJob& stored) {
  const auto refusal = std::make_shared<std::string>();
  const bool has_ended = slot.lane->run([&slot, &history, job = stored, refusal]() mutable {
    // What is printed before the drop is in vain keeps its content, so that it is known again.
    const bool is_done = job.view.state == JobState::kDone;
    const std::string digest = is_done ? std::exchange(job.digest, "") : "";
    try {
      *refusal = slot.drop_again(history, job, is_done ? "made again" : "tried again");
      if (refusal->empty()) history.store()->forget_content(job.view.folder, digest);
    } catch (const Error& error) {
      *refusal = one_line(error.what());
    }
    if (!refusal->empty()) return;
    log::info("{}: {} is dropped again on request", job.view.folder, job.view.name);
    if (!is_done) history.dismiss(job.view.id);
  });
  return has_ended || slot.lane->wait(kPatienceWithDisk)
             ? *refusal
             : "it takes long; its folder shows later whether it was done";
}

}  // namespace

/// Pauses or resumes the folder, also over restarts; all folders when `folder` is empty.
std::string Watcher::pause(const std::string& folder, bool paused) {
  const std::string path =
      folder.empty() ? "" : std::filesystem::absolute(folder).lexically_normal().string();
  bool found = false;
  for (FolderSlot& slot : slots_) {
    WatchedFolder& one = slot.folder;
    if (!path.empty() && one.path() != path && one.path() + "/" != path) continue;
    found = true;
    if (one.is_paused() == paused) continue;
    one.set_paused(paused);
    history_.keep(paused ? "; after a restart the folder will not be paused"
                         : "; after a restart the folder will not be resumed",
                  &JobStore::set_paused,
                  one.path(),
                  paused);
    log::info("{}: {} on request", one.path(), paused ? "paused" : "resumed");
  }
  return found ? "" : "no folder " + one_line(folder) + " is watched";
}

/// Drops the files of a failed job, or of a done one, into its folder again. A done one is made again also
/// when its plates still stand.
std::string Watcher::drop_again_on_request(const std::string& id, bool is_done) {
  for (const FolderSlot& slot : slots_) {
    const auto is_it = [&](const ActiveJob& held) { return held.id() == id; };
    if (!is_done && !slot.is_busy() && std::ranges::any_of(slot.jobs, is_it)) {
      return "the job is running, or waits for its next try";
    }
  }
  if (history_.store() == nullptr) {
    return "there is no history of jobs, so its files are not known; drop the page again";
  }
  try {
    const std::optional<StoredJob> stored = history_.store()->find(id);
    if (std::string why = refusal_of(stored, id, is_done); !why.empty()) return why;
    FolderSlot* const slot = slot_of(stored->view.folder);
    if (slot == nullptr) return stored->view.folder + " is not watched";
    return is_free(*slot) ? drop_in_lane(*slot, history_, *stored) : kNoAnswer;
  } catch (const Error& error) {
    return one_line(error.what());
  }
}

/// Cancels a running or resting job, in the lane of its folder.
std::string Watcher::cancel(const std::string& id, const Moment& now) {
  for (FolderSlot& slot : slots_) {
    const std::vector<JobView>& shown = slot.shown.jobs;
    const bool had_it = std::ranges::find(shown, id, &JobView::id) != shown.end();
    if (slot.is_busy() && had_it && !is_free(slot)) return kNoAnswer;
    if (slot.is_busy()) continue;
    for (ActiveJob& held : slot.jobs) {
      if (held.id() != id) continue;
      slot.lane->run([&job = held, now] { job.cancel(now); });
      return "";
    }
  }
  return "no job " + one_line(id, 100) + " is running";
}

std::string Watcher::change(const std::string& verb, const std::string& name, const Moment& now) {
  wake_();  // for another turn after the change: a worker may be free for it
  if (verb == "pause" || verb == "resume") return pause(name, verb == "pause");
  if (verb == "cancel") return cancel(name, now);
  if (verb == "retry" || verb == "again") return drop_again_on_request(name, verb == "again");
  return history_.dismiss(name) ? "" : "no failed job " + one_line(name, 100) + " is listed";
}

std::string Watcher::answer(const std::string& json, const Moment& now) {
  using Text = const std::string&;
  const WatchVerbs verbs = {
      .list = [&] { return view(now); },
      .page = [&] { return page_; },
      .change = [&](Text verb, Text name) { return change(verb, name, now); }};
  try {
    return answer_request(json, verbs, now.wall);
  } catch (const std::exception& error) {
    return refusal(one_line(error.what()));
  }
}

}  // namespace mezzo::watch
