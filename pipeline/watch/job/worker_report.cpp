#include "pipeline/watch/job/worker_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <nlohmann/json.hpp>

#include "pipeline/exit_status.h"
#include "pipeline/text.h"

namespace mezzo::watch {
namespace {

using Json = nlohmann::json;

constexpr size_t kFailuresKept = 3;
constexpr size_t kPlatesKept = 1000;
constexpr int kMaxDepth = 8;

/// Failures that lie in the job itself. All others may be over at the next try.
constexpr std::array<std::string_view, 6> kLasting = {
    "usage", "data", "unsupported", "limit", "checksum", "missing"};

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

uint64_t count_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_unsigned() ? found->get<uint64_t>() : 0;
}

double number_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

bool is_true(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

/// Null when the text is no JSON object, or a nested one that only an attacker would write.
Json parse_object(std::string_view line) {
  const Json::parser_callback_t shallow = [](int depth, Json::parse_event_t, Json&) {
    return depth <= kMaxDepth;
  };
  Json object = Json::parse(line, shallow, false);
  return object.is_object() ? object : Json();
}

}  // namespace

void WorkerReport::add_failure(std::string kind, std::string message, const std::string& hint) {
  ++failure_count_;
  if (std::ranges::find(kLasting, kind) == kLasting.end()) may_pass_ = true;
  if (message.empty()) message = "no reason was given";
  if (failures_.size() < kFailuresKept) failures_.push_back(one_line(message));
  if (advice_.empty()) advice_ = one_line(hint);
}

WorkerReport::Line WorkerReport::add(std::string_view line) {
  const Json object = parse_object(line);
  if (object.is_null()) return Line::kNotOurs;
  const std::string type = text_of(object, "type");
  if (type == "begun") {
    pixels_ += count_of(object, "pixels");
  } else if (type == "pulse") {
    pixels_done_ = count_of(object, "pixels_done");
  } else if (type == "paused") {
    paused_ = one_line(text_of(object, "reason"));
    if (paused_.empty()) paused_ = "waits";
  } else if (type == "continued") {
    paused_.clear();
  } else if (type == "diagnostic") {
    const uint64_t row = count_of(object, "line");
    has_diagnostics_ = true;
    add_failure("data",
                fmt::format("{}{}: {}{}",
                            text_of(object, "file"),
                            row > 0 ? fmt::format(":{}", row) : "",
                            text_of(object, "message"),
                            text_of(object, "hint").empty() ? "" : "; " + text_of(object, "hint")),
                "Correct the manifest and drop it again.");
  } else if (type == "error") {
    add_failure(text_of(object, "kind"), text_of(object, "message"), text_of(object, "hint"));
  } else if (type == "sheet") {
    // A sheet that an earlier run made has no part in progress and counts.
    const bool already_done = is_true(object, "already_done");
    last_sheet_ = {.ok = is_true(object, "ok"),
                   .seconds = number_of(object, "seconds"),
                   .pixels = count_of(object, "pixels"),
                   .input_bytes = count_of(object, "input_bytes"),
                   .engine = text_of(object, "engine")};
    if (!already_done) sheets_done_pixels_ += last_sheet_.pixels;
    pixels_done_ = std::max(pixels_done_, sheets_done_pixels_);
    if (const auto error = object.find("error"); error != object.end() && error->is_object()) {
      add_failure(text_of(*error, "kind"), text_of(*error, "message"), text_of(*error, "hint"));
    }
    if (const auto plates = object.find("plates"); plates != object.end() && plates->is_array()) {
      for (const Json& plate : *plates) {
        if (!plate.is_object()) continue;
        ++plate_count_;
        if (plates_.size() == kPlatesKept) continue;
        plates_.push_back({.ink = one_line(text_of(plate, "ink")),
                           .path = text_of(plate, "path"),
                           .coverage_percent = number_of(plate, "coverage_percent")});
      }
    }
    return already_done ? Line::kProgress : Line::kSheet;
  } else if (type == "job") {
    ended_ = true;
    ok_ = is_true(object, "ok");
    if (ok_) pixels_done_ = std::max(pixels_, pixels_done_);
  } else {
    return Line::kNotOurs;
  }
  return Line::kProgress;
}

bool WorkerReport::reports(std::string_view message) const {
  const std::string text = one_line(message);
  const auto is_part = [&](const std::string& one) { return text.find(one) != std::string::npos; };
  // A diagnostic has several lines: what is wrong, the line of the manifest, and a hint.
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
    text = "the worker ended without saying how";
  } else {
    text = fmt::format("the worker ended with status {}", end.exit_status);
  }
  if (failure_count_ > 0) return end.signal != 0 ? text + ": " + failures_text() : failures_text();
  return messages.empty() ? text : text + "; its last words: " + one_line(messages.back());
}

Outcome WorkerReport::outcome(const process::WorkerEnd& end,
                              const std::deque<std::string>& messages) const {
  if (end.signal == 0 && end.exit_status == 0 && ended_ && ok_) return {RunOutcome::kGood, "", ""};
  Outcome outcome{RunOutcome::kTryAgain, reason_for(end, messages), advice_};
  if (end.signal != 0) return outcome;
  switch (end.exit_status) {
    case kExitUsage:
    case kExitData:
    case kExitMissing:
    case kExitUnavailable:
      outcome.kind = RunOutcome::kBad;
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
