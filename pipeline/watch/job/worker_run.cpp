#include "pipeline/watch/job/worker_run.h"

#include <csignal>

namespace mezzo::watch {
namespace {

constexpr const char* kStallAdvice =
    "See whether the disks of the pages and the plates answer. A page that takes this long by its "
    "method wants a longer `stall` in folder.yaml.";

}  // namespace

WorkerRun::WorkerRun(std::unique_ptr<process::Worker> worker,
                     const ClaimedJob& claim,
                     std::string label,
                     WatchListener* listener,
                     SteadyTime now)
    : worker_(std::move(worker)),
      listener_(listener),
      log_(std::move(label), claim),
      report_(claim.kind != JobKind::kPages),
      begun_(now),
      heard_(now) {}

std::optional<process::WorkerEnd> WorkerRun::advance(SteadyTime now,
                                                     std::chrono::milliseconds stall) {
  read(now);
  if (const auto end = worker_->finished(now)) return end;
  if (worker_->finished_by()) return std::nullopt;  // its last lines are still in its pipes
  if (kill_at_ && *kill_at_ <= now) kill();
  if (stop_ == Stop::kNone && !report_.paused() && !stands_still() && now - heard_ > stall) {
    stop_ = Stop::kStall;
    kill();
  }
  return std::nullopt;
}

void WorkerRun::read(SteadyTime now) {
  worker_->read_results([&](std::string_view line) {
    const WorkerReport::Line kind = report_.add(line);
    if (kind == WorkerReport::Line::kNotOurs) return log_.add_no_result(line);
    heard_ = now;
    if (kind == WorkerReport::Line::kSheet && listener_ != nullptr) {
      listener_->sheet_ended(report_.last_sheet());
    }
  });
  worker_->read_messages([&](std::string_view line) { log_.add(line); });
}

void WorkerRun::terminate(Stop why, SteadyTime now, std::chrono::milliseconds grace) {
  if (why == Stop::kCancel || stop_ == Stop::kNone) stop_ = why;
  if (kill_at_) return;
  worker_->signal(SIGTERM);
  go_on(now);  // to take the signal
  kill_at_ = now + grace;
}

void WorkerRun::stand_still(SteadyTime now) {
  worker_->signal(SIGSTOP);
  still_since_ = now;
}

void WorkerRun::go_on(SteadyTime now) {
  if (!still_since_) return;
  worker_->signal(SIGCONT);
  const SteadyClock::duration stood = now - *still_since_;
  still_ += stood;
  heard_ += stood;
  still_since_.reset();
}

void WorkerRun::kill() {
  worker_->signal(SIGKILL);
  kill_at_.reset();
}

Outcome WorkerRun::outcome(const process::WorkerEnd& end) {
  Outcome outcome = report_.outcome(end, worker_->last_messages());
  if (stop_ != Stop::kNone) outcome.advice = stop_ == Stop::kStall ? kStallAdvice : "";
  outcome.reason = log_.as_dropped(std::move(outcome.reason));
  // Sheets that a stopped worker left unfinished have not failed. A worker that never began may be
  // started for hours, with the same message.
  const bool was_stopped = stop_ == Stop::kCancel || stop_ == Stop::kSuspend;
  const bool is_silent = was_stopped || outcome.kind == RunOutcome::kNeverBegan;
  is_silent ? log_.end_stopped() : log_.end(report_);
  return outcome;
}

double WorkerRun::seconds(SteadyTime now) const {
  const SteadyTime end = still_since_.value_or(now);
  return std::chrono::duration<double>(end - begun_ - still_).count();
}

void WorkerRun::add_polls(std::vector<pollfd>& polls) const {
  worker_->add_polls(polls);
}

std::optional<SteadyTime> WorkerRun::next_time(std::chrono::milliseconds stall) const {
  if (const auto time = worker_->finished_by()) return time;
  std::optional<SteadyTime> next = kill_at_;
  if (stop_ == Stop::kNone && !report_.paused() && !stands_still()) {
    const auto stalled = heard_ + stall;
    if (!next || stalled < *next) next = stalled;
  }
  return next;
}

}  // namespace mezzo::watch
