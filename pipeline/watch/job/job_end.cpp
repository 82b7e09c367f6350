// The end of a job: its entry in the history, and the move of its files out of .work.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "kernels/base/error.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "pipeline/watch/job/active_job.h"
#include "pipeline/watch/job/job_store.h"
#include "pipeline/watch/job/worker_command.h"

namespace mezzo::watch {

namespace fs = std::filesystem;

/// A job that is done is entered at once, so that after a crash before its files have left .work the
/// next watcher knows that it is done. It is entered once more, and a failed job for the first
/// time, with the new names of its files.
void ActiveJob::end(JobState shown, const std::string& message, const Moment& now) {
  message_ = message;
  claim_.made_from = files_.marks;
  enter(Phase::kFinishing, shown, now);
  due_ = now;
  StoredJob ended{.view = view(now)};
  const std::string report_page = report_folder(folder_, claim_) + "/report.html";
  std::error_code ignored;
  if (fs::is_regular_file(fs::symlink_status(report_page, ignored)))
    ended.view.report = report_page;
  if (shown == JobState::kDone) {
    ended.digest = content_.digest;
    ended.plate_marks = marks_of(report().plates());
    context_.history->enter(ended);
  }
  end_ = std::move(ended);
}

void ActiveJob::finish(const Moment& now) {
  if (due_ > now.steady) return;
  is_finished_ = move_files();
  if (!is_finished_) due_ = now.steady + context_.finish_pause;
  if (is_finished_ || suspends_) phase_ = Phase::kOver;
}

/// Moves the files out of .work and gives the lock back. False when they cannot be moved now.
bool ActiveJob::move_files() {
  JobView& view = end_->view;
  const bool is_done = view.state == JobState::kDone;
  end_->files.clear();
  try {
    const WorkEnd end = is_done ? WorkEnd::kDone : WorkEnd::kFailed;
    end_->files = folder_.work().finish(claim_, end, error_text());
  } catch (const Error& error) {
    std::error_code ignored;
    if (is_away(claim_) || fs::exists(claim_.work, ignored)) {
      set_problem(one_line(error.what()));
      return false;
    }
    // They were deleted. The plates of a job that is done exist all the same.
    view.message = "its files were taken out of " + claim_.work;
    if (!is_done) view.state = JobState::kFailed;
  }
  problem_.clear();
  for (MovedFile& file : end_->files) {
    const auto known = content_.files.find(file.name);
    if (known != content_.files.end()) file.digest = known->second;
    view.files.push_back(view.folder + "/" + file.path);
  }
  if (view.state == JobState::kFailed) view.advice = advice_;
  context_.history->enter(*end_);
  const std::string journal = context_.journal_of(claim_.id);
  std::error_code ignored;
  for (const char* end : {"", "-wal", "-shm", ".lock"}) fs::remove(journal + end, ignored);
  fs::remove(context_.press_of(claim_.id), ignored);
  log_end();
  claim_.lock.reset();
  return true;
}

/// The text beside the files of a failed job: the reason, advice, and how to try again.
std::string ActiveJob::error_text() const {
  std::string text = end_->view.message + "\n";
  if (!advice_.empty()) text += advice_ + "\n";
  return text +
         "To try again, drop the files into the hot folder once more, or run `mezzotint jobs "
         "retry " +
         claim_.id + "`.";
}

void ActiveJob::set_problem(const std::string& problem) {
  if (problem != problem_) {
    log::error("{} has ended, but its files cannot be moved: {}; tried again every {:g} s",
               label(),
               problem,
               std::chrono::duration<double>(context_.finish_pause).count());
  }
  problem_ = problem;
}

void ActiveJob::log_end() const {
  const JobView& view = end_->view;
  // The plates of a job that an earlier watcher entered are only in the view.
  const size_t plates = std::max(report().plate_count(), view.plates.size());
  if (view.state == JobState::kDone && view.message.empty()) {
    log::info("{} done in {}, {}", label(), duration_text(view.seconds), counted(plates, "plate"));
  } else if (view.state == JobState::kDone) {
    log::info("{}: {}", label(), view.message);
  } else if (view.state == JobState::kCancelled) {
    log::info("{} {}", label(), view.message);
  } else {
    log::error("{} failed: {}", label(), view.message);
  }
}

}  // namespace mezzo::watch
