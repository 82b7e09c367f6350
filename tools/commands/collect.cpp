// mezzotint collect: the results of a plan.

#include <memory>

#include "pipeline/cluster/engine/allocation.h"
#include "pipeline/cluster/plan/plan_file.h"
#include "pipeline/cluster/plan/plan_lock.h"
#include "pipeline/cluster/unit_run.h"
#include "pipeline/log/log.h"
#include "tools/commands/cluster_report.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

struct CollectOptions {
  std::string plan;
  bool again = false;
  bool task = false;
};

int run_collect(const CollectOptions& options, const CommonOptions& common) {
  const cluster::ClusterPlan plan = cluster::load_own_plan(options.plan);
  auto engine = engine_of(plan);
  std::unique_ptr<cluster::PlanLock> lock;
  try {
    lock = std::make_unique<cluster::PlanLock>(plan.path);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kBusy) throw;
    log::warn("{}", error.what());  // the holder of the lock submits the missing units
    engine.reset();
  }
  const cluster::Collected collected = collect_to_end(plan, engine.get(), options.again);
  const int status = report_collected(plan, collected, common);
  return options.task ? cluster::bounded_status(cluster::status_of_task(collected), plan.task)
                      : status;
}

}  // namespace

void make_collect_command(cli::Command& command, const CommonOptions& common) {
  auto options = std::make_shared<CollectOptions>();
  command.argument("PLAN", options->plan, "Plan folder of the job, made by submit")
      .required()
      .takes("FOLDER");
  command.flag(
      "--again", options->again, "Submit open units even if the job was given up or cancelled");
  command.flag("--task",
               options->task,
               "Exit as a scheduler's task: with 75 only if the scheduler should run it again");
  command.example("mezzotint collect job.plan",
                  "Check all plates, and submit the missing ones again.");
  command.runs([options, &common] { return run_collect(*options, common); });
}

}  // namespace mezzo::commands
