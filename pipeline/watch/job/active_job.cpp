#include "pipeline/watch/job/active_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

#include "kernels/base/error.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "pipeline/watch/folder/disk.h"
#include "pipeline/watch/job/job_store.h"
#include "pipeline/watch/job/next_step.h"
#include "pipeline/watch/job/worker_command.h"

namespace mezzo::watch {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kFolderAgain = 1s;   // before the next look for a folder that is away
constexpr auto kDiskAgain = 1s;     // likewise for the disk that its worker waits for
constexpr auto kProcessAgain = 5s;  // before the next attempt to get a process

/// "2026-03-01 06:59".
std::string local_minute(WallTime time) {
  return local_text(time).substr(0, 16);
}

std::string duration_of(std::chrono::milliseconds time) {
  return duration_text(std::chrono::duration<double>(time).count());
}

}  // namespace

/// What advance(), cancel(), suspend() and next_time() do in one phase.
struct ActiveJob::State {
  void (ActiveJob::*advance)(const Moment& now);
  void (ActiveJob::*cancel)(const Moment& now);
  void (ActiveJob::*suspend)(const Moment& now);
  std::optional<SteadyTime> (ActiveJob::*next_time)() const;
};

/// The table has a row for each Phase, in the order of the enumeration.
const ActiveJob::State& ActiveJob::state() const {
  using J = ActiveJob;
  static constexpr State kStates[] = {
      {&J::await_digest, &J::cancel_at_once, &J::leave, &J::digest_stalls},
      {&J::stay, &J::cancel_at_once, &J::leave, &J::is_due_then},
      {&J::look_at_files, &J::cancel_at_once, &J::leave, &J::is_due_then},
      {&J::advance_run, &J::cancel_run, &J::suspend_run, &J::run_is_due},
      {&J::advance_run, &J::cancel_run, &J::suspend_run, &J::run_is_due},
      {&J::finish, &J::stay, &J::finish_soon, &J::is_due_then},
      {&J::stay, &J::stay, &J::stay, &J::never},
  };
  static_assert(std::size(kStates) == static_cast<size_t>(Phase::kOver) + 1);
  return kStates[static_cast<size_t>(phase_)];
}

ActiveJob::ActiveJob(HotFolder& folder,
                     ClaimedJob claim,
                     const JobContext& context,
                     const Moment& now)
    : folder_(folder), claim_(std::move(claim)), context_(context), since_(now.wall) {
  auto stored = claim_.resumed ? context_.history->ask(&JobStore::find, claim_.id) : std::nullopt;
  if (stored) {  // it ended, and its watcher died before the files were out of .work
    end_ = std::move(*stored);
    phase_ = Phase::kFinishing;
    due_ = now;
  } else if (claim_.tries >= folder_.settings().tries) {
    end(JobState::kFailed,
        fmt::format("begun {} and never finished", counted(claim_.tries, "time")),
        now);
  } else {
    if (claim_.resumed) log::info("{} goes on", label());
    begin_digest(now);
  }
}

void ActiveJob::advance(const Moment& now) {
  for (Phase before = phase_;; before = phase_) {
    (this->*state().advance)(now);
    if (phase_ == before) return;
  }
}

void ActiveJob::cancel(const Moment& now) {
  (this->*state().cancel)(now);
}

void ActiveJob::suspend(const Moment& now) {
  suspends_ = true;
  (this->*state().suspend)(now);
}

std::optional<SteadyTime> ActiveJob::next_time() const {
  return (this->*state().next_time)();
}

void ActiveJob::enter(Phase phase, JobState shown, const Moment& now) {
  phase_ = phase;
  shown_ = shown;
  since_ = now.wall;
}

void ActiveJob::rest(SteadyTime until, const Moment& now) {
  enter(Phase::kResting, JobState::kRetrying, now);
  due_ = until;
}

void ActiveJob::leave(const Moment& now) {
  content_.task.reset();
  enter(Phase::kOver, JobState::kWaiting, now);
}

void ActiveJob::cancel_at_once(const Moment& now) {
  content_.task.reset();
  end(JobState::kCancelled, "cancelled on request", now);
}

// The digest.

void ActiveJob::begin_digest(const Moment& now) {
  content_.is_due = false;
  files_.state = state_of_files(files_.marks);
  if (folder_.settings().print_again || context_.history->store() == nullptr) return rest({}, now);
  enter(Phase::kDigest, JobState::kRunning, now);
  content_.watch = StallWatch(now);
  try {
    content_.task =
        std::make_unique<DigestTask>(*context_.machine, claim_.work, claim_.id, context_.wake);
  } catch (const std::exception& error) {
    log::warn("{}: {}", label(), error.what());
    rest({}, now);
  }
}

