// The plan of a cluster: the sheets of jobs, cut into units, as a file that every node reads.
//
// A plan is a folder on a file system that all nodes share:
//
//   plan.json      this structure; written once, whole
//   records/       the outcome of each attempt at a unit, see attempt_record.h
//   pictures/      small pictures of pages, for the report
//   colour/        tables by which pages are converted, where they are
//   logs/          standard error of the attempts
//   report/        report.html and report.json, once collected
//   submissions    a line of JSON for each submission of units to the engine
//   cancelled      the plan's id, once the job is cancelled and submits nothing any more
//   lock           see plan_lock.h
//
// A unit is a run of sheets that one task makes, some seconds of work. All paths in a plan are
// absolute, so that a node may read it from any working folder; they must be UTF-8.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/prepress/colour_table.h"
#include "manifests/job.h"
#include "pipeline/plan/library_numbers.h"
#include "pipeline/run/result.h"

namespace mezzo::cluster {

/// A plate of a sheet.
struct PlannedPlate {
  std::string ink;
  std::string path;
  std::string page_ink = {};                           ///< as PlatePlan has it
  std::optional<uint32_t> drop_bit = {};               ///< likewise
  decltype(HalftoneSettings::parameters) screen = {};  ///< likewise
  std::vector<plan::PlateCurve> curves = {};           ///< likewise; the plan has each once
  plan::LibraryNumbers numbers = {};                   ///< empty in older plans: not checked
};

/// One sheet, as it was when the plan was made: files that match a manifest's pattern later do not
/// change it.
struct PlannedSheet {
  uint32_t job = 0;         ///< index of ClusterPlan::jobs
  manifests::JobPage page;  ///< of exactly this sheet; the engine is as the manifest has it, but
                            ///< 'auto' is the CPU where tasks get no GPU
  std::vector<PlannedPlate> plates;
  uint64_t pixels = 0;  ///< of all planes
  /// Set: the sheet cannot be made, as planning found, and no attempt begins it. Its pages and
  /// plates are those known by then, perhaps none; these plates' names may belong to other sheets.
  std::optional<run::Failure> failure;
};

struct PlannedJob {
  std::string name;
  std::string manifest;
  std::string folder;  ///< base of its inputs' paths
  manifests::JobLimits limits;
};

/// Sheets `first` to `first + count - 1`, all of one job.
struct Unit {
  uint32_t first = 0;
  uint32_t count = 0;
};

/// The program that runs units.
enum class ClusterEngineKind {
  kSlurm,
  kLocal,  ///< processes of this machine
  kNone,   ///< run from outside: Kubernetes, GNU parallel
};

/// The resources of a task, and the request for them.
struct TaskSettings {
  ClusterEngineKind engine = ClusterEngineKind::kSlurm;
  uint32_t threads = 1;
  uint64_t memory_bytes = 0;        ///< requested: the job's budget and the process's own needs
  uint32_t gpus = 0;                ///< 0: a task uses no GPU, even if it sees one
  uint32_t tries = 5;               ///< of a sheet whose worker dies or whose failure may pass
  uint32_t at_once = 0;             ///< most tasks at one time; 0: no limit
  std::string program;              ///< path of mezzotint on the nodes
  std::string partition;            ///< Slurm's; empty: its default
  std::string begin;                ///< as sbatch --begin has it; empty: at once
  std::vector<std::string> sbatch;  ///< options passed on as they are
};

struct ClusterPlan {
  std::string path;     ///< of the plan's folder, absolute; not in the file
  std::string id;       ///< of this submission: 12 hexadecimal digits, drawn by lot
  std::string program;  ///< provenance_software() of the program that made it
  std::chrono::system_clock::time_point made;
  bool pictures = true;  ///< attempts keep pictures of pages for the report
  TaskSettings task;
  std::vector<PlannedJob> jobs;
  std::vector<PlannedSheet> sheets;
  std::vector<Unit> units;
  /// Tables of its pages' colours, by digest; files of their own, that are read as pages need them.
  std::map<std::string, std::shared_ptr<const prepress::ColourTable>> tables;
};

/// The job of a unit, as if a manifest had named its sheets alone.
manifests::Job job_of_unit(const ClusterPlan& plan, uint32_t unit);

/// All sheets of the plan as one job, for the report. Its name is that of the only job, or says how
/// many there are; its folder is the deepest that all inputs lie in.
manifests::Job job_of_plan(const ClusterPlan& plan);

/// "slurm", "local", "none".
std::string_view name_of(ClusterEngineKind kind);

/// The engine of that name; nothing when there is none.
std::optional<ClusterEngineKind> cluster_engine_named(std::string_view name);

}  // namespace mezzo::cluster
