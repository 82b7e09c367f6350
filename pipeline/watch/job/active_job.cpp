#include "pipeline/watch/job/active_job.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <filesystem>

#include "kernels/base/error.h"
#include "pipeline/text.h"

namespace mezzo::watch {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kDrainTime = 1s;  // what a dead worker's pipes may still take
constexpr auto kAwayAgain = 1s;  // before a folder that is away is looked for again
constexpr auto kNoProcess = 5s;  // before a process is tried for again

double seconds_between(ActiveJob::Clock::time_point from, ActiveJob::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

std::string local_time(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  return fmt::format("{:%Y-%m-%d %H:%M}", parts);
}

}  // namespace

ActiveJob::ActiveJob(WatchedFolder& folder, ClaimedJob claim, const JobSurroundings& around)
    : folder_(folder), claim_(std::move(claim)), around_(around) {
  const auto now = Clock::now();
  // It ended, and its watcher died before the files were out of .work.
  if (claim_.resumed && around_.store != nullptr) {
    try {
      if (const auto stored = around_.store->find(claim_.id)) {
        digest_ = stored->digest;
        entered_ = stored->view;
        conclude(stored->view.state, stored->view.message, now);
        return;
      }
    } catch (const Error& error) {
      spdlog::warn("{}", error.what());
    }
  }
  if (claim_.tries >= folder_.settings().tries) {
    conclude(JobState::kFailed,
             fmt::format("begun {} and never brought to an end", counted(claim_.tries, "time")),
             now);
    return;
  }
  if (claim_.resumed) spdlog::info("{}: {} goes on", folder_.path(), name());
  begin_digest();
}

ActiveJob::~ActiveJob() = default;

void ActiveJob::begin_digest() {
  lacks_digest_ = false;
  if (folder_.settings().print_again || around_.store == nullptr) {
    to(Phase::kResting, JobState::kRetrying);
    return;
  }
  to(Phase::kDigest, JobState::kRunning);
  try {
    digest_task_ = std::make_unique<DigestTask>(claim_.work, claim_.id, around_.wake);
  } catch (const std::exception& error) {
    spdlog::warn("{}: {}: {}", folder_.path(), name(), error.what());
    to(Phase::kResting, JobState::kRetrying);
  }
}

void ActiveJob::to(Phase phase, JobState state) {
  phase_ = phase;
  state_ = state;
  since_ = std::chrono::system_clock::now();
}

std::string ActiveJob::journal() const {
  return around_.journals + "/watch-" + claim_.id + ".db";
}

std::string ActiveJob::report_folder() const {
  return folder_.path() + "/reports/" + claim_.id;
}

std::vector<std::string> ActiveJob::command() const {
  std::vector<std::string> words = around_.worker_command;
  for (const std::string& word : {std::string("--journal"),
                                  journal(),
                                  std::string("--within"),
                                  claim_.work,
                                  std::string("--plates"),
                                  folder_.disk().plates(),
                                  std::string("--report"),
                                  report_folder(),
                                  std::string("--wait-for-space"),
                                  std::string("--reserve"),
                                  std::to_string(folder_.settings().reserve_bytes),
                                  claim_.manifest}) {
    words.push_back(word);
  }
  return words;
}

/// Whether the same content was done before; then the job is concluded.
bool ActiveJob::was_printed() {
  if (digest_.empty() || folder_.settings().print_again || around_.store == nullptr) return false;
  try {
    const auto before = around_.store->find_done(folder_.path(), digest_);
    if (!before) return false;
    digest_.clear();  // the first one stays the one that later drops are told of
    conclude(JobState::kDone,
             fmt::format("printed already on {}; `redrops: print` prints it again",
                         local_time(before->view.since)),
             Clock::now());
    return true;
  } catch (const Error& error) {
    spdlog::warn("{}", error.what());
    return false;
  }
}

void ActiveJob::wait_for_folder(Clock::time_point now) {
  constexpr const char* kWaits = "waits for its folder to come back";
  if (message_ != kWaits) spdlog::warn("{}: {} {}", folder_.path(), name(), kWaits);
  message_ = kWaits;
  lacks_process_ = false;
  to(Phase::kResting, JobState::kRetrying);
  due_ = now + kAwayAgain;
}

void ActiveJob::start(Clock::time_point now) {
  if (is_away(claim_)) return wait_for_folder(now);
  if (std::exchange(forgets_try_, false)) forget_try();
  if (lacks_digest_) return begin_digest();
  if (was_printed()) return;
  report_ = WorkerReport();
  worker_end_.reset();
  messages_ = odd_lines_ = 0;
  held_.clear();
  try {
    std::error_code ignored;
    fs::create_directories(around_.journals, ignored);
    const bool hide_gpus = around_.gpus != nullptr && !around_.gpus->is_trusted(now);
    const std::vector<std::string> changes(hide_gpus ? 1 : 0, "CUDA_VISIBLE_DEVICES=");
    worker_ = std::make_unique<process::WorkerProcess>(command(), claim_.lock_fd, changes);
  } catch (const Error& error) {
    message_ = one_line(error.what());
    spdlog::warn("{}: {}: {}", folder_.path(), name(), message_);
    to(Phase::kResting, JobState::kRetrying);
    due_ = now + kNoProcess;
    lacks_process_ = true;
    return;
  }
  lacks_process_ = false;
  begun_ = heard_ = now;
  message_.clear();
  to(Phase::kRunning, JobState::kRunning);
  try {
    folder_.disk().work().record_attempt(claim_);
  } catch (const Error& error) {
    spdlog::warn("{}: {}: {}", folder_.path(), name(), one_line(error.what()));
    ++claim_.tries;
  }
  if (claim_.tries > 1 && around_.listener != nullptr) around_.listener->worker_restarted();
  spdlog::info("{}: {} begun{}",
               folder_.path(),
               name(),
               claim_.tries > 1 ? fmt::format(", try {}", claim_.tries) : "");
}

void ActiveJob::advance(Clock::time_point now) {
  if (phase_ == Phase::kDigest && digest_task_->finished()) {
    digest_ = digest_task_->result();
    lacks_digest_ = !digest_task_->problem().empty() && is_away(claim_);
    if (!digest_task_->problem().empty() && !lacks_digest_) {
      spdlog::warn("{}: {}: {}", folder_.path(), name(), one_line(digest_task_->problem()));
    }
    digest_task_.reset();
    // The main loop starts it as soon as it may: there can be more jobs that were left over than
    // workers, and their folder may be paused or out of its hours.
    to(Phase::kResting, JobState::kRetrying);
    due_ = now;
  }
  if (phase_ == Phase::kRunning) {
    take_results(now);
    take_messages();
    watch_over(now);
  }
  if (phase_ == Phase::kFinishing && due_ <= now) finish(now);
}

void ActiveJob::watch_over(Clock::time_point now) {
  if (!worker_end_) {
    worker_end_ = worker_->end();
    ended_at_ = now;
  }
  if (worker_end_) {
    const bool drained = worker_->results_fd() < 0 && worker_->messages_fd() < 0;
    if (drained || now - ended_at_ > kDrainTime) worker_ended(*worker_end_, now);
    return;
  }
  if (kill_at_ && *kill_at_ <= now) kill();
  if (stop_ == Stop::kNone && report_.paused().empty() && now - heard_ > folder_.settings().stall) {
    stop_ = Stop::kStall;
    kill();
  }
}

void ActiveJob::worker_ended(const process::WorkerEnd& end, Clock::time_point now) {
  seconds_ += seconds_between(begun_, now);
  Verdict verdict = report_.judge(end, worker_->last_messages());
  verdict.reason = as_dropped(std::move(verdict.reason));
  log_held_messages();
  worker_.reset();
  if (around_.gpus != nullptr && end.signal == 0 &&
      around_.gpus->worker_ended(end.exit_status, now)) {
    spdlog::error(
        "the GPU failed {} times in a row: jobs use the CPU alone for {} min, with the same "
        "plates; look at the GPU (dmesg, nvidia-smi)",
        GpuTrust::kLossesInARow,
        GpuTrust::kRest.count());
  }
  kill_at_.reset();
  judge(std::move(verdict), now);
}

void ActiveJob::judge(Verdict verdict, Clock::time_point now) {
  const manifests::FolderSettings& settings = folder_.settings();
  const Stop stop = std::exchange(stop_, Stop::kNone);
  advice_ = std::move(verdict.advice);
  if (verdict.outcome == RunOutcome::kGood) return conclude(JobState::kDone, "", now);
  if (stop == Stop::kCancel) return conclude(JobState::kCancelled, "cancelled on request", now);
  if (is_away(claim_)) {
    forgets_try_ = true;  // whatever went wrong, it need not be the job's doing
    return putting_off_ ? to(Phase::kOver, JobState::kWaiting) : wait_for_folder(now);
  }
  if (verdict.outcome == RunOutcome::kBad) return conclude(JobState::kFailed, verdict.reason, now);
  if (stop == Stop::kPutOff) {
    forget_try();
    return to(Phase::kOver, JobState::kWaiting);
  }
  if (stop == Stop::kStall) {
    verdict.reason =
        fmt::format("the worker gave no sign of life for {}",
                    duration_text(std::chrono::duration<double>(settings.stall).count()));
  }
  if (claim_.tries >= settings.tries) {
    return conclude(JobState::kFailed,
                    fmt::format("{}; tried {}", verdict.reason, counted(claim_.tries, "time")),
                    now);
  }
  if (putting_off_) return to(Phase::kOver, JobState::kWaiting);  // it was being killed already
  const size_t last = around_.pauses.size() - 1;
  const auto pause =
      around_.pauses[std::min<size_t>(claim_.tries > 0 ? claim_.tries - 1 : 0, last)];
  message_ = verdict.reason;
  spdlog::warn("{}: {}: {}; tried again in {}",
               folder_.path(),
               name(),
               message_,
               duration_text(std::chrono::duration<double>(pause).count()));
  to(Phase::kResting, JobState::kRetrying);
  due_ = now + pause;
}

/// A watcher that is stopped often must not use up the tries of a long job.
void ActiveJob::forget_try() {
  try {
    folder_.disk().work().forget_attempt(claim_);
  } catch (const Error& error) {
    spdlog::warn("{}: {}: {}", folder_.path(), name(), one_line(error.what()));
  }
}

void ActiveJob::terminate(Stop why, Clock::time_point now) {
  if (why == Stop::kCancel || stop_ == Stop::kNone) stop_ = why;
  if (kill_at_) return;
  worker_->signal(SIGTERM);
  kill_at_ = now + around_.grace;
}

void ActiveJob::cancel(Clock::time_point now) {
  if (phase_ == Phase::kRunning) return terminate(Stop::kCancel, now);
  if (phase_ != Phase::kDigest && phase_ != Phase::kResting) return;
  digest_task_.reset();
  conclude(JobState::kCancelled, "cancelled on request", now);
}

void ActiveJob::put_off(Clock::time_point now) {
  putting_off_ = true;
  if (phase_ == Phase::kFinishing) due_ = now;
  if (phase_ == Phase::kRunning) return terminate(Stop::kPutOff, now);
  if (phase_ != Phase::kDigest && phase_ != Phase::kResting) return;
  digest_task_.reset();
  to(Phase::kOver, JobState::kWaiting);
}

void ActiveJob::kill() {
  if (worker_ && !worker_end_) worker_->signal(SIGKILL);
  kill_at_.reset();
}

void ActiveJob::add_polls(std::vector<pollfd>& polls) const {
  if (!worker_) return;
  for (const int fd : {worker_->process_fd(), worker_->results_fd(), worker_->messages_fd()}) {
    if (fd >= 0) polls.push_back({.fd = fd, .events = POLLIN, .revents = 0});
  }
}

std::optional<ActiveJob::Clock::time_point> ActiveJob::next_time() const {
  switch (phase_) {
    case Phase::kDigest:
    case Phase::kOver:
      return std::nullopt;
    case Phase::kResting:
    case Phase::kFinishing:
      return due_;
    case Phase::kRunning:
      break;
  }
  if (worker_end_) return ended_at_ + kDrainTime;
  std::optional<Clock::time_point> next = kill_at_;
  if (stop_ == Stop::kNone && report_.paused().empty()) {
    const auto stalled = heard_ + folder_.settings().stall;
    if (!next || stalled < *next) next = stalled;
  }
  return next;
}

JobView ActiveJob::view(Clock::time_point now) const {
  if (entered_) {
    JobView view = *entered_;
    view.state = state_;
    view.message = problem_.empty() ? message_ : problem_;
    return view;
  }
  JobView view{.id = claim_.id,
               .folder = folder_.path(),
               .name = one_line(name()),
               .state = state_,
               .tries = claim_.tries,
               .message = !problem_.empty()   ? problem_
                          : !message_.empty() ? message_
                                              : report_.paused(),
               .since = since_,
               .seconds = seconds_,
               .pixels = report_.pixels(),
               .pixels_done = report_.pixels_done(),
               .plates = report_.plates(),
               .report = ""};
  if (phase_ == Phase::kRunning) view.seconds += seconds_between(begun_, now);
  const std::string report = report_folder() + "/report.html";
  std::error_code ignored;
  if (phase_ == Phase::kFinishing && fs::is_regular_file(fs::symlink_status(report, ignored))) {
    view.report = report;
  }
  return view;
}

}  // namespace mezzo::watch
