#include "pipeline/report/report_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
#include <string_view>

#include "manifests/json/members.h"
#include "pipeline/report/assets.h"
#include "pipeline/report/html_text.h"
#include "pipeline/report/report_json.h"
#include "pipeline/text.h"
#include "pipeline/version.h"
#include "stages/files/input_file.h"

namespace mezzo::report {
namespace {

constexpr uint64_t kMostReportBytes = 64 << 20;

struct Reason {
  std::string message;
};

void describe(json::Members& members, Reason& reason) {
  members("message", reason.message);
}

struct Sheet {
  std::string input, name, outcome;
  bool already_done = false;
  std::optional<Reason> error;
  std::vector<std::string> warnings, notes;
};

void describe(json::Members& members, Sheet& sheet) {
  members("input", sheet.input);
  members("name", sheet.name);
  members("outcome", sheet.outcome);
  members("already_done", sheet.already_done);
  members("error", sheet.error);
  members("warnings", sheet.warnings);
  members("notes", sheet.notes);
}

struct Report {
  std::string finished;
  ReportSummary summary;
  std::optional<MadeBefore> made;
  std::optional<Reason> error;
  std::vector<Sheet> sheets;
};

void describe(json::Members& members, Report& report) {
  ReportSummary& summary = report.summary;
  members.head("report", kReportVersion, 1);
  members("finished", report.finished);
  members("outcome", summary.outcome);
  members("seconds", summary.seconds);
  members("made", report.made);
  members("plates", summary.plates);
  members("good", summary.good);
  members("failed", summary.failed);
  members("not_begun", summary.not_begun);
  members("error", report.error);
  members("sheets", report.sheets);
}

/// The message on a failed sheet, with the name of its page, and without the folder of the job.
std::string reason_of(const Sheet& sheet) {
  std::string message = sheet.error ? sheet.error->message : "";
  const std::string& name = sheet.name.empty() ? sheet.input : sheet.name;
  if (message.starts_with(sheet.input)) message.replace(0, sheet.input.size(), name);
  return message.find(name) == std::string::npos ? name + ": " + message : message;
}

/// Why the job is not good; empty when no sheet says it.
std::string problem_of(const Report& report) {
  if (report.error) return report.error->message;
  const auto first = std::ranges::find(report.sheets, "failed", &Sheet::outcome);
  if (first == report.sheets.end()) return "";
  const std::string reason = one_line(reason_of(*first));
  if (report.summary.failed <= 1) return reason;
  return fmt::format(
      "{} (and {})", reason, counted(report.summary.failed - 1, "more failed sheet"));
}

enum class Mark { kGood, kBad, kOpen };

/// A state in words, and how it looks.
struct Shown {
  Mark mark;
  std::string text;
};

Shown shown_outcome(const ReportSummary& summary) {
  const std::string& outcome = summary.outcome;
  if (outcome == "good") return {Mark::kGood, "good"};
  if (outcome == "interrupted") return {Mark::kOpen, "stopped"};
  if (outcome == "out-of-time") return {Mark::kOpen, "time was up"};
  if (outcome == "device-lost") return {Mark::kBad, "GPU failed"};
  if (outcome == "not-started") return {Mark::kBad, "did not start"};
  return {Mark::kBad, "failed"};
}

Shown shown_state(const IndexEntry& entry) {
  switch (entry.state) {
    case IndexEntry::State::kWaiting:
      return {Mark::kOpen, "not run"};
    case IndexEntry::State::kRunning:
      return {Mark::kOpen, "running"};
    case IndexEntry::State::kRefused:
      return {Mark::kBad, "refused"};
    case IndexEntry::State::kEnded:
      break;
  }
  return entry.summary ? shown_outcome(*entry.summary) : Shown{Mark::kBad, "did not start"};
}

std::string_view class_of(Mark mark) {
  return mark == Mark::kGood ? "good" : mark == Mark::kBad ? "bad" : "open";
}

std::string_view sign_of(Mark mark) {
  return mark == Mark::kGood ? "&#10003;" : mark == Mark::kBad ? "&#10005;" : "&#9675;";
}

/// A path for a link: everything but plain characters as %XX.
std::string url_of(std::string_view path) {
  std::string url;
  for (const char c : path) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                          (c >= 'A' && c <= 'Z') ||
                          std::string_view("-_.~/").find(c) != std::string_view::npos;
    is_plain ? url += c : url += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return url;
}

std::string name_cell(const IndexEntry& entry) {
  const std::string& name = entry.job.empty() ? entry.manifest : entry.job;
  std::string text = "<bdi>" + escape_foreign(name) + "</bdi>";
  if (entry.summary) {
    text =
        fmt::format("<a href=\"./{}/report.html\">{}</a>", escape_html(url_of(entry.folder)), text);
  }
  if (!entry.job.empty()) {
    text += "<div class=\"when\"><bdi>" + escape_foreign(entry.manifest) + "</bdi></div>";
  }
  const std::string& problem =
      entry.problem.empty() && entry.summary ? entry.summary->problem : entry.problem;
  if (!problem.empty()) text += "<div class=\"message\">" + escape_foreign(problem) + "</div>";
  return text;
}

std::string sheets_text(const ReportSummary& summary) {
  const uint64_t all = summary.good + summary.failed + summary.not_begun;
  std::string text = counted(all, "sheet");
  if (summary.good < all) text = fmt::format("{} of {} good", summary.good, text);
  if (summary.failed > 0) text += fmt::format(", {} failed", summary.failed);
  if (summary.made_before == 0) return text;
  std::string which = all == 1 ? "" : "all ";
  if (summary.made_before < all) which = fmt::format("{} ", summary.made_before);
  return text + fmt::format("<div class=\"when\">{}made before</div>", which);
}

std::string remarks_cell(const ReportSummary& summary) {
  std::string text;
  if (summary.warnings > 0) text = counted(summary.warnings, "warning");
  if (summary.notes > 0) text += (text.empty() ? "" : ", ") + counted(summary.notes, "note");
  return text;
}

std::string index_row(const IndexEntry& entry, size_t number) {
  const Shown shown = shown_state(entry);
  const bool has_summary = entry.summary.has_value();
  const ReportSummary summary = entry.summary.value_or(ReportSummary());
  return fmt::format(
      "<tr><td class=\"number\">{}</td><th scope=\"row\">{}</th>"
      "<td><span class=\"chip {}\"><span aria-hidden=\"true\">{}</span> {}</span></td>"
      "<td>{}</td><td>{}</td><td>{}</td><td class=\"number\">{}</td></tr>\n",
      number,
      name_cell(entry),
      class_of(shown.mark),
      sign_of(shown.mark),
      shown.text,
      has_summary ? sheets_text(summary) : "",
      has_summary ? counted(summary.plates, "plate") : "",
      remarks_cell(summary),
      has_summary && summary.seconds > 0 ? duration_text(summary.seconds) : "");
}

/// ": 1 failed, 1 refused": the states that are not good, in the order in which they occur.
std::string others_text(const std::vector<IndexEntry>& entries) {
  std::vector<std::string> states;
  std::map<std::string, size_t> counts;
  for (const IndexEntry& entry : entries) {
    const Shown shown = shown_state(entry);
    if (shown.mark != Mark::kGood && counts[shown.text]++ == 0) states.push_back(shown.text);
  }
  std::string text;
  for (const std::string& state : states) {
    text += fmt::format("{} {} {}", text.empty() ? ":" : ",", counts[state], state);
  }
  return text;
}

}  // namespace

std::optional<ReportSummary> read_summary(const std::string& folder, WallTime begin) {
  try {
    const files::InputFile file(folder + "/report.json", kMostReportBytes);
    std::string text(file.size(), '\0');
    file.read(0, std::as_writable_bytes(std::span(text)));
    auto report = json::from_value<Report>(json::parse(text), json::Reading::kLenient);
    const std::optional<WallTime> finished = parse_utc(report.finished);
    // The report has whole seconds.
    if (!finished || *finished < std::chrono::floor<std::chrono::seconds>(begin)) {
      return std::nullopt;
    }
    if (report.made) report.summary.seconds = report.made->seconds;
    report.summary.problem = one_line(problem_of(report));
    for (const Sheet& sheet : report.sheets) {
      report.summary.made_before += sheet.outcome == "good" && sheet.already_done;
      report.summary.warnings += sheet.warnings.size();
      report.summary.notes += sheet.notes.size();
    }
    return report.summary;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

std::string index_page(const std::vector<IndexEntry>& entries, WallTime time) {
  std::string rows;
  size_t good = 0, bad = 0;
  for (const IndexEntry& entry : entries) {
    rows += index_row(entry, &entry - entries.data() + 1);
    good += shown_state(entry).mark == Mark::kGood;
    bad += shown_state(entry).mark == Mark::kBad;
  }
  const bool is_over = std::ranges::none_of(
      entries, [](const IndexEntry& entry) { return entry.state == IndexEntry::State::kRunning; });
  const Mark mark = bad > 0 ? Mark::kBad : good == entries.size() ? Mark::kGood : Mark::kOpen;
  const std::string jobs = counted(entries.size(), "job");
  std::string verdict = fmt::format("{} of {} good{}", good, jobs, others_text(entries));
  if (mark == Mark::kGood) {
    verdict = entries.size() == 1 ? "The job is good" : fmt::format("All {} are good", jobs);
  }
  return fill_template(assets::kIndex,
                       {{"version", escape_html(kVersion)},
                        {"style", std::string(assets::kStyle)},
                        {"verdict_class", std::string(class_of(mark))},
                        {"verdict_mark", std::string(sign_of(mark))},
                        {"verdict", verdict},
                        {"when", (is_over ? "Finished " : "As of ") + local_text(time)},
                        {"rows", rows}});
}

}  // namespace mezzo::report
