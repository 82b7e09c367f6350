#include "pipeline/watch/job/worker_run.h"

#include <csignal>
#include <utility>

#include "pipeline/log/log.h"
#include "pipeline/text.h"

namespace mezzo::watch {
namespace {

constexpr const char* kStallAdvice =
    "See whether the disks of the pages and the plates answer. A page that takes this long by its "
    "method wants a longer `stall` in folder.yaml.";

constexpr size_t kMostLines = 20;
constexpr std::string_view kProgram = "mezzotint: ";
constexpr std::string_view kError = "error: ";

/// The level of a line in a worker's log; the line begins after the name of the program.
log::Level level_of(std::string_view line) {
  if (line.starts_with(kError)) return log::Level::kError;
  return line.starts_with("warning: ") ? log::Level::kWarning : log::Level::kInfo;
}

void replace_all(std::string& text, const std::string& part, const std::string& by) {
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size()) {
    text.replace(at, part.size(), by);
  }
}

}  // namespace

WorkerRun::WorkerRun(std::unique_ptr<process::Worker> worker,
                     const ClaimedJob& claim,
                     std::string label,
                     WatchListener* listener,
                     SteadyTime now)
    : worker_(std::move(worker)),
      listener_(listener),
      claim_(claim),
      label_(std::move(label)),
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
    if (kind == WorkerReport::Line::kNotOurs) {
      if (std::exchange(has_odd_line_, true)) return;
      return log::warn(
          "{}: the worker wrote a line that is not a result: {}", label_, one_line(line, 100));
    }
    heard_ = now;
    if (kind == WorkerReport::Line::kSheet && listener_ != nullptr) {
      listener_->sheet_ended(report_.last_sheet());
    }
  });
  worker_->read_messages([&](std::string_view line) { add_message(line); });
}

void WorkerRun::add_message(std::string_view line) {
  if (line.starts_with(kProgram)) line.remove_prefix(kProgram.size());
  if (level_of(line) == log::Level::kWarning) return log(line);
  if (held_messages_.size() < kMostLines) held_messages_.emplace_back(line);
}

void WorkerRun::log(std::string_view line) {
  if (++logged_ > kMostLines) return;
  const auto level = level_of(line);
  if (level == log::Level::kError) line.remove_prefix(kError.size());
  log::message(level, "{}: {}", label_, as_dropped(one_line(line)));
  if (logged_ == kMostLines) log::message(level, "{}: further messages are left out", label_);
}

/// Replaces paths in .work by the names under which files were dropped.
std::string WorkerRun::as_dropped(std::string text) const {
  replace_all(text, claim_.manifest, claim_.manifest_name);
  replace_all(text, claim_.work + "/", "");
  return text;
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
  outcome.reason = as_dropped(std::move(outcome.reason));
  // Sheets that a stopped worker left unfinished have not failed. A worker that never began may be
  // started for hours, with the same message.
  const bool was_stopped = stop_ == Stop::kCancel || stop_ == Stop::kSuspend;
  const bool is_silent = was_stopped || outcome.kind == RunOutcome::kNeverBegan;
  for (const std::string& line : held_messages_) {
    if (!is_silent && !report_.reports(line)) log(line);
  }
  held_messages_.clear();
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
