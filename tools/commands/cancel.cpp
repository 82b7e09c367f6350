// mezzotint cancel: the end of a submitted job, before it is made.

#include <fmt/format.h>

#include <memory>

#include "pipeline/cluster/plan/plan_file.h"
#include "pipeline/exit_status.h"
#include "tools/cli/report.h"
#include "tools/commands/cluster_report.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

int run_cancel(const std::string& path, const CommonOptions& common) {
  const cluster::ClusterPlan plan = cluster::load_plan(path);
  if (plan.task.engine == cluster::ClusterEngineKind::kLocal) {
    throw Error(
        ErrorKind::kUsage,
        short_path(plan.path) + " runs inside the submit command that made it: stop that command");
  }
  cluster::mark_cancelled(
      plan);  // first, so that a collect at the same time does not submit units again
  if (const auto engine = engine_of(plan)) engine->cancel(plan);
  if (common.json) {
    cli::print_line({{"v", 1}, {"type", "cancelled"}, {"plan", plan.path}, {"id", plan.id}});
  } else if (!common.quiet) {
    fmt::print("{}: cancelled; finished plates stay, and a new submit makes only the rest\n",
               short_path(plan.path));
  }
  return kExitGood;
}

}  // namespace

void make_cancel_command(cli::Command& command, const CommonOptions& common) {
  auto plan = std::make_shared<std::string>();
  command.argument("PLAN", *plan, "Plan folder of the job, made by submit")
      .required()
      .takes("FOLDER");
  command.example("mezzotint cancel job.plan", "Let nothing of it begin any more.");
  command.runs([plan, &common] { return run_cancel(*plan, common); });
}

}  // namespace mezzo::commands
