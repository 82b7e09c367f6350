// What a cluster is to do with jobs: their sheets, cut into units, as a file that every node reads.
//
// A plan is a folder on a file system that all nodes share:
//
//   plan.json      this structure; written once, whole
//   records/       what became of each attempt at a unit, see attempt_record.h
//   pictures/      small pictures of pages, for the report
//   logs/          standard error of the attempts
//   report/        report.html and report.json, once collected
//   submissions    a line of JSON for each time that units were handed to the engine
//   cancelled      there once nothing of it is to be handed over again: the plan's id
//   lock           see plan_lock.h
//
// A unit is a run of sheets that one task makes, worth some seconds of work. All paths in a plan
// are absolute, so that a node may read it from any working folder; they must be UTF-8.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "manifests/job.h"
#include "pipeline/run/result.h"

namespace mezzo::cluster {

/// A plate that a sheet is to become.
struct PlannedPlate {
  std::string ink;
  std::string path;
};

/// One sheet, frozen as it was when the plan was made: a pattern in a manifest that has more files
/// later does not change it.
struct PlannedSheet {
  uint32_t job = 0;         ///< index of ClusterPlan::jobs
  manifests::JobPage page;  ///< of exactly this sheet; the engine is as the manifest has it, but
                            ///< 'auto' is the CPU where tasks get no GPU
  std::vector<PlannedPlate> plates;
  uint64_t pixels = 0;  ///< of all planes
  /// Set: the sheet was found wrong when the plan was made, and no attempt begins it. Its pages and
  /// plates are those that were known by then, maybe none; the names of these plates may be
  /// others'.
  std::optional<run::Failure> failure;
};

struct PlannedJob {
  std::string name;
  std::string manifest;
  std::string folder;  ///< that its inputs' paths start from
  manifests::JobLimits limits;
};

/// Sheets `first` to `first + count - 1`, all of one job.
struct Unit {
  uint32_t first = 0;
  uint32_t count = 0;
};

/// How units are run.
enum class ClusterEngineKind {
  kSlurm,
  kLocal,  ///< processes of this machine
  kNone,   ///< by somebody else: Kubernetes, GNU parallel
};

/// What a task gets, and how it is asked for.
struct TaskSettings {
  ClusterEngineKind engine = ClusterEngineKind::kSlurm;
  uint32_t threads = 1;
  uint64_t memory_bytes = 0;  ///< asked for: the job's budget and what a process needs beside it
  uint32_t gpus = 0;          ///< 0: a task uses no GPU, whatever it sees
  uint32_t tries = 5;         ///< of a sheet that dies or meets trouble that may pass
  uint32_t at_once = 0;       ///< most tasks at one time; 0: as many as there is room for
  std::string program;        ///< path of mezzotint on the nodes
  std::string partition;      ///< Slurm's; empty: its default
  std::string begin;          ///< as sbatch --begin has it; empty: at once
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
};

/// The job of a unit, as if a manifest had named just its sheets.
manifests::Job job_of_unit(const ClusterPlan& plan, uint32_t unit);

/// All sheets of the plan as one job, for the report. Its name is that of the only job, or says how
/// many there are; its folder is the deepest that all inputs lie in.
manifests::Job job_of_plan(const ClusterPlan& plan);

/// "slurm", "local", "none".
std::string_view name_of(ClusterEngineKind kind);

/// The engine of that name; nothing when there is none.
std::optional<ClusterEngineKind> cluster_engine_named(std::string_view name);

}  // namespace mezzo::cluster
