// mezzotint submit: jobs for a cluster.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "pipeline/cluster/engine/allocation.h"
#include "pipeline/cluster/engine/make_cluster_engine.h"
#include "pipeline/cluster/make_cluster_plan.h"
#include "pipeline/cluster/plan/plan_file.h"
#include "pipeline/cluster/plan/plan_lock.h"
#include "pipeline/cluster/plan/units.h"
#include "pipeline/cluster/records/attempt_reader.h"
#include "pipeline/cluster/unit_run.h"
#include "pipeline/cluster/wait_for_end.h"
#include "pipeline/exit_status.h"
#include "pipeline/log/log.h"
#include "pipeline/run/replaced_files.h"
#include "pipeline/text.h"
#include "tools/cli/file_offers.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/limit_text.h"
#include "tools/cli/report.h"
#include "tools/commands/cluster_report.h"
#include "tools/commands/commands.h"

namespace mezzo::commands {
namespace {

namespace fs = std::filesystem;

struct SubmitOptions {
  std::vector<std::string> manifests;
  std::string plan;
  uint32_t pages_per_task = 0;  ///< 0: as many as take about ten seconds
  std::optional<uint64_t> memory_bytes;
  cluster::TaskSettings task;
  bool fresh = false;
  bool wait = false;
  bool dry_run = false;
  bool keep_going = false;
  bool force = false;
};

manifests::Parsed<cluster::ClusterEngineKind> parse_engine(std::string_view text) {
  using Parsed = manifests::Parsed<cluster::ClusterEngineKind>;
  if (const auto kind = cluster::cluster_engine_named(text)) return Parsed::good(*kind);
  constexpr std::string_view kNames[] = {"slurm", "local", "none"};
  const auto parsed = manifests::parse_choice(kNames, text);
  return Parsed::bad(parsed.problem, parsed.hint);
}

manifests::Parsed<uint32_t> parse_pages_per_task(const std::string& text) {
  if (text == "auto") return manifests::Parsed<uint32_t>::good(0);
  const auto value = manifests::parse_integer(text).value;
  if (value && *value > 0 && *value <= UINT32_MAX) {
    return manifests::Parsed<uint32_t>::good(static_cast<uint32_t>(*value));
  }
  return manifests::Parsed<uint32_t>::bad("must be a number from 1, or auto, found '" + text + "'");
}

std::string plan_folder(const SubmitOptions& options) {
  if (!options.plan.empty()) return fs::absolute(options.plan).lexically_normal().string();
  fs::path manifest = fs::absolute(options.manifests.front()).lexically_normal();
  return manifest.replace_extension(".plan").string();
}

/// A folder with other files is not used for a plan.
void refuse_strange_folder(const std::string& folder) {
  std::error_code error;
  if (!fs::exists(folder, error) || fs::exists(folder + "/plan.json", error)) return;
  bool is_strange = !fs::is_directory(folder, error);
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    is_strange |= !cluster::is_of_unfinished_plan(*entry);  // of a submission that was broken off
  }
  if (!is_strange && !error) return;
  throw Error(ErrorKind::kCannotCreate,
              folder + " exists already and is not a plan; choose another folder with --plan");
}

/// A plan with units that wait or run is not replaced; a job that only collects it is cancelled.
void refuse_to_disturb(const std::string& folder) {
  std::error_code error;
  if (!fs::exists(folder + "/plan.json", error)) return;
  std::optional<cluster::ClusterPlan> before;
  try {
    before = cluster::load_plan(folder);
  } catch (const Error& unreadable) {
    log::warn("{}; the plan is replaced", unreadable.what());
    return;
  }
  const auto engine = engine_of(*before);
  if (!engine) return;
  const cluster::Queue queue = engine->queue(*before);
  if (!queue.answers) throw Error(ErrorKind::kDevice, queue.why);
  const size_t units = queue.waiting.size() + queue.running.size() + queue.held.size();
  if (units > 0) {
    throw Error(ErrorKind::kBusy,
                fmt::format("{} is not finished: {} queued or running; mezzotint status {} shows "
                            "them, mezzotint cancel {} cancels them",
                            short_path(folder),
                            counted(units, "unit"),
                            short_path(folder),
                            short_path(folder)));
  }
  if (queue.collects) engine->cancel(*before);
}

cluster::TaskSettings task_settings(const SubmitOptions& options,
                                    const std::vector<manifests::Job>& jobs) {
  cluster::TaskSettings task = options.task;
  if (task.program.empty()) task.program = fs::read_symlink("/proc/self/exe").string();
  for (const manifests::Job& job : jobs)
    task.memory_bytes = std::max(task.memory_bytes, job.limits.memory_bytes);
  task.memory_bytes += cluster::bytes_beside_budget(task);
  return task;
}

void say_submitted(const cluster::ClusterPlan& plan,
                   const cluster::Submission& submission,
                   const CommonOptions& common) {
  if (common.json) {
    cli::print_line({{"v", 1},
                     {"type", "submitted"},
                     {"plan", plan.path},
                     {"id", plan.id},
                     {"sheets", plan.sheets.size()},
                     {"units", plan.units.size()},
                     {"units_handed_over", submission.units},
                     {"job_id", submission.job_id}});
  } else if (!common.quiet) {
    std::string text = fmt::format(
        "{} in {}", counted(plan.sheets.size(), "sheet"), counted(plan.units.size(), "unit"));
    if (submission.units < plan.units.size() && submission.units > 0) {
      text += fmt::format(", {} still to make", submission.units);
    }
    if (!submission.job_id.empty()) text += ", Slurm job " + submission.job_id;
    fmt::print("{}: {}\n", short_path(plan.path), text);
    std::fflush(stdout);
  }
}

/// Of a plan that is not kept.
void say_planned(const cluster::ClusterPlan& plan, const CommonOptions& common) {
  if (common.json) {
    cli::print_line({{"v", 1},
                     {"type", "planned"},
                     {"sheets", plan.sheets.size()},
                     {"units", plan.units.size()}});
  } else {
    fmt::print(
        "{} in {}\n", counted(plan.sheets.size(), "sheet"), counted(plan.units.size(), "unit"));
  }
}

/// Warns of the sheets that are wrong already; returns the first failure's status.
int tell_failures(const cluster::ClusterPlan& plan) {
  constexpr size_t kMostTold = 20;
  int status = kExitGood;
  size_t found = 0;
  for (const cluster::PlannedSheet& sheet : plan.sheets) {
    if (!sheet.failure) continue;
    if (status == kExitGood) status = cli::with_signal(status_of(sheet.failure->kind, true));
    if (++found <= kMostTold) log::warn("left out: {}", sheet.failure->text());
  }
  if (found > kMostTold) log::warn("and {} more are left out", found - kMostTold);
  return status;
}

/// The job that was to collect after the last unit has nothing left to do.
void dismiss_collector(const cluster::ClusterPlan& plan, cluster::ClusterEngine& engine) {
  try {
    engine.cancel(plan);
  } catch (const Error& error) {
    log::warn("{}", error.what());
  }
}

/// Submits the sheets that earlier submissions have not made.
int submit_plan(const cluster::ClusterPlan& plan,
                std::unique_ptr<cluster::PlanLock> lock,
                const SubmitOptions& options,
                const CommonOptions& common) {
  const auto engine = engine_of(plan);
  const auto sheets =
      cluster::evaluate_sheets(plan, cluster::read_attempts(plan), cluster::VerifyMode::kSize);
  const std::vector<uint32_t> units = cluster::open_units(plan, sheets);
  const cluster::Submission planned{.job_id = "", .time = {}, .units = units.size()};
  if (!engine || units.empty()) {
    say_submitted(plan, planned, common);
    return units.empty() ? report_collected(plan, cluster::collect(plan, nullptr, false), common)
                         : kExitGood;
  }
  const bool is_local = plan.task.engine == cluster::ClusterEngineKind::kLocal;
  if (is_local) say_submitted(plan, planned, common);
  const cluster::Submission submission = cluster::submit_units(
      plan, *engine, units, cluster::tally(sheets).settled(), std::chrono::seconds(0));
  if (is_local) {
    const int status = report_collected(plan, collect_to_end(plan, engine.get(), false), common);
    return cli::stop_requested() ? cli::with_signal(kExitInterrupted) : status;
  }
  say_submitted(plan, submission, common);
  lock.reset();  // so that a collect can submit units while this program waits
  if (!options.wait) return kExitGood;
  const auto collected = cluster::wait_for_end(plan, *engine, cli::stop_requested());
  if (!collected) {
    log::warn("the job goes on without this program; to follow it: mezzotint status {}",
              short_path(plan.path));
    return cli::with_signal(kExitInterrupted);
  }
  if (collected->tally.open == 0) dismiss_collector(plan, *engine);
  return report_collected(plan, *collected, common);
}

/// That of an earlier submission would pass for this one's.
void forget_report(const std::string& folder) {
  std::error_code ignored;
  for (const char* name : {"/report/report.html", "/report/report.json"}) {
    fs::remove(folder + name, ignored);
  }
}

/// Options for the scheduler alone, or without effect on it.
void refuse_useless(const SubmitOptions& options, cluster::ClusterEngineKind engine) {
  const cluster::TaskSettings& task = options.task;
  const auto refuse = [&](const std::string& flag) {
    throw Error(ErrorKind::kUsage,
                flag + " cannot be used with --engine " + std::string(name_of(engine)));
  };
  if (engine != cluster::ClusterEngineKind::kSlurm) {
    if (!task.partition.empty()) refuse("--partition");
    if (!task.begin.empty()) refuse("--begin");
    if (!task.sbatch.empty()) refuse("--sbatch");
  }
  if (engine == cluster::ClusterEngineKind::kNone && options.wait) refuse("--wait");
  for (const std::string& option : task.sbatch) {
    for (const std::string_view ours : {"--array",
                                        "--output",
                                        "--wrap",
                                        "--job-name",
                                        "--chdir",
                                        "--dependency",
                                        "--parsable",
                                        "--wait"}) {
      if (option == ours || option.starts_with(std::string(ours) + "=")) {
        throw Error(ErrorKind::kUsage,
                    "--sbatch=" + option + ": mezzotint sets " + std::string(ours) + " itself");
      }
    }
  }
}

/// A later submission must find the plates of an earlier one under their names.
void refuse_starts(const std::vector<manifests::Job>& jobs) {
  for (const manifests::Job& job : jobs) {
    if (!manifests::names_start(job)) continue;
    throw Error(ErrorKind::kData,
                job.manifest +
                    ": 'path' has {date}, {time} or {id}, which would be others when the job is "
                    "submitted again; leave them out, or make the plates with 'mezzotint run'");
  }
}

int run_submit(const SubmitOptions& options, const CommonOptions& common) {
  const cluster::ClusterEngineKind kind = options.task.engine;
  refuse_useless(options, kind);
  int status = kExitGood;
  std::vector<manifests::Job> jobs =
      load_jobs(options.manifests, {}, options.keep_going, common, status);
  if (status != kExitGood && (!options.keep_going || jobs.empty())) return status;
  refuse_starts(jobs);
  if (options.memory_bytes) {
    for (manifests::Job& job : jobs) job.limits.memory_bytes = *options.memory_bytes;
  }
  if (options.force) std::ranges::for_each(jobs, run::replace_any_file);
  const std::string folder = plan_folder(options);
  cluster::UnitOptions units;
  units.sheets_per_unit = options.pages_per_task;
  const cluster::TaskSettings task = task_settings(options, jobs);
  if (kind != cluster::ClusterEngineKind::kNone && !options.dry_run) {
    units.most_units = cluster::make_cluster_engine(kind, cli::stop_requested())->most_units();
  }
  const cluster::ClusterPlan plan = cluster::make_cluster_plan(jobs, folder, task, units);
  const int planned = tell_failures(plan);
  if (options.dry_run) {
    say_planned(plan, common);
    return joined_status(status, planned);
  }
  refuse_strange_folder(folder);
  auto lock = std::make_unique<cluster::PlanLock>(folder);
  refuse_to_disturb(folder);
  cluster::compact_records(plan, options.fresh);
  cluster::save_plan(plan);
  forget_report(folder);
  if (!options.fresh) cluster::adopt_made_sheets(plan);
  const int submitted = submit_plan(plan, std::move(lock), options, common);
  return submitted >= kExitInterrupted ? submitted : joined_status(status, submitted);
}

/// Options for the scheduler, or the local engine.
void add_task_options(cli::Command& command, SubmitOptions& options) {
  cluster::TaskSettings& task = options.task;
  command.option("--partition", task.partition, "Slurm's partition; default: its own default")
      .takes("NAME");
  command.option("--gpus-per-task", task.gpus, "GPUs of each task; default: none").range(0, 64);
  command.option("--cpus-per-task", task.threads, "Processors of each task; default: 1")
      .range(1, 1024);
  command
      .option("--memory",
              cli::parsed(options.memory_bytes, cli::limit_named("memory")),
              "Memory budget of a task; default: the job's")
      .takes("SIZE");
  command
      .option("--pages-per-task",
              cli::parsed(options.pages_per_task, parse_pages_per_task),
              "Sheets of a unit; auto: about ten seconds of work")
      .takes("N");
  command.option("--array-limit", task.at_once, "Most tasks at one time").range(1, 1'000'000);
  command.option("--begin", task.begin, "Earliest begin, as for sbatch --begin").takes("TIME");
  command.option("--sbatch", task.sbatch, "An option for sbatch, e.g. --sbatch=--account=press")
      .takes("OPTION")
      .one_at_a_time();
  command
      .option("--program",
              task.program,
              "Path of mezzotint on the nodes; default: that of this program")
      .takes("FILE");
  command
      .option("--tries", task.tries, "Attempts at a sheet before it counts as failed; default: 5")
      .range(1, 1000);
}

}  // namespace