void ActiveJob::await_digest(const Moment& now) {
  if (content_.task->state().finished) return take_digest(now);
  const std::chrono::milliseconds stall = folder_.settings().stall;
  if (!content_.watch.stands_still(content_.task->state().bytes_read, now, stall)) return;
  log::warn("{}: no more of it could be read for {}, so it is not compared with earlier pages",
            label(),
            duration_of(stall));
  content_.task.reset();
  rest(now, now);
}

void ActiveJob::take_digest(const Moment& now) {
  content_.digest = digest_on_press(content_.task->state().result, folder_.settings());
  content_.files = content_.task->state().files;
  const std::string problem = content_.task->state().problem;
  content_.task.reset();
  content_.is_due = !problem.empty() && is_away(claim_);
  if (!problem.empty() && !content_.is_due) log::warn("{}: {}", label(), one_line(problem));
  // The main loop starts it when a worker is free and its folder is neither paused nor out of its
  // hours: more jobs may have been orphaned than there are workers.
  rest(now, now);
}

std::string ActiveJob::digest_text() const {
  const uint64_t bytes = files_.state ? files_.state->bytes : 0;
  const double all = static_cast<double>(std::max<uint64_t>(1, bytes));
  const double read = static_cast<double>(content_.task->state().bytes_read);
  return fmt::format("is compared with earlier pages: {:.0f} % of {} read",
                     std::min(100.0, 100 * read / all),
                     bytes_text(bytes));
}

std::optional<SteadyTime> ActiveJob::digest_stalls() const {
  return content_.watch.due(folder_.settings().stall);
}

/// Ends the job when the same content was printed before, and its plates still stand.
bool ActiveJob::end_if_printed(const Moment& now) {
  note_.clear();
  if (content_.digest.empty() || folder_.settings().print_again) return false;
  const auto before = context_.history->ask(&JobStore::find_done, folder_.path(), content_.digest);
  if (!before) return false;
  const std::string date = local_minute(before->view.since);
  if (const std::string lost = lost_plates(*before); !lost.empty()) {
    note_ = fmt::format("made again after {}: {}", date, one_line(lost));
    log::info("{} is {}", label(), note_);
    return false;
  }
  content_.digest.clear();  // later drops are told of the first job
  end(JobState::kDone,
      fmt::format("not made again, as all of its plates of {} are still there; `mezzotint jobs "
                  "again {}` or "
                  "\"Print again\" on the status page makes them again",
                  date,
                  claim_.id),
      now);
  return true;
}

// Rest.

/// For want of one, which is not the job's fault.
void ActiveJob::await_process(const std::string& why, const Moment& now) {
  // Once: it may be tried for hours.
  if (!std::exchange(lacks_process_, true)) log::warn("{}: {}", label(), why);
  message_ = why;
  rest(now.steady + kProcessAgain, now);
}

void ActiveJob::await_folder(const Moment& now) {
  constexpr const char* kWaits = "waits for its folder, which is gone or not mounted";
  if (message_ != kWaits) log::warn("{} {}", label(), kWaits);
  message_ = kWaits;
  lacks_process_ = false;
  rest(now.steady + kFolderAgain, now);
}

/// Until they hold still. A result before that is one of files that are gone by now, or never were.
void ActiveJob::await_files(const Moment& now) {
  message_ = "its files have changed since it began; it begins anew once they have held still";
  log::warn("{}: {}", label(), message_);
  content_.digest.clear();
  content_.is_due = true;
  lacks_process_ = false;
  files_.still = Stillness();
  enter(Phase::kAwaitingFiles, JobState::kRetrying, now);
  due_ = now;
}

void ActiveJob::look_at_files(const Moment& now) {
  if (due_ > now.steady) return;
  const manifests::FolderSettings& settings = folder_.settings();
  const std::optional<TreeStat> before = files_.state;
  files_.state = state_of_files(files_.marks);
  files_.still.look(files_.state && files_.state == before && !are_files_written(), settings, now);
  const bool are_still = files_.still.is_long_enough(settings, now);
  due_ = are_still ? now.steady : files_.still.due(settings);
  if (are_still) phase_ = Phase::kResting;
}

