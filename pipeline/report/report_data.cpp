#include "pipeline/report/report_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace mezzo::report {

const run::SheetResult* result_of(const ReportData& data, size_t index) {
  const auto found =
      std::ranges::lower_bound(data.result.sheets, index, {}, &run::SheetResult::index);
  return found == data.result.sheets.end() || found->index != index ? nullptr : &*found;
}

const run::Failure* failure_of(const ReportData& data, size_t index) {
  if (const run::SheetResult* result = result_of(data, index); result != nullptr) {
    return result->failure ? &*result->failure : nullptr;
  }
  const std::optional<run::Failure>& planned = data.plan.sheets[index].failure;
  return planned ? &*planned : nullptr;
}

std::string plates_key(const run::SheetResult& sheet) {
  std::string key;
  for (const run::PlateResult& plate : sheet.plates) {
    key += (key.empty() ? "" : " ") + plate.content_sum;
  }
  return key;
}

bool is_timed(const ReportData& data, const run::SheetResult& sheet) {
  return !sheet.already_done || (data.made && !sheet.timeline.empty());
}

double seconds_of(const ReportData& data) {
  return data.made ? data.made->seconds : data.result.seconds;
}

Outcome outcome_of(const ReportData& data, size_t index) {
  const bool is_over = result_of(data, index) != nullptr;
  if (data.of_cluster && !is_over) return Outcome::kOpen;
  if (failure_of(data, index) != nullptr) return Outcome::kFailed;
  return is_over ? Outcome::kGood : Outcome::kNotBegun;
}

Totals totals_of(const ReportData& data) {
  Totals totals;
  std::set<std::string_view> nodes;
  for (const run::SheetResult& sheet : data.result.sheets) {
    for (size_t i = 0; i < totals.stages.size() && is_timed(data, sheet); ++i) {
      totals.stages[i] += sheet.stages[i];
    }
    totals.notes += sheet.notes.size();
    if (sheet.failure) continue;
    totals.pixels += sheet.pixels;
    totals.made_before += sheet.already_done;
    if (!sheet.already_done) totals.made_pixels += sheet.pixels;
    totals.plates += sheet.plates.size();
    for (const run::PlateResult& plate : sheet.plates) totals.plate_bytes += plate.file_bytes;
    if (!sheet.node.empty()) nodes.insert(sheet.node);
  }
  totals.nodes = nodes.size();
  for (size_t i = 0; i < data.plan.sheets.size(); ++i) {
    const Outcome outcome = outcome_of(data, i);
    totals.good += outcome == Outcome::kGood;
    totals.failed += outcome == Outcome::kFailed;
    totals.not_begun += outcome == Outcome::kNotBegun;
    totals.open += outcome == Outcome::kOpen;
    totals.warnings += data.plan.sheets[i].warnings.size();
    if (const run::SheetResult* result = result_of(data, i))
      totals.warnings += result->warnings.size();
  }
  return totals;
}

std::string pages_text(const plan::SheetPlan& sheet) {
  constexpr size_t kMostRanges = 6;
  const std::vector<uint32_t>& pages = sheet.pages;
  const bool is_part = pages.size() < sheet.file_pages || (pages.size() == 1 && pages[0] > 0);
  if (!is_part) return "";
  std::string text;
  size_t ranges = 0;
  for (size_t i = 0, last = 0; i < pages.size(); i = last + 1) {
    if (++ranges > kMostRanges) return "";
    last = i;
    while (last + 1 < pages.size() && pages[last + 1] == pages[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", pages[i] + 1);
    if (last > i) text += fmt::format("-{}", pages[last] + 1);
  }
  return (pages.size() == 1 ? "page " : "pages ") + text;
}

std::string from_folder(const plan::JobPlan& plan, const std::string& text) {
  const std::string start = plan.folder + "/";
  return text.starts_with(start) ? text.substr(start.size()) : text;
}

std::string message_of(const plan::JobPlan& plan, const run::Failure& failure) {
  const std::string message = from_folder(plan, failure.message);
  return failure.place.empty() ? message : from_folder(plan, failure.place) + ": " + message;
}

std::string advice_on(const Error& error) {
  return error.advice().empty() ? std::string(advice_on(error.kind()))
                                : as_sentence(error.advice());
}

std::string advice_on(const run::Failure& failure) {
  return advice_on(failure.error());
}

std::string_view advice_on(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kUsage:
      return "Change what the message names, then try again.";
    case ErrorKind::kData:
      return "Correct what the message names.";
    case ErrorKind::kUnsupported:
      return "Change the page or the setting that the message names.";
    case ErrorKind::kLimit:
      return "Stay within the limit that the message names.";
    case ErrorKind::kChecksum:
      return "Find out which is right, the file or the sha256 that is given for it, and put the "
             "other right.";
    case ErrorKind::kMissing:
      return "Put the file where the message looks for it, or correct its path.";
    case ErrorKind::kDevice:
      return "Use engine: auto or cpu, which give the same plates, or see that the GPU is there "
             "and free.";
    case ErrorKind::kDeviceLost:
      return "Run the same job again: a new process gets the GPU back. If it fails again, use "
             "engine: cpu, which gives the same plates.";
    case ErrorKind::kCannotCreate:
      return "See that the folder can be written to.";
    case ErrorKind::kIo:
      return "Check the disk or the network share, then run the job again.";
    case ErrorKind::kDiskFull:
      return "Free some disk space and run the job again.";
    case ErrorKind::kOutOfMemory:
      return "Lower limits.memory or the number of threads, or free some memory, and run the job "
             "again.";
    case ErrorKind::kBusy:
      return "Wait until the other run of this job has ended, then run it again.";
    case ErrorKind::kInterrupted:
      return "Run the job again. The plates that were published are whole.";
    case ErrorKind::kBug:
      return "Please report this, with the settings and the page.";
  }
  return "";
}

}  // namespace mezzo::report
