#include "pipeline/watch/job/active_job.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>
#include <filesystem>

#include "kernels/base/error.h"
#include "manifests/named_files.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "pipeline/watch/folder/disk.h"
#include "pipeline/watch/job/disk_trouble.h"
#include "pipeline/watch/job/plate_marks.h"
#include "stages/files/file_mark.h"
#include "stages/files/publish.h"
#include "stages/files/xxh3.h"

namespace mezzo::watch {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr auto kFolderAgain = 1s;   // before the next look for a folder that is away
constexpr auto kDiskAgain = 1s;     // likewise for the disk that its worker waits for
constexpr auto kProcessAgain = 5s;  // before the next attempt to get a process

/// Of the tile files that the settings name.
std::string file_marks(manifests::PageSettings settings) {
  std::string marks;
  for (const manifests::NamedFile& file : named_files(settings, nullptr)) {
    const auto mark = files::mark_of(files::FileSystem::real(), *file.path);
    marks += " " + (mark ? files::to_string(*mark) : "none");
  }
  return marks;
}

/// Of the curves that jobs of the press may look up.
std::string curve_marks(const manifests::CurveSettings& curves) {
  if (curves.library.empty()) return {};
  std::vector<std::string> marks;
  std::error_code error;
  for (fs::directory_iterator entry(curves.library, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string path = entry->path().string();
    const auto mark = files::mark_of(files::FileSystem::real(), path);
    marks.push_back(" " + path + " " + (mark ? files::to_string(*mark) : "none"));
  }
  std::ranges::sort(marks);
  return " curves" + fmt::to_string(fmt::join(marks, ""));
}

std::string local_time(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  ::localtime_r(&seconds, &parts);
  return fmt::format("{:%Y-%m-%d %H:%M}", parts);
}

std::string duration_of(std::chrono::milliseconds time) {
  return duration_text(std::chrono::duration<double>(time).count());
}

/// Throws Error(kIo) where that cannot be said: a job must not run without its press file.
bool is_there(const std::string& path) {
  std::error_code error;
  const bool found = fs::exists(path, error);
  if (!error) return found;
  throw Error(ErrorKind::kIo, path + ": cannot be looked at: " + error.message());
}

/// The limits that folder.yaml gives, as the most that a manifest may ask for.
void add_limits(const manifests::FolderSettings& settings, std::vector<std::string>& words) {
  const auto add = [&](const char* option, uint64_t most) {
    if (most != 0) words.insert(words.end(), {option, std::to_string(most)});
  };
  add("--most-memory", settings.names_memory ? settings.limits.memory_bytes : 0);
  add("--most-device-memory", settings.limits.device_memory_bytes);
  add("--most-threads", settings.limits.threads);
}

}  // namespace

ActiveJob::ActiveJob(HotFolder& folder,
                     ClaimedJob claim,
                     const JobContext& context,
                     const Moment& now)
    : folder_(folder), claim_(std::move(claim)), context_(context), since_(now.wall) {
  auto stored = claim_.resumed ? context_.history->find(claim_.id) : std::nullopt;
  if (stored) {  // it ended, and its watcher died before the files were out of .work
    const size_t plates = stored->view.plates.size();
    end({.view = std::move(stored->view),
         .plates = plates,
         .digest = std::move(stored->digest),
         .advice = {},
         .plate_marks = std::move(stored->plate_marks),
         .is_entered = true},
        now);
  } else if (claim_.tries >= folder_.settings().tries) {
    end(JobState::kFailed,
        fmt::format("begun {} and never finished", counted(claim_.tries, "time")),
        now);
  } else {
    if (claim_.resumed) log::info("{} goes on", label());
    begin_digest(now);
  }
}

ActiveJob::~ActiveJob() = default;

void ActiveJob::set_phase(Phase phase, JobState state, const Moment& now) {
  phase_ = phase;
  state_ = state;
  since_ = now.wall;
}

void ActiveJob::rest(SteadyTime until, const Moment& now) {
  set_phase(Phase::kResting, JobState::kRetrying, now);
  next_try_.due = until;
}

void ActiveJob::begin_digest(const Moment& now) {
  content_.is_due = false;
  files_.begin();
  if (folder_.settings().print_again || context_.history->store() == nullptr) return rest({}, now);
  set_phase(Phase::kDigest, JobState::kRunning, now);
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
  if (content_.task->finished()) return take_digest(now);
  const std::chrono::milliseconds stall = folder_.settings().stall;
  if (!content_.watch.stands_still(content_.task->bytes_read(), now, stall)) return;
  log::warn("{}: no more of it could be read for {}, so it is not compared with earlier pages",
            label(),
            duration_of(stall));
  content_.task.reset();
  rest(now, now);
}

std::string ActiveJob::digest_text() const {
  const double all = static_cast<double>(std::max<uint64_t>(1, files_.bytes()));
  const double read = static_cast<double>(content_.task->bytes_read());
  return fmt::format("is compared with earlier pages: {:.0f} % of {} read",
                     std::min(100.0, 100 * read / all),
                     bytes_text(files_.bytes()));
}

void ActiveJob::take_digest(const Moment& now) {
  content_.digest = digest_on_press(content_.task->result());
  content_.files = content_.task->files();
  const std::string problem = content_.task->problem();
  content_.task.reset();
  content_.is_due = !problem.empty() && is_away(claim_);
  if (!problem.empty() && !content_.is_due) log::warn("{}: {}", label(), one_line(problem));
  // The main loop starts it when a worker is free and its folder is neither paused nor out of its
  // hours: more jobs may have been orphaned than there are workers.
  rest(now, now);
}

std::string ActiveJob::report_folder() const {
  return folder_.path() + "/reports/" + claim_.id;
}

std::vector<std::string> ActiveJob::command() const {
  std::vector<std::string> words = context_.worker_command;
  words.insert(words.end(),
               {"--journal",
                context_.journal_of(claim_.id),
                "--job-id",
                claim_.id,
                "--within",
                claim_.work,
                "--plates",
                folder_.plates(),
                "--hot-folder",
                folder_.path(),
                "--report",
                report_folder(),
                "--wait-for-space",
                "--reserve",
                std::to_string(folder_.settings().reserve_bytes)});
  // A ticket comes with the pages, from people who may not ask for more than the folder has. Nor may those
  // who can write into .work, where the manifest of plain pages lies.
  add_limits(folder_.settings(), words);
  // The settings are those of folder.yaml, for whatever pages come.
  if (claim_.kind == JobKind::kPages) words.emplace_back("--any-inks");
  if (!folder_.settings().replaces_others) words.emplace_back("--keep-others");
  if (const std::string press = context_.press_of(claim_.id); is_there(press)) {
    words.insert(words.end(), {"--press", press});
  }
  words.push_back(claim_.manifest);
  return words;
}

/// Files that were printed on another press, or before its file, a file that it names or its curves changed,
/// are printed again. Tiles are not read here: only workers decode files.
std::string ActiveJob::digest_on_press(const std::string& digest) const {
  const manifests::PressFilePtr& press = folder_.settings().press;
  if (!press || digest.empty()) return digest;
  const manifests::PageSettings& settings = press->layered.settings;
  const std::string all =
      digest + settings.press->xxh3 + file_marks(settings) + curve_marks(settings.curves);
  files::Xxh3 both;
  both.add(all.data(), all.size());
  return both.hex128();
}

void ActiveJob::keep_press() const {
  const manifests::PressFilePtr& press = folder_.settings().press;
  const std::string copy = context_.press_of(claim_.id);
  if (press && !is_there(copy)) files::write_whole_file(copy, press->text);
}

/// Ends the job when the same content was printed before, and its plates still stand.
bool ActiveJob::end_if_printed(const Moment& now) {
  note_.clear();
  if (content_.digest.empty() || folder_.settings().print_again) return false;
  const auto before = context_.history->find_done(folder_.path(), content_.digest);
  if (!before) return false;
  const std::string date = local_time(before->view.since);
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

/// For want of one, which is not the job's fault.
void ActiveJob::wait_for_process(const std::string& why, const Moment& now) {
  // Once: it may be tried for hours.
  if (!std::exchange(next_try_.lacks_process, true)) log::warn("{}: {}", label(), why);
  message_ = why;
  rest(now.steady + kProcessAgain, now);
}

void ActiveJob::wait_for_folder(const Moment& now) {
  constexpr const char* kWaits = "waits for its folder, which is gone or not mounted";
  if (message_ != kWaits) log::warn("{} {}", label(), kWaits);
  message_ = kWaits;
  next_try_.lacks_process = false;
  rest(now.steady + kFolderAgain, now);
}

/// Until they hold still. A result before that is one of files that are gone by now, or never were.
void ActiveJob::wait_for_files(const Moment& now) {
  message_ = "its files have changed since it began; it begins anew once they have held still";
  log::warn("{}: {}", label(), message_);
  content_.digest.clear();
  content_.is_due = true;
  next_try_.lacks_process = false;
  files_.wait_until_still();
  rest(now, now);
}

void ActiveJob::start(const Moment& now) {
  if (is_away(claim_)) return wait_for_folder(now);
  if (std::exchange(next_try_.forgets_last, false)) forget_attempt();
  if (content_.is_due) return begin_digest(now);
  if (files_.have_changed()) return wait_for_files(now);
  if (end_if_printed(now)) return;
  report_ = WorkerReport();
  try {
    std::error_code ignored;
    fs::create_directories(context_.journals, ignored);
    keep_press();
    const bool hide_gpus = context_.gpus != nullptr && !context_.gpus->may_use(now);
    const std::vector<std::string> changes(hide_gpus ? 1 : 0, "CUDA_VISIBLE_DEVICES=");
    run_ = std::make_unique<WorkerRun>(context_.machine->start(command(), claim_.lock_fd, changes),
                                       claim_,
                                       label(),
                                       context_.listener,
                                       now);
  } catch (const Error& error) {
    return wait_for_process(one_line(error.what()), now);
  }
  message_.clear();
  set_phase(Phase::kRunning, JobState::kRunning, now);
  record_attempt();
  if (claim_.tries > 1 && context_.listener != nullptr) context_.listener->worker_restarted();
  if (next_try_.lacks_process) return;
  log::info("{} begun{}", label(), claim_.tries > 1 ? fmt::format(", try {}", claim_.tries) : "");
}

void ActiveJob::yield(const Moment& now) {
  run_->stand_still(now);
  message_ = "stands still while the jobs of other folders have their turn";
}

void ActiveJob::go_on(const Moment& now) {
  run_->go_on(now);
  message_.clear();
}

void ActiveJob::advance(const Moment& now) {
  if (phase_ == Phase::kResting && files_.are_awaited() && next_try_.due <= now.steady) {
    next_try_.due = files_.look(now);
  }
  if (phase_ == Phase::kDigest) await_digest(now);
  if (phase_ == Phase::kRunning) {
    if (const auto end = run_->advance(now, folder_.settings().stall)) run_ended(*end, now);
  }
  look_at_wanted_disk(now);
  if (phase_ != Phase::kFinishing || next_try_.due > now.steady) return;
  if (end_->finish()) {
    phase_ = Phase::kOver;
  } else {
    next_try_.due = now.steady + context_.finish_pause;
    if (suspends_) phase_ = Phase::kOver;
  }
}

void ActiveJob::run_ended(const process::WorkerEnd& end, const Moment& now) {
  seconds_ += run_->seconds(now);
  Outcome outcome = run_->outcome(end);
  const WorkerRun::Stop stop = run_->stop();
  report_ = run_->report();
  run_.reset();
  if (context_.gpus != nullptr && end.signal == 0 &&
      context_.gpus->worker_ended(end.exit_status, now)) {
    log::error(
        "the GPU failed {} times in a row: jobs use the CPU alone for {} min, with the same "
        "plates; look at the GPU (dmesg, nvidia-smi)",
        GpuBackoff::kLossesInARow,
        GpuBackoff::kRest.count());
  }
  decide(stop, std::move(outcome), now);
}

/// The step after a run: the job's end, another try, or its suspension.
void ActiveJob::decide(WorkerRun::Stop stop, Outcome outcome, const Moment& now) {
  using Stop = WorkerRun::Stop;
  const manifests::FolderSettings& settings = folder_.settings();
  if (outcome.kind == RunOutcome::kTryAgain && stop == Stop::kNone) {
    const std::string trouble = trouble_of_disks();
    if (!trouble.empty()) outcome = {RunOutcome::kNeverBegan, trouble, ""};
  }
  advice_ = std::move(outcome.advice);
  if (outcome.kind != RunOutcome::kNeverBegan) next_try_.lacks_process = false;
  const bool is_good = outcome.kind == RunOutcome::kGood;
  if ((is_good || stop != Stop::kCancel) && files_.have_changed()) {
    forget_attempt();
    return suspends_ ? set_phase(Phase::kOver, JobState::kWaiting, now) : wait_for_files(now);
  }
  if (is_good) return end(JobState::kDone, note_, now);
  if (stop == Stop::kCancel) return end(JobState::kCancelled, "cancelled on request", now);
  if (is_away(claim_)) {
    next_try_.forgets_last = true;  // the failure need not be the job's
    return suspends_ ? set_phase(Phase::kOver, JobState::kWaiting, now) : wait_for_folder(now);
  }
  if (outcome.kind == RunOutcome::kNeverBegan && stop == Stop::kNone) {
    forget_attempt();
    return suspends_ ? set_phase(Phase::kOver, JobState::kWaiting, now)
                     : wait_for_process(outcome.reason, now);
  }
  if (outcome.kind == RunOutcome::kBad) return end(JobState::kFailed, outcome.reason, now);
  if (stop == Stop::kSuspend) {
    forget_attempt();  // a watcher that is stopped often must not use up the tries of a long job
    return set_phase(Phase::kOver, JobState::kWaiting, now);
  }
  if (stop == Stop::kStall) {
    outcome.reason = "the worker reported nothing for " + duration_of(settings.stall);
  }
  if (claim_.tries >= settings.tries) {
    return end(JobState::kFailed,
               fmt::format("{}; tried {}", outcome.reason, counted(claim_.tries, "time")),
               now);
  }
  // Asked for while the worker was being killed.
  if (suspends_) return set_phase(Phase::kOver, JobState::kWaiting, now);
  const size_t last = context_.pauses.size() - 1;
  const auto pause =
      context_.pauses[std::min<size_t>(claim_.tries > 0 ? claim_.tries - 1 : 0, last)];
  message_ = outcome.reason;
  log::warn("{}: {}; tried again in {}", label(), message_, duration_of(pause));
  rest(now.steady + pause, now);
}

/// Of those that a worker writes to, for all jobs alike.
std::string ActiveJob::trouble_of_disks() const {
  std::string trouble = disk_trouble(context_.journals, context_.machine->disk());
  return trouble.empty() ? disk_trouble(folder_.plates(), context_.machine->disk()) : trouble;
}

void ActiveJob::record_attempt() {
  try {
    folder_.work().record_attempt(claim_);
  } catch (const Error& error) {
    log::warn("{}: {}", label(), one_line(error.what()));
    ++claim_.tries;
  }
}

void ActiveJob::forget_attempt() {
  try {
    folder_.work().forget_attempt(claim_);
  } catch (const Error& error) {
    log::warn("{}: {}", label(), one_line(error.what()));
  }
}

void ActiveJob::end(JobState state, const std::string& message, const Moment& now) {
  message_ = message;
  claim_.made_from = files_.marks();
  set_phase(Phase::kFinishing, state, now);
  const std::string report_page = report_folder() + "/report.html";
  JobView shown = view(now);
  std::error_code ignored;
  if (fs::is_regular_file(fs::symlink_status(report_page, ignored))) shown.report = report_page;
  end({.view = std::move(shown),
       .plates = report().plate_count(),
       .digest = content_.digest,
       .file_digests = content_.files,
       .advice = advice_,
       .plate_marks =
           state == JobState::kDone ? marks_of(report().plates()) : std::vector<files::FileMark>(),
       .is_entered = false},
      now);
}

void ActiveJob::end(JobEnd::Result result, const Moment& now) {
  phase_ = Phase::kFinishing;
  next_try_.due = now;
  end_.emplace(folder_, claim_, context_, std::move(result));
}

std::optional<JobView> ActiveJob::ended() const {
  return end_ && end_->is_finished() ? std::optional(end_->view()) : std::nullopt;
}

void ActiveJob::cancel(const Moment& now) {
  if (phase_ == Phase::kRunning) {
    return run_->terminate(WorkerRun::Stop::kCancel, now, context_.grace);
  }
  if (phase_ != Phase::kDigest && phase_ != Phase::kResting) return;
  content_.task.reset();
  end(JobState::kCancelled, "cancelled on request", now);
}

void ActiveJob::suspend(const Moment& now) {
  suspends_ = true;
  if (phase_ == Phase::kFinishing) next_try_.due = now;
  if (phase_ == Phase::kRunning) {
    return run_->terminate(WorkerRun::Stop::kSuspend, now, context_.grace);
  }
  if (phase_ != Phase::kDigest && phase_ != Phase::kResting) return;
  content_.task.reset();
  set_phase(Phase::kOver, JobState::kWaiting, now);
}

void ActiveJob::excuse(const Moment& now) {
  content_.watch = StallWatch(now);
  if (run_) run_->excuse(now);
}

void ActiveJob::kill() {
  if (run_) run_->kill();
}

void ActiveJob::add_polls(std::vector<pollfd>& polls) const {
  if (run_) run_->add_polls(polls);
}

std::optional<SteadyTime> ActiveJob::next_time() const {
  switch (phase_) {
    case Phase::kDigest:
      return content_.watch.due(folder_.settings().stall);
    case Phase::kOver:
      return std::nullopt;
    case Phase::kResting:
    case Phase::kFinishing:
      return next_try_.due;
    case Phase::kRunning:
      break;
  }
  return run_->next_time(folder_.settings().stall);
}

JobView ActiveJob::view(const Moment& now) const {
  if (end_) return end_->view();
  uint64_t bytes = 0;
  for (const files::FileMark& mark : files_.marks()) bytes += mark.bytes;
  const auto& disk = wanted_disk_;
  std::string message = disk ? shortage_text(*disk) : message_;
  if (content_.task) message = digest_text();
  return {.id = claim_.id,
          .folder = folder_.path(),
          .name = one_line(name()),
          .state = disk ? JobState::kWaiting : state_,
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

void ActiveJob::look_at_wanted_disk(const Moment& now) {
  const auto& pause = report().paused();
  if (!pause || phase_ != Phase::kRunning) return wanted_disk_.reset();
  if (wanted_disk_ && now.steady < wanted_disk_due_) return;
  wanted_disk_due_ = now.steady + kDiskAgain;
  const std::string& folder = pause->folder.empty() ? folder_.plates() : pause->folder;
  DiskView disk = disk_of(folder, context_.machine->disk()).value_or(DiskView{.path = folder});
  // It may wait with more free than that, for a quota.
  disk.missing_bytes =
      pause->wanted_bytes > disk.free_bytes ? pause->wanted_bytes - disk.free_bytes : 1;
  disk.folder = folder_.path();
  wanted_disk_ = std::move(disk);
}

}  // namespace mezzo::watch
