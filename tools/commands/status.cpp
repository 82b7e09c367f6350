// mezzotint status: how far a submitted job is, from any machine that sees its plan.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>

#include "pipeline/cluster/plan/plan_file.h"
#include "pipeline/cluster/records/attempt_reader.h"
#include "pipeline/exit_status.h"
#include "pipeline/text.h"
#include "tools/cli/report.h"
#include "tools/commands/cluster_report.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

struct View {
  cluster::ClusterPlan plan;
  std::vector<cluster::Attempt> attempts;  ///< of this submission
  std::vector<cluster::SheetStatus> sheets;
  std::optional<cluster::Queue> queue;  ///< nothing where there is no scheduler to ask
  cluster::Tally tally;
  std::map<uint32_t, const cluster::Attempt*>
      running;  ///< by unit: the last attempt without an end
};

uint32_t settled_in(const View& view, uint32_t unit) {
  const auto first = view.sheets.begin() + view.plan.units[unit].first;
  return static_cast<uint32_t>(
      std::count_if(first, first + view.plan.units[unit].count, [](const auto& sheet) {
        return sheet.state != cluster::SheetState::kOpen;
      }));
}

/// Attempts that may be alive: without an end, their unit open, and in Slurm's hand if Slurm tells.
void find_running(View& view) {
  for (const cluster::Attempt& attempt : view.attempts) {
    if (attempt.status || attempt.unit >= view.plan.units.size()) continue;
    if (settled_in(view, attempt.unit) == view.plan.units[attempt.unit].count) continue;
    const bool asks = view.queue && view.queue->answers;
    if (asks && !view.queue->running.contains(attempt.unit)) continue;
    view.running[attempt.unit] = &attempt;
  }
}

View look(const std::string& path) {
  View view;
  view.plan = cluster::load_plan(path);
  // Before its files, as tasks end meanwhile.
  if (view.plan.task.engine == cluster::ClusterEngineKind::kSlurm) {
    view.queue = engine_of(view.plan)->queue(view.plan);
  }
  view.attempts = cluster::read_attempts(view.plan);
  std::erase_if(view.attempts,
                [&](const cluster::Attempt& one) { return one.plan != view.plan.id; });
  view.sheets = cluster::evaluate_sheets(view.plan, view.attempts, cluster::VerifyMode::kSize);
  if (view.queue) {
    const cluster::Queue& queue = *view.queue;
    cluster::reopen(
        view.plan, [&](uint32_t unit) { return !queue.answers || queue.has(unit); }, view.sheets);
  }
  view.tally = cluster::tally(view.sheets);
  find_running(view);
  return view;
}

double seconds_since(WallTime time) {
  return std::chrono::duration<double>(std::chrono::system_clock::now() - time).count();
}

std::string queue_text(const View& view) {
  const cluster::Queue& queue = *view.queue;
  if (!queue.answers) return queue.why;
  const auto submissions = cluster::read_submissions(view.plan);
  const std::string job =
      submissions.empty() ? "" : "; last submitted as job " + submissions.back().job_id;
  if (queue.is_empty()) {
    if (view.tally.open == 0) return "no unit is queued in Slurm" + job;
    if (cluster::is_cancelled(view.plan)) return "cancelled; submit it again to go on";
    return "no unit is queued in Slurm" + job +
           "; to submit the open sheets again: mezzotint collect " + short_path(view.plan.path);
  }
  std::string text = fmt::format(
      "Slurm: {} running, {} waiting", counted(queue.running.size(), "unit"), queue.waiting.size());
  if (!queue.reason.empty()) text += " (" + queue.reason + ")";
  if (!queue.held.empty()) {
    text +=
        fmt::format(", {} held: see scontrol show job, and scontrol release", queue.held.size());
  }
  if (queue.collects) text += ", one job to collect";
  return text + job;
}

void print_text(const View& view) {
  std::string head = cluster::progress_text(view.tally);
  if (view.tally.open > 0) head += fmt::format(", {} open", view.tally.open);
  if (!view.attempts.empty()) {
    const auto& attempts = view.attempts;
    const WallTime began = std::ranges::min(attempts, {}, &cluster::Attempt::began).began;
    const WallTime last = std::ranges::max(attempts, {}, &cluster::Attempt::last_heard).last_heard;
    head += view.tally.open > 0
                ? fmt::format("; begun {} ago", duration_text(std::max(seconds_since(began), 0.0)))
                : "; in " + duration_text(std::chrono::duration<double>(last - began).count());
  }
  fmt::print("{}: {}\n", short_path(view.plan.path), head);
  for (const auto& [unit, attempt] : view.running) {
    fmt::print("  unit {} on {}: {} of {}, last heard from {} ago\n",
               unit,
               attempt->node,
               settled_in(view, unit),
               counted(view.plan.units[unit].count, "sheet"),
               duration_text(std::max(seconds_since(attempt->last_heard), 0.0)));
  }
  for (const cluster::SheetStatus& sheet : view.sheets) {
    if (!sheet.failure || sheet.state == cluster::SheetState::kDone) continue;
    fmt::print("  {}: {}{}\n",
               sheet.state == cluster::SheetState::kFailed ? "failed" : "to be tried again",
               sheet.failure->text(),
               sheet.node.empty() ? "" : " (on " + sheet.node + ")");
  }
  if (view.queue) fmt::print("{}\n", queue_text(view));
}

void print_json(const View& view) {
  json::Value object = {{"v", 1},
                        {"type", "status"},
                        {"plan", view.plan.path},
                        {"id", view.plan.id},
                        {"sheets", view.sheets.size()},
                        {"done", view.tally.done},
                        {"failed", view.tally.failed},
                        {"open", view.tally.open},
                        {"units", view.plan.units.size()},
                        {"attempts", view.attempts.size()},
                        {"cancelled", cluster::is_cancelled(view.plan)},
                        {"running", json::Value::list()},
                        {"failures", json::Value::list()}};
  for (const auto& [unit, attempt] : view.running) {
    object["running"].push_back({{"unit", unit},
                                 {"node", attempt->node},
                                 {"settled", settled_in(view, unit)},
                                 {"sheets", view.plan.units[unit].count},
                                 {"silent_seconds", seconds_since(attempt->last_heard)}});
  }
  for (size_t i = 0; i < view.sheets.size(); ++i) {
    const cluster::SheetStatus& sheet = view.sheets[i];
    if (!sheet.failure || sheet.state == cluster::SheetState::kDone) continue;
    object["failures"].push_back({{"input", view.plan.sheets[i].page.input},
                                  {"final", sheet.state == cluster::SheetState::kFailed},
                                  {"node", sheet.node},
                                  {"kind", name_of(sheet.failure->kind)},
                                  {"message", sheet.failure->text()}});
  }
  if (view.queue) {
    object["queue"] = {{"answers", view.queue->answers},
                       {"why", view.queue->why},
                       {"running", view.queue->running.size()},
                       {"waiting", view.queue->waiting.size()},
                       {"held", view.queue->held.size()},
                       {"collects", view.queue->collects}};
  }
  cli::print_line(object);
}

}  // namespace

void make_status_command(cli::Command& command, const CommonOptions& common) {
  auto plan = std::make_shared<std::string>();
  command.argument("PLAN", *plan, "Plan folder of the job, made by submit")
      .required()
      .takes("FOLDER");
  command.example("mezzotint status job.plan", "Show how many of its pages have their plates.");
  command.runs([plan, &common] {
    const View view = look(*plan);
    common.json ? print_json(view) : print_text(view);
    return kExitGood;
  });
}

}  // namespace mezzo::commands
