#include "pipeline/cluster/unit_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/cluster/engine/allocation.h"
#include "pipeline/cluster/merged_report.h"
#include "pipeline/cluster/picture_keeper.h"
#include "pipeline/cluster/plan/sheet_plan.h"
#include "pipeline/cluster/records/attempt_reader.h"
#include "pipeline/cluster/records/attempt_record.h"
#include "pipeline/cluster/sheet_status.h"
#include "pipeline/exit_status.h"
#include "pipeline/log/log.h"
#include "pipeline/plan/plan.h"
#include "pipeline/plan/provenance.h"
#include "pipeline/resume/resume.h"
#include "pipeline/run/disk_space.h"
#include "pipeline/run/job_observers.h"
#include "pipeline/run/replaced_files.h"

namespace mezzo::cluster {
namespace {

using SealedPlates = std::map<std::string, std::vector<SealedPlate>>;

/// Plates of the unit that others sealed, the newest of each last.
SealedPlates sealed_by_others(const ClusterPlan& plan,
                              const Unit& unit,
                              const std::map<std::string, SealedPlate>& earlier,
                              const std::vector<Attempt>& attempts) {
  SealedPlates sealed;
  for (uint32_t i = unit.first; i < unit.first + unit.count; ++i) {
    for (const PlannedPlate& plate : plan.sheets[i].plates) {
      const auto found = earlier.find(plate.path);
      if (found != earlier.end()) sealed[plate.path].push_back(found->second);
    }
  }
  for (const Attempt& attempt : attempts) {
    for (const auto& [path, plate] : attempt.sealed) sealed[path].push_back(plate);
  }
  return sealed;
}

/// The sheets of the unit that another attempt may still make, as a job; `sheets` receives their
/// indices in the plan.
manifests::Job job_of_rest(const ClusterPlan& plan,
                           uint32_t unit,
                           const std::vector<SheetStatus>& before,
                           std::vector<uint32_t>& sheets) {
  manifests::Job job = job_of_unit(plan, unit);
  std::vector<manifests::JobPage> rest;
  for (uint32_t i = 0; i < job.pages.size(); ++i) {
    if (before[i].state == SheetState::kFailed) continue;
    sheets.push_back(plan.units[unit].first + i);
    rest.push_back(std::move(job.pages[i]));
  }
  job.pages = std::move(rest);
  return job;
}

void limit(manifests::Job& job, const TaskSettings& task, const Allocation& allocation) {
  job.limits.threads = allocation.threads;
  if (!allocation.memory_bytes) return;
  const uint64_t given = *allocation.memory_bytes;
  const uint64_t beside = std::min(bytes_beside_budget(task), given / 2);
  job.limits.memory_bytes = std::min(job.limits.memory_bytes, given - beside);
}

/// A limit that is this task's own, which was given less than the plan asks for, says nothing of
/// the page.
void leave_to_others(plan::JobPlan& job_plan) {
  for (plan::SheetPlan& sheet : job_plan.sheets) {
    if (!sheet.failure || sheet.failure->kind != ErrorKind::kLimit) continue;
    sheet.failure->kind = ErrorKind::kOutOfMemory;
  }
}

/// The sheets of a plan count on numbers that this machine's C library gives otherwise.
void refuse_other_numbers(const ClusterPlan& plan,
                          const plan::SheetPlan& sheet,
                          const plan::PlatePlan& plate,
                          const plan::LibraryNumbers& planned) {
  if (sheet.failure) return;
  const plan::LibraryNumbers own = plan::library_numbers(sheet, plate);
  const auto differ = [](const std::string& a, const std::string& b) {
    return !a.empty() && a != b;
  };
  const bool has_other_tones = differ(planned.tones, own.tones);
  if (!has_other_tones && !differ(planned.method, own.method)) return;
  const std::string method = settings_of(sheet, plate).halftone.method;
  throw Error(
      ErrorKind::kDevice,  // another node may have the right ones
      fmt::format("{}: {}: the {} of {} are not the plan's: the C library of this node rounds "
                  "otherwise, and would make other bits; run the job on nodes of one system",
                  plan.path,
                  sheet.input,
                  has_other_tones ? "tones" : "weights of method '" + method + "'",
                  plate.ink));
}

/// Gives plates the screens and curves that the plan has for them: a node chooses none, and looks nothing
/// up.
void take_screens(const ClusterPlan& plan,
                  const std::vector<uint32_t>& sheets,
                  plan::JobPlan& job_plan) {
  for (size_t i = 0; i < sheets.size(); ++i) {
    for (plan::PlatePlan& plate : job_plan.sheets[i].plates) {
      const auto& planned = plan.sheets[sheets[i]].plates;
      const auto found = std::ranges::find(planned, plate.path, &PlannedPlate::path);
      if (found == planned.end()) continue;
      plate.screen = found->screen;
      plate.curves = found->curves;
      refuse_other_numbers(plan, job_plan.sheets[i], plate, found->numbers);
    }
  }
}

/// The outcome of the unit, judged by its files.
int status_of(const ClusterPlan& plan, uint32_t unit, const std::string& attempt) {
  int status = kExitGood;
  for (const SheetStatus& sheet :
       evaluate_sheets(plan, read_attempts(plan, unit), VerifyMode::kDigest, unit, attempt)) {
    if (sheet.state == SheetState::kDone) continue;
    const bool is_open = sheet.state == SheetState::kOpen;
    // A sheet that had all its tries holds up no other.
    if (is_open && sheet.failure && sheet.failure->kind == ErrorKind::kBug) return kExitBug;
    if (is_open) status = kExitTryAgain;
    if (status == kExitGood) status = kExitData;
  }
  return status;
}

}  // namespace

size_t adopt_made_sheets(const ClusterPlan& plan) {
  const std::map<std::string, SealedPlate> earlier = read_earlier(plan);
  if (earlier.empty()) return 0;
  size_t adopted = 0;
  const std::string node = find_allocation(plan.task).node;
  for (uint32_t unit = 0; unit < plan.units.size(); ++unit) {
    SealedPlates sealed = sealed_by_others(plan, plan.units[unit], earlier, {});
    if (sealed.empty()) continue;
    plan::JobPlan made;
    std::vector<uint32_t> sheets;
    for (uint32_t i = 0; i < plan.units[unit].count; ++i) {
      sheets.push_back(plan.units[unit].first + i);
      made.sheets.push_back(sheet_plan_of(plan.sheets[sheets.back()]));
    }
    AttemptRecord::Facts facts;
    facts.unit = unit;
    facts.node = node;
    AttemptRecord record(plan, facts, std::move(sealed));
    record.set_job_plan(made, sheets);
    const resume::Resumed resumed = resume::take_done_sheets(made, record);
    for (const std::string& reason : resumed.reasons) log::info("{}", reason);
    for (const auto& [index, result] : resumed.done) {
      record.sheet_finished(made.sheets[index], result);
      ++adopted;
    }
    record.end(kExitGood);
  }
  return adopted;
}

int run_unit(const ClusterPlan& plan,
             uint32_t unit,
             const Allocation& allocation,
             run::JobObserver& observer,
             const std::atomic<bool>& stop) {
  if (plan.program != plan::provenance_software()) {
    throw Error(ErrorKind::kDevice,  // another node may have the right one
                fmt::format("{}: the plan was made by {}, and this is {}, which may make other "
                            "bits; submit the job again, with one version on all nodes",
                            plan.path,
                            plan.program,
                            plan::provenance_software()));
  }
  const std::vector<Attempt> attempts = read_attempts(plan, unit);
  const std::vector<SheetStatus> before = evaluate_sheets(plan, attempts, VerifyMode::kSize, unit);
  std::vector<uint32_t> sheets;
  manifests::Job job = job_of_rest(plan, unit, before, sheets);
  const uint64_t planned_bytes = job.limits.memory_bytes;
  limit(job, plan.task, allocation);
  AttemptRecord record(plan,
                       {.unit = unit,
                        .node = allocation.node,
                        .slurm_job = allocation.slurm_job,
                        .gpus = allocation.gpus,
                        .threads = job.limits.threads,
                        .memory_bytes = job.limits.memory_bytes},
                       sealed_by_others(plan, plan.units[unit], read_earlier(plan), attempts));
  PictureKeeper pictures(plan, record.name());
  if (!sheets.empty()) {
    plan::JobPlan job_plan = plan::make_plan(job);
    MZ_ASSERT(job_plan.sheets.size() == sheets.size());
    if (job.limits.memory_bytes < planned_bytes) leave_to_others(job_plan);
    take_screens(plan, sheets, job_plan);
    record.set_job_plan(job_plan, sheets);
    pictures.set_job_plan(job_plan, sheets);
    resume::Resumed resumed = resume::take_done_sheets(job_plan, record);
    for (const std::string& reason : resumed.reasons) log::info("{}", reason);
    run::refuse_foreign_files(job_plan, resumed.done);
    run::refuse_full_disk(job_plan, resumed.done);
    run::JobObservers observers;
    observers.add(record);
    observers.add(observer);
    run::RunOptions run;
    run.on_sealed = resume::enter_into(record);
    run.done = std::move(resumed.done);
    if (plan.pictures) run.pictures = &pictures;
    run::run_job(job_plan, run, observers, stop);
  }
  const int status = status_of(plan, unit, record.name());
  record.end(status);
  return status;
}

}  // namespace mezzo::cluster
