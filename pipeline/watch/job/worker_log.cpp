#include "pipeline/watch/job/worker_log.h"

#include "pipeline/log/log.h"
#include "pipeline/text.h"

namespace mezzo::watch {
namespace {

constexpr size_t kMostLines = 20;
constexpr std::string_view kProgram = "mezzotint: ";
constexpr std::string_view kError = "error: ";

/// Of a line without the name of the program.
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

void WorkerLog::add(std::string_view line) {
  if (line.starts_with(kProgram)) line.remove_prefix(kProgram.size());
  if (level_of(line) == log::Level::kWarning) return log(line);
  if (held_.size() < kMostLines) held_.emplace_back(line);
}

void WorkerLog::add_no_result(std::string_view line) {
  if (no_results_++ > 0) return;
  log::warn("{}: the worker wrote a line that is not a result: {}", label_, one_line(line, 100));
}

void WorkerLog::end(const WorkerReport& report) {
  for (const std::string& line : held_) {
    if (!report.reports(line)) log(line);
  }
  held_.clear();
}

void WorkerLog::log(std::string_view line) {
  if (++logged_ > kMostLines) return;
  const auto level = level_of(line);
  if (level == log::Level::kError) line.remove_prefix(kError.size());
  log::message(level, "{}: {}", label_, as_dropped(one_line(line)));
  if (logged_ == kMostLines) log::message(level, "{}: further messages are left out", label_);
}

std::string WorkerLog::as_dropped(std::string text) const {
  replace_all(text, claim_.manifest, claim_.manifest_name);
  replace_all(text, claim_.work + "/", "");
  return text;
}

}  // namespace mezzo::watch
