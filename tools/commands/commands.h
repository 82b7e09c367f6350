// The commands of the program, and what several of them share. Each has a source: run.cpp (also `check`),
// watch.cpp, jobs.cpp, submit.cpp, worker.cpp, collect.cpp, cancel.cpp, status.cpp, halftone.cpp, screen.cpp,
// wedge.cpp, linearise.cpp, curves.cpp, colour.cpp, proof.cpp, synth.cpp, info.cpp, calibrate.cpp and
// schema.cpp; its summary is in the table of tools/main.cpp. job_command.cpp plans and runs jobs for run,
// check, halftone and wedge.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "manifests/job.h"
#include "manifests/scalars.h"
#include "pipeline/run/result.h"
#include "tools/cli/common_options.h"
#include "tools/cli/program.h"

namespace mezzo::commands {

using cli::CommonOptions;

/// Options of jobs that have a manifest, and therefore a journal.
struct ManifestJobOptions {
  bool resume = false;  ///< the default; given to state it
  bool fresh = false;
  std::optional<std::string> journal;  ///< file; default: in the state folder
  std::string id;                      ///< of the job, for {id} in paths; empty: drawn by lot
  std::string within;                  ///< folder that the job is confined to; empty: it is not
  std::string plates;        ///< folder that plates' paths start from; empty: that of inputs
  std::string press;         ///< press file, instead of the manifests'; empty: theirs
  bool settings = false;     ///< with dry_run: show all settings, and where each comes from
  std::string hot_folder;    ///< that the job comes from; empty: none
  bool any_inks = false;     ///< see plan::PlanOptions
  bool keep_others = false;  ///< see run::RunOptions
  bool force = false;        ///< see run::replace_any_file()
  bool keep_going = false;   ///< past a manifest, job or page that is wrong
  bool wait_for_space = false;
  uint64_t reserve_bytes = 0;
  std::optional<std::chrono::system_clock::time_point> deadline;
};

/// Options of the subcommands that run or plan a job.
struct JobOptions : ManifestJobOptions {
  std::optional<uint32_t> threads;
  std::optional<uint64_t> memory_bytes;
  std::optional<uint64_t> device_memory_bytes;
  manifests::JobLimits most = {.memory_bytes = 0};  ///< that manifests may ask for; 0: anything
  std::string report;                               ///< folder; empty: none
  uint32_t band_rows = 0;
  bool dry_run = false;
  bool explain = false;
  std::optional<tiff::VerifyLevel> verify;  ///< none: as the settings say
  bool simple = false;
  bool is_only = true;  ///< no other job follows in this process
};

/// The value of a flag; throws Error(kUsage) with its problem when there is none.
template <typename T>
T flag_value(const std::string& flag, const manifests::Parsed<T>& parsed) {
  if (parsed.value) return *parsed.value;
  throw Error(ErrorKind::kUsage,
              flag + " " + parsed.problem + (parsed.hint.empty() ? "" : "; " + parsed.hint));
}

void add_job_options(cli::Command& command, JobOptions& options);

/// --force, of commands that make plates.
cli::Option& add_force_option(cli::Command& command, bool& force);

/// --verify, of commands that run jobs.
void add_verify_option(cli::Command& command, JobOptions& options);

/// The jobs of the manifests without mistakes, those with the highest priority first, else in the
/// order given. Prints the mistakes of the others, and sets `status`. Throws Error for a manifest
/// that cannot be read, unless `keep_going`; then a mistake with the files of one page fails that page
/// alone (manifests::OnMistake). With `finds_all`, jobs with such pages are returned too, after their
/// mistakes are printed.
std::vector<manifests::Job> load_jobs(const std::vector<std::string>& manifests,
                                      const manifests::ManifestFolders& folders,
                                      bool keep_going,
                                      const CommonOptions& common,
                                      int& status,
                                      bool finds_all = false);

/// `limits`, overridden by the command line.
manifests::JobLimits limits_with(const manifests::JobLimits& limits, const JobOptions& options);

/// The end of a job.
struct JobEnd {
  int status = 0;                             ///< of the program, when this was its only job
  std::optional<run::Failure> first_failure;  ///< of a sheet
};

/// Plans the job, and runs it unless --dry-run; reports either way.
JobEnd plan_and_run(manifests::Job job, const JobOptions& options, const CommonOptions& common);

// Each gives a command its options and its action. The references must outlive the action.
void make_run_command(cli::Command& command, const CommonOptions& common);
void make_check_command(cli::Command& command, const CommonOptions& common);
void make_watch_command(cli::Command& command, const CommonOptions& common);
void make_jobs_command(cli::Command& command, const CommonOptions& common);
void make_submit_command(cli::Command& command, const CommonOptions& common);
void make_worker_command(cli::Command& command, const CommonOptions& common);
void make_collect_command(cli::Command& command, const CommonOptions& common);
void make_cancel_command(cli::Command& command, const CommonOptions& common);
void make_status_command(cli::Command& command, const CommonOptions& common);
void make_halftone_command(cli::Command& command, const CommonOptions& common);
void make_screen_command(cli::Command& command, const CommonOptions& common);
void make_linearise_command(cli::Command& command, const CommonOptions& common);
void make_curves_command(cli::Command& command, const CommonOptions& common);
void make_colour_command(cli::Command& command, const CommonOptions& common);
void make_wedge_command(cli::Command& command, const CommonOptions& common);
void make_proof_command(cli::Command& command, const CommonOptions& common);
void make_synth_command(cli::Command& command, const CommonOptions& common);
void make_info_command(cli::Command& command, const CommonOptions& common);
void make_schema_command(cli::Command& command, const CommonOptions& common);
void make_calibrate_command(cli::Command& command, const CommonOptions& common);

/// The topics of `help TOPIC`, and the methods (help_topics.cpp).
void add_help_topics(cli::Program& program);

}  // namespace mezzo::commands
