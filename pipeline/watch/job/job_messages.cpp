// What a job's worker tells, and what of it the log gets.
#include <spdlog/spdlog.h>

#include <algorithm>

#include "pipeline/text.h"
#include "pipeline/watch/job/active_job.h"

namespace mezzo::watch {
namespace {

constexpr size_t kMessagesLogged = 20;  // of a worker's standard error
constexpr std::string_view kProgram = "mezzotint: ";
constexpr std::string_view kError = "error: ";

/// Of a line without the name of the program.
spdlog::level::level_enum level_of(std::string_view line) {
  if (line.starts_with(kError)) return spdlog::level::err;
  return line.starts_with("warning: ") ? spdlog::level::warn : spdlog::level::info;
}

void replace_all(std::string& text, const std::string& part, const std::string& by) {
  for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size()) {
    text.replace(at, part.size(), by);
  }
}

}  // namespace

void ActiveJob::take_results(Clock::time_point now) {
  worker_->read_results([&](std::string_view line) {
    const WorkerReport::Line what = report_.add(line);
    if (what == WorkerReport::Line::kNotOurs) {
      if (odd_lines_++ == 0) {
        spdlog::warn("{}: {}: the worker writes what is no result: {}",
                     folder_.path(),
                     name(),
                     one_line(line, 100));
      }
      return;
    }
    heard_ = now;
    if (what == WorkerReport::Line::kSheet && around_.listener != nullptr) {
      around_.listener->sheet_ended(report_.last_sheet());
    }
  });
}

/// Errors and what follows them wait for the worker's end: most are in its results, and then in the
/// reason for which the job has failed.
void ActiveJob::take_messages() {
  worker_->read_messages([&](std::string_view line) {
    if (line.starts_with(kProgram)) line.remove_prefix(kProgram.size());
    if (level_of(line) == spdlog::level::warn) return log_message(line);
    if (held_.size() < kMessagesLogged) held_.emplace_back(line);
  });
}

void ActiveJob::log_held_messages() {
  // Told to stop, it says that it was; and what it could not bring to an end is no failure.
  const bool was_stopped = stop_ == Stop::kCancel || stop_ == Stop::kPutOff;
  for (const std::string& line : held_) {
    if (!was_stopped && !report_.tells(line)) log_message(line);
  }
  held_.clear();
}

void ActiveJob::log_message(std::string_view line) {
  if (++messages_ > kMessagesLogged) return;
  const auto level = level_of(line);
  if (level == spdlog::level::err) line.remove_prefix(kError.size());
  spdlog::log(level, "{}: {}: {}", folder_.path(), name(), as_dropped(one_line(line)));
  if (messages_ == kMessagesLogged) {
    spdlog::log(level, "{}: {}: further messages are left out", folder_.path(), name());
  }
}

/// With the names that files had where they were dropped, in place of those in .work.
std::string ActiveJob::as_dropped(std::string text) const {
  replace_all(text, claim_.manifest, claim_.manifest_name);
  replace_all(text, claim_.work + "/", "");
  return text;
}

}  // namespace mezzo::watch
