#include "pipeline/cluster/merged_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "kernels/registry.h"
#include "pipeline/cluster/picture_keeper.h"
#include "pipeline/cluster/plan/sheet_plan.h"
#include "pipeline/cluster/records/attempt_reader.h"
#include "pipeline/plan/last_file.h"
#include "pipeline/plan/page_chain.h"
#include "pipeline/plan/warnings.h"
#include "pipeline/report/job_report.h"
#include "pipeline/report/page_picture.h"
#include "pipeline/report/report_page.h"
#include "pipeline/resume/resume.h"

namespace mezzo::cluster {
namespace {

double seconds_between(WallTime from, WallTime to) {
  return std::chrono::duration<double>(to - from).count();
}

/// The first start of a sheet in any record.
std::optional<WallTime> first_begin(const std::vector<SheetStatus>& statuses) {
  std::optional<WallTime> first;
  for (const SheetStatus& sheet : statuses) {
    if (sheet.began && (!first || *sheet.began < *first)) first = sheet.began;
  }
  return first;
}

/// A sheet that is done, or failed for good.
run::SheetResult settled_result(const PlannedSheet& planned, const SheetStatus& status) {
  run::SheetResult result = status.result;
  result.input = planned.page.input;
  if (!planned.page.pages.empty()) result.pages = planned.page.pages;
  result.node = status.node;
  result.begin_seconds = 0;
  if (status.state == SheetState::kDone) {
    result.failure.reset();
    if (status.tries > 0) result.notes.push_back(fmt::format("made at try {}", status.tries + 1));
  } else {
    result.plates.clear();
    result.failure = status.failure.value_or(
        run::Failure{ErrorKind::kBug, planned.page.input + ": failed, and no record says why"});
    if (status.tries > 1) {
      result.notes.push_back(fmt::format("given up after {} tries", status.tries));
    }
  }
  result.notes.insert(result.notes.end(), status.warnings.begin(), status.warnings.end());
  return result;
}

/// Adds sizes and formats of the sheet's pages; none when one of them cannot be read now.
void add_infos(plan::SheetPlan& sheet, plan::LastFile& inputs) {
  std::vector<PageInfo> infos;
  try {
    const tiff::TiffFile& file = inputs.open(sheet.input);
    for (const uint32_t page : sheet.pages) {
      if (page >= file.page_count()) return;
      tiff::ReadAs form{.colours = sheet.settings.colour.converts()};
      if (sheet.settings.extra_channels == "inks") {
        form.spots = plan::spots_of(file.page(page), sheet.settings, plan::place_of(sheet, page));
      }
      infos.push_back(file.page(page, form));
    }
    sheet.file_pages = file.page_count();
    sheet.infos = std::move(infos);
  } catch (const Error&) {
    // The report does without.
  }
}

plan::SheetPlan reported_sheet(const PlannedSheet& planned,
                               const SheetStatus& status,
                               plan::LastFile& inputs) {
  plan::SheetPlan sheet = sheet_plan_of(planned);
  add_infos(sheet, inputs);
  sheet.engine = engine_named(status.engine).value_or(planned.page.settings.halftone.engine);
  sheet.schedule = status.schedule;
  sheet.schedule_reason = status.schedule_reason;
  if (status.state == SheetState::kOpen) sheet.failure = status.failure;
  return sheet;
}

/// The plan for a report, with the findings of its attempts.
plan::JobPlan report_plan(const ClusterPlan& plan, const std::vector<SheetStatus>& statuses) {
  const manifests::Job job = job_of_plan(plan);
  plan::JobPlan report;
  report.job = job.name;
  report.folder = job.folder;
  report.threads = plan.task.threads;
  report.memory_bytes = plan.task.memory_bytes;
  plan::LastFile inputs;
  for (size_t i = 0; i < plan.sheets.size(); ++i) {
    report.sheets.push_back(reported_sheet(plan.sheets[i], statuses[i], inputs));
    if (!plan.sheets[i].failure) report.pixels += plan.sheets[i].pixels;
  }
  plan::add_warnings(report);
  return report;
}

/// Adds the pictures of the sheets that are done, the first ones, as far as there is room.
void add_pictures(const ClusterPlan& plan,
                  const std::vector<SheetStatus>& statuses,
                  report::ReportData& data) {
  data.pictures.resize(plan.sheets.size());
  if (!plan.pictures) return;
  size_t bytes = 0;
  for (size_t i = 0; i < std::min(plan.sheets.size(), report::kMostSections); ++i) {
    if (statuses[i].state != SheetState::kDone) continue;
    for (size_t page = 0; page < plan.sheets[i].page.pages.size(); ++page) {
      auto picture = kept_picture(plan, i, page);
      if (!picture) continue;
      bytes += report::bytes_of(*picture);
      if (bytes > report::kMostPictureBytes) {
        data.pictures_left_out = true;
        return;
      }
      data.pictures[i].push_back(std::move(*picture));
    }
  }
}

}  // namespace

run::JobResult merged_result(const ClusterPlan& plan, const std::vector<SheetStatus>& statuses) {
  MZ_ASSERT(statuses.size() == plan.sheets.size());
  run::JobResult result;
  result.job = job_of_plan(plan).name;
  const std::optional<WallTime> first = first_begin(statuses);
  for (size_t i = 0; i < statuses.size(); ++i) {
    const SheetStatus& status = statuses[i];
    if (status.state == SheetState::kOpen) {
      result.out_of_time = true;
      continue;
    }
    run::SheetResult& sheet = result.sheets.emplace_back(settled_result(plan.sheets[i], status));
    sheet.index = i;
    if (!status.began) continue;
    sheet.begin_seconds = seconds_between(*first, *status.began);
    result.seconds = std::max(result.seconds, sheet.begin_seconds + sheet.seconds);
  }
  return result;
}

void write_merged_report(const ClusterPlan& plan, const std::vector<SheetStatus>& statuses) {
  const plan::JobPlan job_plan = report_plan(plan, statuses);
  const run::JobResult result = merged_result(plan, statuses);
  report::ReportData data{.plan = job_plan,
                          .result = result,
                          .not_started = {},
                          .finished = std::chrono::system_clock::now(),
                          .pictures = {},
                          .of_cluster = true};
  const std::optional<WallTime> first = first_begin(statuses);
  if (first && !result.out_of_time) {
    data.finished = *first + std::chrono::duration_cast<WallTime::duration>(
                                 std::chrono::duration<double>(result.seconds));
  }
  add_pictures(plan, statuses, data);
  report::write_report(plan.path + "/report", data);
}

void remove_temporaries(const ClusterPlan& plan, const std::vector<Attempt>& attempts) {
  std::vector<std::string> plates;
  for (const PlannedSheet& sheet : plan.sheets) {
    if (sheet.failure) continue;
    for (const PlannedPlate& plate : sheet.plates) plates.push_back(plate.path);
  }
  std::set<std::string> writers = read_earlier_writers(plan);
  for (const Attempt& attempt : attempts) writers.insert(attempt.writer);
  for (const resume::OrphanedFile& file : resume::find_orphaned_files(plates)) {
    const bool is_ours = !file.writer.machine.empty() && writers.contains(to_string(file.writer));
    if (is_ours) files::FileSystem::real().unlink(file.path);
  }
}

}  // namespace mezzo::cluster
