#include "tools/cli/console.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "pipeline/log/log.h"
#include "pipeline/text.h"

namespace mezzo::cli {
namespace {

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool terminal() {
  const char* term = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

LogFormat g_log_format = LogFormat::kText;
log::Level g_least_level = log::Level::kInfo;

/// The progress line at the bottom of the terminal, shared with the log.
struct Bottom {
  std::mutex mutex;
  std::string text;  ///< empty: none

  void show(const std::string& line) {
    const std::lock_guard lock(mutex);
    text = line;
    std::fputs(("\r\033[K" + text).c_str(), stderr);
    std::fflush(stderr);
  }
  void clear() {
    const std::lock_guard lock(mutex);
    if (!text.empty()) std::fputs("\r\033[K", stderr);
    text.clear();
    std::fflush(stderr);
  }
};

Bottom& bottom() {
  static Bottom the_one;
  return the_one;
}

/// Writes a message above the progress line.
void show_message(log::Level level, std::string_view message) {
  if (level < g_least_level) return;
  std::string text = log_text(g_log_format, level, message, std::chrono::system_clock::now());
  const std::lock_guard lock(bottom().mutex);
  if (!bottom().text.empty()) text = "\r\033[K" + text + bottom().text;
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

void set_up_log(Verbosity verbosity, bool json) {
  const bool coloured = terminal() && !is_set("NO_COLOR");
  g_log_format = json                  ? LogFormat::kJson
                 : stderr_is_journal() ? LogFormat::kJournal
                 : coloured            ? LogFormat::kColoured
                                       : LogFormat::kText;
  g_least_level = verbosity == Verbosity::kQuiet     ? log::Level::kWarning
                  : verbosity == Verbosity::kVerbose ? log::Level::kDebug
                                                     : log::Level::kInfo;
  log::set_sink(show_message);
}

LogFormat log_format() {
  return g_log_format;
}

class Progress::Line {
 public:
  explicit Line(std::function<SteadyTime()> now) : now_(std::move(now)) {}

  bool due(bool at_once) {
    const SteadyTime now = now_();
    const auto pause = redraws_ ? std::chrono::milliseconds(100) : std::chrono::seconds(10);
    if (!at_once && now - shown_ < pause) return false;
    shown_ = now;
    return true;
  }

  void show(const std::string& text) const {
    if (redraws_) {
      bottom().show(text);
    } else {
      log::info("{}", text);
    }
  }

  bool redraws() const { return redraws_; }
  double seconds() const { return std::chrono::duration<double>(now_() - begin_).count(); }

 private:
  std::function<SteadyTime()> now_;
  bool redraws_ = terminal() && !is_set("CI");
  SteadyTime begin_ = now_();
  SteadyTime shown_ = begin_;
};

Progress::Progress(const plan::JobPlan& plan, Verbosity verbosity, std::function<SteadyTime()> now)
    : line_(verbosity == Verbosity::kQuiet || log_format() == LogFormat::kJson
                ? nullptr
                : std::make_unique<Line>(std::move(now))),
      pixels_total_(plan.pixels),
      sheets_total_(plan.sheets.size()) {}

Progress::~Progress() {
  if (line_ && line_->redraws()) bottom().clear();
}

void Progress::pixels_done(uint64_t pixels) {
  const std::lock_guard lock(mutex_);
  pixels_ += pixels;
  draw(false);
}

void Progress::round_done(const plan::SheetPlan& sheet,
                          const std::string& ink,
                          const RoundReport& report) {
  const std::string where =
      report.first_row == 0 ? ink : fmt::format("{} from row {}", ink, report.first_row);
  const bool is_complete = report.part >= 1;
  if (is_complete) {
    const std::string what =
        report.round == 0
            ? "start"
            : fmt::format("round {}{} changed {} px",
                          report.round,
                          report.stage.empty() ? "" : fmt::format(" ({})", report.stage),
                          report.changed);
    log::debug("{}: {}: {}, average error {:.3f}", sheet.input, where, what, report.average_error);
  }
  const std::string part = is_complete ? "" : fmt::format(" ({:.0f} %)", 100 * report.part);
  const std::string stage = report.stage.empty() ? "" : fmt::format(" of {}", report.stage);
  const std::lock_guard lock(mutex_);
  round_ = fmt::format(
      "{}: round {}{}{}, error {:.3f}", where, report.round, stage, part, report.average_error);
  draw(false);
}

std::string protection_text(const prepress::Protection& protection) {
  return fmt::format(", {} px of paper and {} px of solids protected ({} of them mended)",
                     protection.paper_px,
                     protection.solid_px,
                     protection.mended_px);
}

std::string linework_text(const prepress::OverlayPixels& linework) {
  return fmt::format(", {} px of line work printed and {} px knocked out",
                     linework.printed_px,
                     linework.knocked_out_px);
}

std::string ink_amount_text(const run::InkAmount& ink) {
  const std::string found = fmt::format("up to {:.1f} % of ink in one place, {:.1f} % in the mean",
                                        ink.most_percent,
                                        ink.mean_percent);
  if (ink.above_px == 0) return fmt::format("{}; the limit is {:.6g} %", found, ink.limit_percent);
  return fmt::format("{}; {} of {} px above {:.6g} %{}",
                     found,
                     ink.above_px,
                     ink.pixels,
                     ink.limit_percent,
                     ink.only_checked ? ", and left as they are" : ", and limited to it");
}

void Progress::sheet_finished(const plan::SheetPlan& plan, const run::SheetResult& result) {
  for (const std::string& note : result.notes) log::info("{}: {}", result.input, note);
  for (const std::string& warning : result.warnings) log::warn("{}: {}", result.input, warning);
  if (result.failure) log_failure(result.failure->text());
  if (result.ink && !result.already_done) {
    log::info("{}: {}", result.input, ink_amount_text(*result.ink));
  }
  for (const run::PlateResult& plate : result.plates) {
    if (result.already_done) {
      log::debug("{} -> {}: made before", result.input, plate.path);
      continue;
    }
    log::message(line_ && line_->redraws() ? log::Level::kDebug : log::Level::kInfo,
                 "{} -> {}: {}, {}, {:.1f}% ink{}{}{}{}",
                 result.input,
                 plate.path,
                 plate.compression,
                 bytes_text(plate.file_bytes),
                 plate.coverage_percent,
                 plan.settings.output.negative ? " in the negative" : "",
                 plate.protection ? protection_text(*plate.protection) : "",
                 plate.linework ? linework_text(*plate.linework) : "",
                 result.verified == tiff::VerifyLevel::kRecompute ? ", recomputed" : "");
  }
  for (const run::SideFileResult& file : result.side_files) {
    if (!file.error.empty() || file.already_done) continue;
    log::message(line_ && line_->redraws() ? log::Level::kDebug : log::Level::kInfo,
                 "{} -> {}: {}, {} x {} px at {:.6g} dpi, {}",
                 result.input,
                 file.path,
                 file.kind,
                 file.width_px,
                 file.height_px,
                 file.dpi,
                 bytes_text(file.file_bytes));
  }
  const std::lock_guard lock(mutex_);
  ++sheets_;
  round_.clear();
  if (line_ && line_->redraws()) draw(true);
}

void Progress::log_failure(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (text != last_failure_) log::error("{}", text);
  last_failure_ = text;
}

void Progress::paused(const run::Pause& pause) {
  log::warn("{}; waiting until there is", pause.reason);
}

void Progress::continued() {
  log::info("going on");
}

void Progress::draw(bool at_once) {
  if (!line_ || !line_->due(at_once)) return;
  constexpr size_t kBar = 24;
  const double part =
      pixels_total_ == 0 ? 1 : static_cast<double>(pixels_) / static_cast<double>(pixels_total_);
  const auto full = static_cast<size_t>(std::clamp(part, 0.0, 1.0) * kBar);
  const double seconds = line_->seconds();
  std::string text =
      fmt::format("[{}{}] {:3.0f}%  {}/{} sheets  {}",
                  std::string(full, '='),
                  std::string(kBar - full, ' '),
                  part * 100,
                  sheets_,
                  sheets_total_,
                  round_.empty() ? rate_text(static_cast<double>(pixels_) / seconds) : round_);
  if (part > 0.02 && part < 1) {
    text += fmt::format("  {} left", duration_text(seconds * (1 - part) / part));
  }
  line_->show(text);
}

}  // namespace mezzo::cli