void make_submit_command(cli::Command& command, const CommonOptions& common) {
  auto options = std::make_shared<SubmitOptions>();
  command.argument("JOB", options->manifests, "Manifests, one job each")
      .required()
      .offers(cli::offer_manifests);
  command
      .option("--plan",
              options->plan,
              "Folder for plan, records and report, shared by all nodes; default: beside the "
              "first manifest, with its name and .plan")
      .takes("FOLDER");
  command
      .option("--engine",
              cli::parsed(options->task.engine, parse_engine),
              "Where units run: slurm (the default), local (processes of this machine) or none "
              "(only make the plan)")
      .takes("NAME");
  add_task_options(command, *options);
  command.flag(
      "--fresh", options->fresh, "Make all sheets again, also those of earlier submissions");
  command.flag("--wait", options->wait, "Wait for the end, then print the results");
  command.flag("--keep-going",
               options->keep_going,
               "Submit the other pages and jobs when one has a mistake");
  add_force_option(command, options->force);
  command.flag("--dry-run", options->dry_run, "Only show the number of units");
  command.example("mezzotint submit --partition press --wait job.yaml",
                  "Run a job on a Slurm partition, and wait for its end.");
  command.example("mezzotint submit --engine local job.yaml",
                  "Run it on this machine, one process per unit.");
  command.runs([options, &common] { return run_submit(*options, common); });
}

}  // namespace mezzo::commands
