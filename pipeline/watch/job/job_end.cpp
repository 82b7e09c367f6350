// The end of a job: what is entered of it, and how its files leave .work.
#include <spdlog/spdlog.h>

#include <filesystem>

#include "kernels/base/error.h"
#include "pipeline/text.h"
#include "pipeline/watch/job/active_job.h"

namespace mezzo::watch {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kFinishAgain = 10s;

}  // namespace

void ActiveJob::conclude(JobState state, const std::string& message, Clock::time_point now) {
  message_ = message;
  to(Phase::kFinishing, state);
  due_ = now;
  // What was done is entered before its files leave .work: a watcher that dies in between finds
  // them there, and knows. What failed is entered with the names that its files got.
  if (state == JobState::kDone && !entered_) enter({});
}

void ActiveJob::enter(const std::vector<MovedFile>& files) {
  if (around_.store == nullptr) return;
  StoredJob stored{.view = view(Clock::now()), .digest = digest_, .files = files};
  if (state_ != JobState::kDone) stored.digest.clear();
  try {
    around_.store->enter(stored);
  } catch (const Error& error) {
    spdlog::warn("{}", error.what());
  }
}

void ActiveJob::finish(Clock::time_point now) {
  std::vector<MovedFile> files;
  try {
    files = folder_.disk().work().finish(
        claim_, state_ == JobState::kDone ? WorkEnd::kDone : WorkEnd::kFailed, error_text());
  } catch (const Error& error) {
    std::error_code ignored;
    if (is_away(claim_) || fs::exists(claim_.work, ignored)) {
      return finish_later(one_line(error.what()), now);
    }
    // Deleted by somebody. Its plates are made all the same when it was done.
    message_ = "its files were taken out of " + claim_.work;
    if (state_ != JobState::kDone) state_ = JobState::kFailed;
    if (state_ == JobState::kDone) enter({});
  }
  problem_.clear();
  if (state_ != JobState::kDone) enter(files);
  std::error_code ignored;
  for (const char* end : {"", "-wal", "-shm", ".lock"}) fs::remove(journal() + end, ignored);
  log_end();
  ended_ = view(now);
  if (around_.listener != nullptr) around_.listener->job_ended(state_);
  claim_.lock.reset();
  phase_ = Phase::kOver;
}

/// What people find beside the files: why, what may help, and how to go on.
std::string ActiveJob::error_text() const {
  std::string text = message_ + "\n";
  if (!advice_.empty()) text += advice_ + "\n";
  return text +
         "To try again, drop the files into the hot folder once more, or run `mezzotint jobs "
         "retry " +
         id() + "`.";
}

void ActiveJob::finish_later(const std::string& problem, Clock::time_point now) {
  if (problem != problem_) {
    spdlog::error("{}: {} has ended, but its files cannot be moved: {}; tried again every 10 s",
                  folder_.path(),
                  name(),
                  problem);
  }
  problem_ = problem;
  due_ = now + kFinishAgain;
  if (putting_off_) phase_ = Phase::kOver;
}

void ActiveJob::log_end() const {
  if (state_ == JobState::kDone && message_.empty()) {
    spdlog::info("{}: {} done in {}, {}",
                 folder_.path(),
                 name(),
                 duration_text(seconds_),
                 counted(report_.plate_count(), "plate"));
  } else if (state_ == JobState::kDone) {
    spdlog::info("{}: {}: {}", folder_.path(), name(), message_);
  } else if (state_ == JobState::kCancelled) {
    spdlog::info("{}: {} {}", folder_.path(), name(), message_);
  } else {
    spdlog::error("{}: {} failed: {}", folder_.path(), name(), message_);
  }
}

}  // namespace mezzo::watch
