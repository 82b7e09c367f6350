#include "pipeline/watch/job/worker_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include "manifests/json/members.h"
#include "pipeline/exit_status.h"
#include "pipeline/text.h"
#include "pipeline/watch/view/view_json.h"

namespace mezzo::watch {
namespace {

constexpr size_t kFailuresKept = 3;

/// Failures that lie in the job itself. All others may be over at the next try.
constexpr std::array<std::string_view, 6> kLasting = {
    "usage", "data", "unsupported", "limit", "checksum", "missing"};

/// For a worker that nobody told to stop.
const char* advice_on_signal(int signal) {
  if (signal != SIGKILL) return "Please report this, with the page.";
  return "Most likely the machine ran out of memory and the kernel killed the worker (`dmesg` "
         "tells). Run fewer jobs at a time (`mezzotint watch --jobs`), lower limits.memory, or add "
         "memory.";
}

struct Trouble {
  std::string kind, message, hint;
  std::string place;  ///< of a setting in the manifest
};

struct PlateLine {
  PlateView plate;
  uint64_t file_bytes = 0;
};

/// The members of a line; its type tells which are there.
struct ResultLine {
  std::string type, file, reason, folder;
  uint64_t line = 0, pixels_done = 0, wanted_bytes = 0;
  bool already_done = false;
  Trouble trouble;  ///< of the line itself
  SheetEvent sheet;
  std::optional<Trouble> error;  ///< of a sheet
  std::vector<PlateLine> plates;
};

void describe(json::Members& members, Trouble& trouble) {
  members("kind", trouble.kind);
  members("message", trouble.message);
  members("hint", trouble.hint);
  members("place", trouble.place);
}

void describe(json::Members& members, PlateLine& line) {
  describe(members, line.plate);
  members("file_bytes", line.file_bytes);
}

void describe(json::Members& members, ResultLine& line) {
  members("type", line.type);
  members("file", line.file);
  members("line", line.line);
  describe(members, line.trouble);
  members("reason", line.reason);
  members("folder", line.folder);
  members("wanted_bytes", line.wanted_bytes);
  members("pixels_done", line.pixels_done);
  members("ok", line.sheet.ok);
  members("already_done", line.already_done);
  members("seconds", line.sheet.seconds);
  members("pixels", line.sheet.pixels);
  members("input_bytes", line.sheet.input_bytes);
  members("engine", line.sheet.engine);
  members("error", line.error);
  members("plates", line.plates);
}

/// Of the last message of a program that could not be run; also of one from the dynamic linker.
bool tells_of_shortage(std::string_view message) {
  constexpr std::array kShortages = {EMFILE, ENFILE, ENOMEM, EAGAIN};
  return std::ranges::any_of(kShortages, [&](int number) {
    return message.find(::strerrordesc_np(number)) != std::string_view::npos;
  });
}

}  // namespace

void WorkerReport::add_failure(const std::string& kind,
                               std::string message,
                               const std::string& hint) {
  if (std::ranges::find(kLasting, kind) == kLasting.end()) may_pass_ = true;
  message = message.empty() ? "no reason was given" : one_line(message);
  // Files of a set that do not fit each other fail for one reason, which counts once.
  if (std::ranges::find(failures_, message) == failures_.end()) {
    ++failure_count_;
    if (failures_.size() < kFailuresKept) failures_.push_back(message);
  }
  if (advice_.empty()) advice_ = one_line(hint);
}

/// The manifest of a page that was dropped alone is nothing that its owner has seen.
void WorkerReport::add_diagnostic(const std::string& place, const std::string& text) {
  has_diagnostics_ = true;
  if (has_manifest_) {
    add_failure("data", place + ": " + text, "Correct the manifest and drop it again.");
  } else {
    add_failure("data", text, "Put this right, then drop the page again.");
  }
}

WorkerReport::Line WorkerReport::add(std::string_view text) {
  const json::Value object = json::parse_or_null(text);
  if (object.members() == nullptr) return Line::kNotOurs;
  auto line = json::from_value<ResultLine>(object, json::Reading::kLenient);
  if (line.type == "begun") {
    pixels_ += line.sheet.pixels;
    ++sheets_begun_;
  } else if (line.type == "pulse") {
    pixels_done_ = line.pixels_done;
  } else if (line.type == "paused") {
    paused_ = {.reason = line.reason.empty() ? "waits" : one_line(line.reason),
               .folder = std::move(line.folder),
               .wanted_bytes = line.wanted_bytes};
  } else if (line.type == "continued") {
    paused_.reset();
  } else if (line.type == "diagnostic") {
    const std::string number = line.line > 0 ? fmt::format(":{}", line.line) : "";
    const std::string hint = line.trouble.hint.empty() ? "" : "; " + line.trouble.hint;
    add_diagnostic(line.file + number, line.trouble.message + hint);
  } else if (line.type == "error") {
    add_failure(line.trouble.kind, line.trouble.message, line.trouble.hint);
  } else if (line.type == "sheet") {
    // A sheet that an earlier run made has no part in progress and counts.
    if (!line.already_done) sheets_done_pixels_ += line.sheet.pixels;
    pixels_done_ = std::max(pixels_done_, sheets_done_pixels_);
    last_sheet_ = line.sheet;
    for (PlateLine& plate : line.plates) {
      last_sheet_.plate_bytes += plate.file_bytes;
      add_plate(std::move(plate.plate));
    }
    if (line.error) {
      const auto& [kind, message, hint, place] = *line.error;
      add_failure(kind, place.empty() ? message : place + ": " + message, hint);
    }
    return line.already_done ? Line::kProgress : Line::kSheet;
  } else if (line.type == "job") {
    ended_ = true;
    ok_ = line.sheet.ok;
    if (ok_) pixels_done_ = std::max(pixels_, pixels_done_);
  } else {
    return Line::kNotOurs;
  }
  return Line::kProgress;
}

void WorkerReport::add_plate(PlateView plate) {
  ++plate_count_;
  if (plates_.size() == kPlatesKept) return;
  plate.ink = one_line(plate.ink);
  plates_.push_back(std::move(plate));
}

bool WorkerReport::reports(std::string_view message) const {
  const std::string text = one_line(message);
  const auto is_part = [&](const std::string& one) { return text.find(one) != std::string::npos; };
  // A diagnostic has several lines: the mistake, the line of the manifest, and a hint.
  return has_diagnostics_ || std::ranges::any_of(failures_, is_part);
}

std::string WorkerReport::failures_text() const {
  std::string text;
  for (const std::string& failure : failures_) text += (text.empty() ? "" : "; ") + failure;
  if (failure_count_ > failures_.size()) {
    text += fmt::format("; and {} more", failure_count_ - failures_.size());
  }
  return text;
}

std::string WorkerReport::reason_for(const process::WorkerEnd& end,
                                     const std::deque<std::string>& messages) const {
  std::string text;
  if (end.signal != 0) {
    const char* name = ::strsignal(end.signal);
    text =
        fmt::format("the worker was killed by signal {} ({})", end.signal, name ? name : "unknown");
  } else if (end.exit_status == 0) {
    text = "the worker ended without an outcome";
  } else {
    text = fmt::format("the worker ended with status {}", end.exit_status);
  }
  if (failure_count_ > 0) return end.signal != 0 ? text + ": " + failures_text() : failures_text();
  return messages.empty() ? text : text + "; its last message: " + one_line(messages.back());
}

Outcome WorkerReport::outcome(const process::WorkerEnd& end,
                              const std::deque<std::string>& messages) const {
  if (end.signal == 0 && end.exit_status == 0 && ended_ && ok_) return {RunOutcome::kGood, "", ""};
  Outcome outcome{RunOutcome::kTryAgain, reason_for(end, messages), advice_};
  if (end.signal != 0) {
    outcome.advice = advice_on_signal(end.signal);
    return outcome;
  }
  switch (end.exit_status) {
    case kExitUsage:
    case kExitData:
    case kExitMissing:
    case kExitUnavailable:
      outcome.kind = RunOutcome::kBad;
      break;
    case process::kCannotRun:
      if (!messages.empty() && tells_of_shortage(messages.back())) {
        outcome.kind = RunOutcome::kNeverBegan;
      }
      break;
    case kExitSomeFailed:
      if (failure_count_ > 0 && !may_pass_) outcome.kind = RunOutcome::kBad;
      break;
    default:
      break;
  }
  return outcome;
}

}  // namespace mezzo::watch
