// The subcommands: each is one file, which adds itself to the command line and, when chosen, runs.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "manifests/job.h"
#include "manifests/scalars.h"
#include "pipeline/run/result.h"
#include "tools/cli/console.h"

namespace CLI {
class App;
}

namespace mezzo::commands {

/// Options that every subcommand takes.
struct CommonOptions {
  bool quiet = false;
  bool verbose = false;
  bool json = false;
  bool log_json = false;

  cli::Verbosity verbosity() const {
    return quiet     ? cli::Verbosity::kQuiet
           : verbose ? cli::Verbosity::kVerbose
                     : cli::Verbosity::kNormal;
  }
};

/// Options of the subcommands that run or plan a job.
struct JobOptions {
  std::optional<uint32_t> threads;
  std::optional<std::string> memory;  ///< "256MiB"
  std::optional<std::string> device_memory;
  std::string report;  ///< folder; empty: none
  uint32_t band_rows = 0;
  bool dry_run = false;
  bool explain = false;
  bool verify = false;
  bool simple = false;

  // Of jobs that have a manifest, and therefore a journal.
  bool resume = false;  ///< what happens in any case; for those who like to say it
  bool fresh = false;
  std::optional<std::string> journal;  ///< file; default: in the state folder
  std::string within;                  ///< folder that the job is confined to; empty: it is not
  std::string plates;  ///< folder that plates' paths start from; empty: where inputs' do
  bool wait_for_space = false;
  std::optional<std::string> reserve;  ///< "2GiB"
  std::optional<std::chrono::system_clock::time_point> deadline;
};

/// The value of a flag; throws Error(kUsage) with its problem when there is none.
template <typename T>
T flag_value(const std::string& flag, const manifests::Parsed<T>& parsed) {
  if (parsed.value) return *parsed.value;
  throw Error(ErrorKind::kUsage,
              flag + " " + parsed.problem + (parsed.hint.empty() ? "" : "; " + parsed.hint));
}

void add_job_options(CLI::App& command, JobOptions& options);

/// The jobs of the manifests that are right, those with the highest priority first, else in the
/// order given. Says what is wrong with the others; `status` then says how. Throws Error for a
/// manifest that cannot be read, unless `keep_going`.
std::vector<manifests::Job> load_jobs(const std::vector<std::string>& manifests,
                                      const manifests::ManifestFolders& folders,
                                      bool keep_going,
                                      const CommonOptions& common,
                                      int& status);

/// `limits` with what the command line says put over it. Throws Error(kUsage).
manifests::JobLimits limits_with(const manifests::JobLimits& limits, const JobOptions& options);

/// How a job ended.
struct JobEnd {
  int status = 0;                             ///< of the program, when the job was all it had to do
  std::optional<run::Failure> first_failure;  ///< of a sheet
};

/// Plans the job, and runs it unless --dry-run; reports either way.
JobEnd plan_and_run(manifests::Job job, const JobOptions& options, const CommonOptions& common);

// Each adds its subcommand to `app`; `status` receives the exit status when it runs. The references
// must outlive parsing.
void add_run_command(CLI::App& app, const CommonOptions& common, int& status);
void add_check_command(CLI::App& app, const CommonOptions& common, int& status);
void add_watch_command(CLI::App& app, const CommonOptions& common, int& status);
void add_jobs_command(CLI::App& app, const CommonOptions& common, int& status);
void add_submit_command(CLI::App& app, const CommonOptions& common, int& status);
void add_worker_command(CLI::App& app, const CommonOptions& common, int& status);
void add_collect_command(CLI::App& app, const CommonOptions& common, int& status);
void add_cancel_command(CLI::App& app, const CommonOptions& common, int& status);
void add_status_command(CLI::App& app, const CommonOptions& common, int& status);
void add_halftone_command(CLI::App& app, const CommonOptions& common, int& status);
void add_compare_command(CLI::App& app, const CommonOptions& common, int& status);
void add_synth_command(CLI::App& app, const CommonOptions& common, int& status);
void add_info_command(CLI::App& app, const CommonOptions& common, int& status);
void add_schema_command(CLI::App& app, const CommonOptions& common, int& status);
void add_bench_command(CLI::App& app, const CommonOptions& common, int& status);

}  // namespace mezzo::commands
