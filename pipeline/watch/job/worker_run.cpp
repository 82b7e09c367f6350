#include "pipeline/watch/job/worker_run.h"

#include <csignal>

namespace mezzo::watch {
namespace {

constexpr std::chrono::seconds kDrainTime{
    1};  // for the lines that an ended worker left in its pipes

}  // namespace

WorkerRun::WorkerRun(const std::vector<std::string>& command,
                     const std::vector<std::string>& changes,
                     const ClaimedJob& claim,
                     std::string label,
                     WatchListener* listener,
                     Clock::time_point now)
    : worker_(command, claim.lock_fd, changes),
      listener_(listener),
      log_(std::move(label), claim),
      begun_(now),
      heard_(now) {}

std::optional<process::WorkerEnd> WorkerRun::advance(Clock::time_point now,
                                                     std::chrono::milliseconds stall) {
  read(now);
  if (!end_) {
    end_ = worker_.end();
    ended_ = now;
  }
  if (end_) {
    const bool drained = worker_.results_fd() < 0 && worker_.messages_fd() < 0;
    return drained || now - ended_ > kDrainTime ? end_ : std::nullopt;
  }
  if (kill_at_ && *kill_at_ <= now) kill();
  if (stop_ == Stop::kNone && report_.paused().empty() && now - heard_ > stall) {
    stop_ = Stop::kStall;
    kill();
  }
  return std::nullopt;
}

void WorkerRun::read(Clock::time_point now) {
  worker_.read_results([&](std::string_view line) {
    const WorkerReport::Line kind = report_.add(line);
    if (kind == WorkerReport::Line::kNotOurs) return log_.add_no_result(line);
    heard_ = now;
    if (kind == WorkerReport::Line::kSheet && listener_ != nullptr) {
      listener_->sheet_ended(report_.last_sheet());
    }
  });
  worker_.read_messages([&](std::string_view line) { log_.add(line); });
}

void WorkerRun::terminate(Stop why, Clock::time_point now, std::chrono::milliseconds grace) {
  if (why == Stop::kCancel || stop_ == Stop::kNone) stop_ = why;
  if (kill_at_) return;
  worker_.signal(SIGTERM);
  kill_at_ = now + grace;
}

void WorkerRun::kill() {
  if (!end_) worker_.signal(SIGKILL);
  kill_at_.reset();
}

Outcome WorkerRun::outcome(const process::WorkerEnd& end) {
  Outcome outcome = report_.outcome(end, worker_.last_messages());
  outcome.reason = log_.as_dropped(std::move(outcome.reason));
  // Sheets that a stopped worker left unfinished have not failed.
  const bool was_stopped = stop_ == Stop::kCancel || stop_ == Stop::kSuspend;
  was_stopped ? log_.end_stopped() : log_.end(report_);
  return outcome;
}

double WorkerRun::seconds(Clock::time_point now) const {
  return std::chrono::duration<double>(now - begun_).count();
}

void WorkerRun::add_polls(std::vector<pollfd>& polls) const {
  for (const int fd : {worker_.process_fd(), worker_.results_fd(), worker_.messages_fd()}) {
    if (fd >= 0) polls.push_back({.fd = fd, .events = POLLIN, .revents = 0});
  }
}

std::optional<WorkerRun::Clock::time_point> WorkerRun::next_time(
    std::chrono::milliseconds stall) const {
  if (end_) return ended_ + kDrainTime;
  std::optional<Clock::time_point> next = kill_at_;
  if (stop_ == Stop::kNone && report_.paused().empty()) {
    const auto stalled = heard_ + stall;
    if (!next || stalled < *next) next = stalled;
  }
  return next;
}

}  // namespace mezzo::watch