/// Files that cannot be looked at, as their folder is away, have no state, have not changed and are not written.
std::optional<TreeStat> ActiveJob::state_of_files(std::vector<files::FileMark>& marks) const {
  try {
    return folder_.work().state_of(claim_, marks);
  } catch (const Error&) {
    return std::nullopt;
  }
}

bool ActiveJob::are_files_written() const {
  try {
    return folder_.is_written(claim_);
  } catch (const Error&) {
    return false;
  }
}

bool ActiveJob::have_files_changed() const {
  std::vector<files::FileMark> marks;
  const std::optional<TreeStat> now = state_of_files(marks);
  return now && ((files_.state && *now != *files_.state) || are_files_written());
}

// The run.

void ActiveJob::start(const Moment& now) {
  if (is_away(claim_)) return await_folder(now);
  if (std::exchange(forgets_last_, false)) count_try(false);
  if (content_.is_due) return begin_digest(now);
  if (have_files_changed()) return await_files(now);
  if (end_if_printed(now)) return;
  report_ = WorkerReport();
  try {
    std::error_code ignored;
    fs::create_directories(context_.journals, ignored);
    keep_press(folder_, claim_, context_);
    const bool hide_gpus = context_.gpus != nullptr && !context_.gpus->may_use(now);
    const std::vector<std::string> changes(hide_gpus ? 1 : 0, "CUDA_VISIBLE_DEVICES=");
    run_ = std::make_unique<WorkerRun>(
        context_.machine->start(worker_command(folder_, claim_, context_), claim_.lock_fd, changes),
        claim_,
        label(),
        context_.listener,
        now);
  } catch (const Error& error) {
    return await_process(one_line(error.what()), now);
  }
  message_.clear();
  enter(Phase::kRunning, JobState::kRunning, now);
  count_try(true);
  if (claim_.tries > 1 && context_.listener != nullptr) context_.listener->worker_restarted();
  if (lacks_process_) return;
  log::info("{} begun{}", label(), claim_.tries > 1 ? fmt::format(", try {}", claim_.tries) : "");
}

void ActiveJob::yield(const Moment& now) {
  run_->stand_still(now);
  phase_ = Phase::kStandingStill;
  message_ = "stands still while the jobs of other folders have their turn";
}

void ActiveJob::go_on(const Moment& now) {
  run_->go_on(now);
  phase_ = Phase::kRunning;
  message_.clear();
}

void ActiveJob::cancel_run(const Moment& now) {
  phase_ = Phase::kRunning;
  run_->terminate(WorkerRun::Stop::kCancel, now, context_.grace);
}

void ActiveJob::suspend_run(const Moment& now) {
  phase_ = Phase::kRunning;
  run_->terminate(WorkerRun::Stop::kSuspend, now, context_.grace);
}

void ActiveJob::advance_run(const Moment& now) {
  if (const auto end = run_->advance(now, folder_.settings().stall)) return end_run(*end, now);
  look_at_wanted_disk(now);
}

std::optional<SteadyTime> ActiveJob::run_is_due() const {
  return run_->next_time(folder_.settings().stall);
}

void ActiveJob::look_at_wanted_disk(SteadyTime now) {
  const auto& pause = report().paused();
  if (!pause) return wanted_disk_.reset();
  if (wanted_disk_ && now < wanted_disk_due_) return;
  wanted_disk_due_ = now + kDiskAgain;
  const std::string& folder = pause->folder.empty() ? folder_.plates() : pause->folder;
  DiskView disk = disk_of(folder, context_.machine->disk()).value_or(DiskView{.path = folder});
  // It may wait with more free than that, for a quota.
  disk.missing_bytes =
      pause->wanted_bytes > disk.free_bytes ? pause->wanted_bytes - disk.free_bytes : 1;
  disk.folder = folder_.path();
  wanted_disk_ = std::move(disk);
}

void ActiveJob::end_run(const process::WorkerEnd& end, const Moment& now) {
  seconds_ += run_->seconds(now);
  Outcome outcome = run_->outcome(end);
  const WorkerRun::Stop stop = run_->stop();
  report_ = run_->report();
  run_.reset();
  wanted_disk_.reset();
  if (context_.gpus != nullptr && end.signal == 0 &&
      context_.gpus->worker_ended(end.exit_status, now)) {
    log::error(
        "the GPU failed {} times in a row: jobs use the CPU alone for {} min, with the same "
        "plates; look at the GPU (dmesg, nvidia-smi)",
        GpuBackoff::kLossesInARow,
        GpuBackoff::kRest.count());
  }
  take_next_step(stop, std::move(outcome), now);
}

