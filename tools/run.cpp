// mezzotint run, mezzotint check: jobs from manifests.

#include <spdlog/spdlog.h>

#include <memory>

#include "tools/commands.h"
#include "tools/exit_status.h"
#include "tools/report.h"

namespace mezzo {
namespace {

struct ManifestOptions {
  std::vector<std::string> manifests;
  JobOptions job;
};

/// All the manifests, or nothing when one of them is wrong, after saying so; `status` then says
/// how.
std::vector<Job> load_all(const std::vector<std::string>& paths,
                          const CommonOptions& common,
                          int& status) {
  std::vector<Job> jobs;
  for (const std::string& path : paths) {
    auto checked = load_manifest(path);
    if (auto* job = std::get_if<Job>(&checked)) {
      jobs.push_back(std::move(*job));
      continue;
    }
    const auto& diagnostics = std::get<std::vector<Diagnostic>>(checked);
    common.json ? print_diagnostics_json(diagnostics) : print_diagnostics(diagnostics);
    status = kExitData;
  }
  return status == kExitGood ? std::move(jobs) : std::vector<Job>();
}

int run_manifests(const ManifestOptions& options, const CommonOptions& common) {
  int status = kExitGood;
  for (Job& job : load_all(options.manifests, common, status)) {
    const int one = plan_and_run(std::move(job), options.job, common).status;
    // After an interrupt nothing more is wanted, and without its GPU this process has no more to
    // offer.
    if (one >= kExitInterrupted || one == kExitDeviceLost) return one;
    // "Some failed" gives way to a status that says more.
    if (one != kExitGood && status <= kExitSomeFailed) status = one;
  }
  return status;
}

void add(CLI::App& command,
         std::shared_ptr<ManifestOptions> options,
         const CommonOptions& common,
         int& status) {
  command.add_option("JOB", options->manifests, "Manifests, one job each")->required();
  add_job_options(command, options->job);
  command.callback([options = std::move(options), &common, &status] {
    status = run_manifests(*options, common);
  });
}

}  // namespace

void add_run_command(CLI::App& app, const CommonOptions& common, int& status) {
  CLI::App* command = app.add_subcommand("run", "Run the jobs of manifests");
  auto options = std::make_shared<ManifestOptions>();
  command->add_flag("--dry-run", options->job.dry_run, "Check and show the plan, run nothing");
  command->add_flag("--verify",
                    options->job.verify,
                    "Recompute every plate with the reference and compare before publishing");
  auto& job = options->job;
  command->add_flag("--resume", job.resume, "Make only what is not made yet (the default)");
  command->add_flag("--fresh", job.fresh, "Forget what earlier runs made, and make all of it")
      ->excludes("--resume");
  command->add_option("--journal", job.journal, "The job's journal; default: in the state folder")
      ->type_name("FILE");
  command->add_flag("--wait-for-space",
                    job.wait_for_space,
                    "When a disk is full, wait until there is space, then go on");
  command
      ->add_option("--reserve", job.reserve, "Space to leave free on the plates' disk, e.g. 2GiB")
      ->type_name("SIZE");
  add(*command, std::move(options), common, status);
}

void add_check_command(CLI::App& app, const CommonOptions& common, int& status) {
  CLI::App* command =
      app.add_subcommand("check", "Check manifests and show what would be done, run nothing");
  auto options = std::make_shared<ManifestOptions>();
  options->job.dry_run = true;
  add(*command, std::move(options), common, status);
}

}  // namespace mezzo
