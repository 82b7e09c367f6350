#include "pipeline/watch/job/job_end.h"

#include <chrono>
#include <filesystem>

#include "kernels/base/error.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"

namespace mezzo::watch {

namespace fs = std::filesystem;

JobEnd::JobEnd(HotFolder& folder, ClaimedJob& claim, const JobContext& context, Result result)
    : folder_(folder), claim_(claim), context_(context), result_(std::move(result)) {
  if (result_.view.state == JobState::kDone && !result_.is_entered) enter({});
}

JobView JobEnd::view() const {
  JobView view = result_.view;
  if (!problem_.empty()) view.message = problem_;
  return view;
}

void JobEnd::enter(const std::vector<MovedFile>& files) {
  const bool is_done = result_.view.state == JobState::kDone;
  context_.history->enter({.view = result_.view,
                           .digest = is_done ? result_.digest : "",
                           .files = files,
                           .plate_marks = result_.plate_marks});
}

bool JobEnd::finish() {
  JobView& view = result_.view;
  const bool is_done = view.state == JobState::kDone;
  std::vector<MovedFile> files;
  try {
    const WorkEnd end = is_done ? WorkEnd::kDone : WorkEnd::kFailed;
    files = folder_.work().finish(claim_, end, error_text());
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
  for (MovedFile& file : files) {
    const auto known = result_.file_digests.find(file.name);
    if (known != result_.file_digests.end()) file.digest = known->second;
  }
  for (const MovedFile& file : files) view.files.push_back(view.folder + "/" + file.path);
  if (view.state == JobState::kFailed) view.advice = result_.advice;
  enter(files);
  const std::string journal = context_.journal_of(claim_.id);
  std::error_code ignored;
  for (const char* end : {"", "-wal", "-shm", ".lock"}) fs::remove(journal + end, ignored);
  fs::remove(context_.press_of(claim_.id), ignored);
  log();
  claim_.lock.reset();
  return is_finished_ = true;
}

/// The text beside the files of a failed job: the reason, advice, and how to try again.
std::string JobEnd::error_text() const {
  std::string text = result_.view.message + "\n";
  if (!result_.advice.empty()) text += result_.advice + "\n";
  return text +
         "To try again, drop the files into the hot folder once more, or run `mezzotint jobs "
         "retry " +
         claim_.id + "`.";
}

void JobEnd::set_problem(const std::string& problem) {
  if (problem != problem_) {
    log::error("{}: {} has ended, but its files cannot be moved: {}; tried again every {:g} s",
               folder_.path(),
               claim_.name,
               problem,
               std::chrono::duration<double>(context_.finish_pause).count());
  }
  problem_ = problem;
}

void JobEnd::log() const {
  const JobView& view = result_.view;
  const std::string label = folder_.path() + ": " + claim_.name;
  if (view.state == JobState::kDone && view.message.empty()) {
    log::info(
        "{} done in {}, {}", label, duration_text(view.seconds), counted(result_.plates, "plate"));
  } else if (view.state == JobState::kDone) {
    log::info("{}: {}", label, view.message);
  } else if (view.state == JobState::kCancelled) {
    log::info("{} {}", label, view.message);
  } else {
    log::error("{} failed: {}", label, view.message);
  }
}

}  // namespace mezzo::watch
