#include "tools/commands/cluster_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "pipeline/cluster/engine/make_cluster_engine.h"
#include "pipeline/exit_status.h"
#include "pipeline/log/log.h"
#include "pipeline/text.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/report.h"

namespace mezzo::commands {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFailures = 20;  // that are told one by one

void print_failures(const cluster::ClusterPlan& plan, const cluster::Collected& collected) {
  size_t told = 0;
  for (size_t i = 0; i < collected.sheets.size(); ++i) {
    const cluster::SheetStatus& sheet = collected.sheets[i];
    if (sheet.state == cluster::SheetState::kDone || !sheet.failure) continue;
    if (++told > kMostFailures) continue;
    const std::string where = sheet.node.empty() ? "" : " (on " + sheet.node + ")";
    log::error("{}{}", sheet.failure->text(), where);
  }
  if (told > kMostFailures) log::error("and {} more; see the report", told - kMostFailures);
  if (collected.tally.open > 0 && !collected.again && collected.waiting.empty()) {
    const std::string path = short_path(plan.path);
    log::warn("{} not made{}",
              counted(collected.tally.open, "sheet"),
              collected.cancelled  ? "; the job was cancelled: submit it again to go on"
              : collected.given_up ? "; the last three submissions finished no sheet, so the job "
                                     "was given up: see " +
                                         path + "/logs, then run mezzotint collect --again " + path
                                   : "");
  }
}

void print_text(const cluster::ClusterPlan& plan, const cluster::Collected& collected) {
  std::string text = cluster::progress_text(collected.tally);
  std::set<std::string> nodes;
  for (const cluster::SheetStatus& sheet : collected.sheets) {
    if (!sheet.node.empty()) nodes.insert(sheet.node);
  }
  const run::JobResult result = cluster::merged_result(plan, collected.sheets);
  if (!nodes.empty()) {
    text +=
        fmt::format(" on {} in {}", counted(nodes.size(), "node"), duration_text(result.seconds));
  }
  if (collected.again) {
    text += fmt::format("; {} submitted again", counted(collected.again->units, "unit"));
    if (!collected.again->job_id.empty()) text += ", job " + collected.again->job_id;
  }
  if (!collected.waiting.empty()) {
    text += fmt::format("; {} still queued or running", counted(collected.waiting.size(), "unit"));
  }
  fmt::print("{}: {}\n", short_path(plan.path), text);
  fmt::print("report: {}\n", short_path(plan.path + "/report/report.html"));
}

}  // namespace

std::unique_ptr<cluster::ClusterEngine> engine_of(const cluster::ClusterPlan& plan) {
  if (plan.task.engine == cluster::ClusterEngineKind::kNone) return nullptr;
  return cluster::make_cluster_engine(plan.task.engine, cli::stop_requested());
}

std::string short_path(const std::string& path) {
  std::error_code error;
  const fs::path here = fs::current_path(error);
  if (error || here == here.root_path()) return path;
  const std::string relative = fs::path(path).lexically_relative(here).string();
  return relative.empty() || relative.starts_with(".") ? path : relative;
}

cluster::Collected collect_to_end(const cluster::ClusterPlan& plan,
                                  cluster::ClusterEngine* engine,
                                  bool insist) {
  if (plan.task.engine != cluster::ClusterEngineKind::kLocal)
    return cluster::collect(plan, engine, insist);
  cluster::Collected collected;
  do {
    collected = cluster::collect(plan, cli::stop_requested() ? nullptr : engine, insist);
    insist = false;
  } while (collected.again);
  return collected;
}

int report_collected(const cluster::ClusterPlan& plan,
                     const cluster::Collected& collected,
                     const CommonOptions& common) {
  print_failures(plan, collected);
  if (common.json) {
    json::Value object = {{"v", 1},
                          {"type", "collected"},
                          {"plan", plan.path},
                          {"id", plan.id},
                          {"ok", collected.tally.done == plan.sheets.size()},
                          {"done", collected.tally.done},
                          {"failed", collected.tally.failed},
                          {"open", collected.tally.open},
                          {"in_hand", collected.waiting.size()},
                          {"given_up", collected.given_up},
                          {"cancelled", collected.cancelled},
                          {"report", plan.path + "/report"}};
    if (collected.again) object["job_id"] = collected.again->job_id;
    cli::print_line(object);
  } else if (!common.quiet) {
    print_text(plan, collected);
  }
  if (collected.tally.open > 0) return kExitTryAgain;
  return collected.tally.failed > 0 ? kExitSomeFailed : kExitGood;
}

}  // namespace mezzo::commands
