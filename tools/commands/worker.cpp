// mezzotint worker: one unit of a plan, as a task of a cluster runs it.

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>

#include "pipeline/cluster/engine/allocation.h"
#include "pipeline/cluster/plan/plan_file.h"
#include "pipeline/cluster/sheet_status.h"
#include "pipeline/cluster/unit_run.h"
#include "pipeline/exit_status.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/report.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

struct WorkerOptions {
  std::string plan;
  uint32_t unit = 0;
  std::optional<uint32_t> threads;
};

/// A line of the log for each sheet that ends.
class SheetLog final : public run::JobObserver {
 public:
  void sheet_finished(const plan::SheetPlan& sheet, const run::SheetResult& result) override {
    if (result.failure) {
      log::error("{}", result.failure->text());
    } else if (result.already_done) {
      log::info("{}: made before", sheet.input);
    } else {
      log::info("{}: {} in {}",
                sheet.input,
                counted(result.plates.size(), "plate"),
                duration_text(result.seconds));
    }
  }
};

int run_worker(const WorkerOptions& options, const CommonOptions& common) {
  const cluster::ClusterPlan plan = cluster::load_own_plan(options.plan);
  if (options.unit >= plan.units.size()) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{} has units 0 to {}, but no unit {}",
                            plan.path,
                            plan.units.size() - 1,
                            options.unit));
  }
  cluster::Allocation allocation = cluster::find_allocation(plan.task);
  if (options.threads) allocation.threads = *options.threads;
  // Where Slurm does not manage GPUs a task sees all of them, also those that others use.
  if (plan.task.gpus == 0) ::setenv("CUDA_VISIBLE_DEVICES", "", 1);
  SheetLog log;
  cli::JsonEvents events;
  run::JobObserver& observer = common.json ? static_cast<run::JobObserver&>(events) : log;
  return cluster::bounded_status(
      cluster::run_unit(plan, options.unit, allocation, observer, cli::stop_requested()),
      plan.task);
}

/// An error outside the sheets may not occur on another node; see unit_run.h for the statuses.
int run_for_node(const WorkerOptions& options, const CommonOptions& common) {
  try {
    return run_worker(options, common);
  } catch (const Error& error) {
    const int status = cli::report_error(error, common);
    if (error.kind() == ErrorKind::kUsage || error.kind() == ErrorKind::kBug) return status;
    return cluster::is_final(error.kind()) ? kExitData : cluster::bounded_status(kExitTryAgain, {});
  }
}

/// A node on which everything fails at once, for want of a mount, say, would draw all units of a
/// job: it keeps its place for a while, so that others take them.
int run_for_scheduler(const WorkerOptions& options, const CommonOptions& common) {
  constexpr auto kLeastTime = std::chrono::seconds(20);
  const auto end = std::chrono::steady_clock::now() + kLeastTime;
  const int status = run_for_node(options, common);
  const bool has_rivals = std::getenv("SLURM_JOB_ID") != nullptr;
  while (status == kExitTryAgain && has_rivals && !cli::stop_requested() &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return status;
}

}  // namespace

void make_worker_command(cli::Command& command, const CommonOptions& common) {
  auto options = std::make_shared<WorkerOptions>();
  command.argument("PLAN", options->plan, "Plan folder of the job, made by submit")
      .required()
      .takes("FOLDER");
  command.argument("UNIT", options->unit, "Number of the unit, from 0").required();
  command
      .option("--threads",
              options->threads,
              "Threads to use; default: SLURM_CPUS_PER_TASK, or as the plan says")
      .range(1, 1024);
  command.runs([options, &common] { return run_for_scheduler(*options, common); });
}

}  // namespace mezzo::commands