/// The step after a run: the job's end, another try, or its suspension.
void ActiveJob::take_next_step(WorkerRun::Stop stop, Outcome outcome, const Moment& now) {
  const manifests::FolderSettings& settings = folder_.settings();
  if (outcome.kind == RunOutcome::kTryAgain && stop == WorkerRun::Stop::kNone) {
    const std::string trouble = trouble_of_disks();
    if (!trouble.empty()) outcome = {RunOutcome::kNeverBegan, trouble, ""};
  }
  if (stop == WorkerRun::Stop::kStall && outcome.kind != RunOutcome::kBad) {
    outcome.reason = "the worker reported nothing for " + duration_of(settings.stall);
  }
  advice_ = std::move(outcome.advice);
  if (outcome.kind != RunOutcome::kNeverBegan) lacks_process_ = false;
  const Decision next = decide({.outcome = outcome.kind,
                                .stop = stop,
                                .files_changed = have_files_changed(),
                                .is_away = is_away(claim_),
                                .has_tries = claim_.tries < settings.tries,
                                .suspends = suspends_});
  if (next.forgets_try) count_try(false);
  switch (next.step) {
    case NextStep::kDone:
      return end(JobState::kDone, note_, now);
    case NextStep::kCancelled:
      return end(JobState::kCancelled, "cancelled on request", now);
    case NextStep::kFailed:
      return end(JobState::kFailed, outcome.reason, now);
    case NextStep::kGiveUp:
      return end(JobState::kFailed,
                 fmt::format("{}; tried {}", outcome.reason, counted(claim_.tries, "time")),
                 now);
    case NextStep::kLeave:
      return leave(now);
    case NextStep::kAwaitFiles:
      return await_files(now);
    case NextStep::kAwaitFolder:
      forgets_last_ = true;
      return await_folder(now);
    case NextStep::kAwaitProcess:
      return await_process(outcome.reason, now);
    case NextStep::kTryAgain:
      return try_again(outcome.reason, now);
  }
}

void ActiveJob::try_again(const std::string& why, const Moment& now) {
  const size_t last = context_.pauses.size() - 1;
  const auto pause =
      context_.pauses[std::min<size_t>(claim_.tries > 0 ? claim_.tries - 1 : 0, last)];
  message_ = why;
  log::warn("{}: {}; tried again in {}", label(), message_, duration_of(pause));
  rest(now.steady + pause, now);
}

/// Of those that a worker writes to, for all jobs alike.
std::string ActiveJob::trouble_of_disks() const {
  std::string trouble = disk_trouble(context_.journals, context_.machine->disk());
  return trouble.empty() ? disk_trouble(folder_.plates(), context_.machine->disk()) : trouble;
}

/// Records that a try begins, or takes the last record back.
void ActiveJob::count_try(bool begins) {
  try {
    begins ? folder_.work().record_attempt(claim_) : folder_.work().forget_attempt(claim_);
  } catch (const Error& error) {
    log::warn("{}: {}", label(), one_line(error.what()));
    if (begins) ++claim_.tries;
  }
}

void ActiveJob::excuse(SteadyTime now) {
  content_.watch = StallWatch(now);
  if (run_) run_->excuse(now);
}

void ActiveJob::kill() {
  if (run_) run_->kill();
}

void ActiveJob::add_polls(std::vector<pollfd>& polls) const {
  if (run_) run_->add_polls(polls);
}

std::optional<JobView> ActiveJob::ended() const {
  return is_finished_ ? std::optional(end_->view) : std::nullopt;
}

JobView ActiveJob::view(SteadyTime now) const {
  if (end_) {
    JobView ended = end_->view;
    if (!problem_.empty()) ended.message = problem_;
    return ended;
  }
  uint64_t bytes = 0;
  for (const files::FileMark& mark : files_.marks) bytes += mark.bytes;
  const auto& disk = wanted_disk_;
  std::string message = disk ? shortage_text(*disk) : message_;
  if (content_.task) message = digest_text();
  return {.id = claim_.id,
          .folder = folder_.path(),
          .name = one_line(name()),
          .state = disk ? JobState::kWaiting : shown_,
          .tries = claim_.tries,
          .message = std::move(message),
          .since = since_,
          .seconds = seconds_ + (run_ ? run_->seconds(now) : 0),
          .pixels = report().pixels(),
          .pixels_done = report().pixels_done(),
          .plates = report().plates(),
          .bytes = bytes,
          .sheets = report().sheets_begun()};
}

}  // namespace mezzo::watch
