// mezzotint run, mezzotint check: jobs from manifests.

#include <fmt/chrono.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <thread>
#include <unordered_map>

#include "kernels/prepress/folded_name.h"
#include "kernels/prepress/ink_key.h"
#include "manifests/curve/curve_file.h"
#include "manifests/folder.h"
#include "manifests/job_name.h"
#include "manifests/json/value.h"
#include "manifests/plate_settings.h"
#include "manifests/press_file.h"
#include "manifests/scalars.h"
#include "manifests/time_window.h"
#include "pipeline/exit_status.h"
#include "pipeline/log/log.h"
#include "pipeline/watch/folder/ticket.h"
#include "tools/cli/file_offers.h"
#include "tools/cli/interrupt.h"
#include "tools/cli/limit_text.h"
#include "tools/cli/report.h"
#include "tools/commands/commands.h"
#include "tools/commands/report_index.h"

namespace mezzo::commands {
namespace {

struct ManifestOptions {
  std::vector<std::string> manifests;
  JobOptions job;
  std::string window;    ///< "22:00-06:00"; empty: any time
  std::string deadline;  ///< "06:00"; empty: none
};

using WallTime = std::chrono::system_clock::time_point;

manifests::ManifestFolders folders_of(const JobOptions& job) {
  return {.within = job.within, .plates = job.plates, .press = job.press};
}

/// See load_jobs().
std::vector<manifests::Job> load_all(const ManifestOptions& options,
                                     const CommonOptions& common,
                                     int& status) {
  return load_jobs(options.manifests,
                   folders_of(options.job),
                   options.job.keep_going,
                   common,
                   status,
                   options.job.dry_run);
}

/// Waits until the window opens; false when a signal comes before that.
bool wait_until(WallTime begin, const std::string& window) {
  if (begin > std::chrono::system_clock::now()) {
    const std::time_t time = std::chrono::system_clock::to_time_t(begin);
    log::info("waiting until {:%A %d %B, %H:%M}, when {} begins", fmt::localtime(time), window);
  }
  while (!cli::stop_requested() && std::chrono::system_clock::now() < begin) {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  return !cli::stop_requested();
}

/// The next time that clocks show `text`, as in "06:00".
WallTime next_time(const std::string& text) {
  // A window begins then, wherever it ends.
  auto window = manifests::parse_time_window(text + "-24:00");
  if (!window.value || text.find_first_not_of("0123456789:") != std::string::npos) {
    throw Error(ErrorKind::kUsage, "--deadline must be a time such as 06:00, found '" + text + "'");
  }
  return manifests::next_begin(*window.value, std::chrono::system_clock::now());
}

/// When no further sheet may begin. Waits for the window to open. Throws Error(kUsage).
std::optional<WallTime> deadline_of(const ManifestOptions& options) {
  std::optional<WallTime> deadline;
  if (!options.deadline.empty()) deadline = next_time(options.deadline);
  if (options.window.empty()) return deadline;
  const manifests::TimeWindow window =
      flag_value("--window", manifests::parse_time_window(options.window));
  const auto now = std::chrono::system_clock::now();
  const WallTime begin =
      manifests::contains(window, now) ? now : manifests::next_begin(window, now);
  if (!wait_until(begin, options.window)) return begin;
  const WallTime end = manifests::end_of(window, begin);
  return deadline ? std::min(*deadline, end) : end;
}

/// Runs job `number` of the index, unless it would replace plates of another.
int run_one(manifests::Job job,
            const std::string& clash,
            size_t number,
            bool is_only,
            const ManifestOptions& options,
            const CommonOptions& common,
            ReportIndex& index) {
  JobOptions job_options = options.job;
  job_options.is_only = is_only;
  job_options.report = index.folder_of(number);
  index.begin(number);
  try {
    if (!clash.empty()) throw Error(ErrorKind::kData, clash);
    const int status = plan_and_run(std::move(job), job_options, common).status;
    index.end(number, "");
    return status;
  } catch (const Error& error) {
    index.end(number, error.what());
    if (!options.job.keep_going) throw;
    return cli::report_error(error, common);
  }
}

/// Whether both would write one plate; `a` and `b` have this path.
bool share_plates(const std::string& path,
                  const manifests::JobPage& a,
                  const manifests::JobPage& b) {
  if (path.find("{id}") != std::string::npos || path.find("{time}") != std::string::npos) {
    return false;
  }
  if (!a.ink.empty() && !b.ink.empty() && !prepress::is_same_ink(a.ink, b.ink)) return false;
  if (!manifests::has_page_number(path) || a.pages.empty() || b.pages.empty()) return true;
  return std::ranges::find_first_of(a.pages, b.pages) != a.pages.end();
}

std::string place_of(const manifests::Job& job, const manifests::JobPage& page) {
  return fmt::format("{}:{}", job.manifest, page.place.line);
}

/// For each job the reason why it would replace plates of one before it; empty for most. Within a
/// job the manifest's reader refuses that, and a manifest may be given twice.
std::vector<std::string> clashes_of(const std::vector<manifests::Job>& jobs) {
  std::unordered_multimap<std::string, std::pair<size_t, const manifests::JobPage*>> written;
  std::vector<std::string> clashes(jobs.size());
  for (size_t i = 0; i < jobs.size(); ++i) {
    for (const manifests::JobPage& page : jobs[i].pages) {
      if (page.mistake) continue;
      for (const std::string& path : manifests::plate_templates(page.settings)) {
        const auto [begin, end] = written.equal_range(prepress::folded_name(path));
        const auto other = std::find_if(begin, end, [&](const auto& entry) {
          const auto& [before, first] = entry.second;
          return jobs[before].manifest != jobs[i].manifest && share_plates(path, *first, page);
        });
        if (other != end && clashes[i].empty()) {
          const auto& [before, first] = other->second;
          clashes[i] = fmt::format(
              "{}: '{}' would write the same plate as '{}' of {}, {}; give one of the two an "
              "'output: {{path: ...}}' of its own, for example with {{job}} in it",
              place_of(jobs[i], page),
              page.input,
              first->input,
              place_of(jobs[before], *first),
              path);
        }
        written.emplace(prepress::folded_name(path), std::pair(i, &page));
      }
    }
  }
  return clashes;
}

/// None of a run that only checks.
ReportIndex index_of(const ManifestOptions& options, const std::vector<manifests::Job>& jobs) {
  return {options.job.dry_run ? "" : options.job.report,
          options.manifests,
          folders_of(options.job),
          jobs};
}

/// Takes the files of a kind out of the manifests and checks them. `say` tells of a good one.
template <typename T>
int check_others(std::vector<std::string>& manifests,
                 bool (*is_one)(const std::string& path),
                 manifests::Checked<T> (*load)(const std::string& path),
                 const std::function<void(const std::string& path, const T& file)>& say,
                 const CommonOptions& common) {
  int status = kExitGood;
  const auto others =
      std::stable_partition(manifests.begin(), manifests.end(), std::not_fn(is_one));
  for (auto path = others; path != manifests.end(); ++path) {
    const auto checked = load(*path);
    if (const auto* file = std::get_if<T>(&checked)) {
      say(*path, *file);
      continue;
    }
    const auto& wrong = std::get<std::vector<Diagnostic>>(checked);
    common.json ? cli::print_diagnostics_json(wrong) : cli::print_diagnostics(wrong);
    status = kExitData;
  }
  manifests.erase(others, manifests.end());
  return status;
}

/// By its name: the settings of a hot folder say nothing that a manifest could not.
bool is_folder_file(const std::string& path) {
  return std::filesystem::path(path).filename() == "folder.yaml";
}

/// With the paths of its plates, which lead out of a folder or not by where it is.
manifests::Checked<manifests::FolderSettings> load_folder_file(const std::string& path) {
  auto checked = manifests::load_folder_settings(path);
  const auto* settings = std::get_if<manifests::FolderSettings>(&checked);
  if (settings == nullptr) return checked;
  const std::string folder = std::filesystem::absolute(path).parent_path().string();
  std::vector<Diagnostic> wrong;
  for (const std::string& plates : manifests::plate_templates(settings->defaults)) {
    const std::string problem = watch::plates_problem(folder, *settings, plates);
    if (problem.empty()) continue;
    wrong.push_back({.file = path,
                     .line = 0,
                     .column = 0,
                     .message = problem,
                     .hint = "let 'plates', or 'path' of 'output', name another folder",
                     .excerpt = {}});
  }
  if (!wrong.empty()) return wrong;
  return checked;
}

/// Checks the settings of hot folders, the press files and curve files among the manifests, and takes them out.
int check_other_files(std::vector<std::string>& manifests, const CommonOptions& common) {
  const auto say_press = [&](const std::string& path, const manifests::PressFilePtr& file) {
    const std::string& name = file->layered.settings.press->name;
    if (!common.json) return fmt::print("press {}: {} has no mistakes\n", name, path);
    cli::print_line({{"v", 1}, {"type", "press"}, {"file", path}, {"name", name}});
  };
  const auto say_curve = [&](const std::string& path, const curve::CurveFile& file) {
    const std::string kind(curve::name_of(file.curve.kind));
    if (!common.json)
      return fmt::print("{} curve of {}: {} has no mistakes\n", kind, file.ink, path);
    json::Value object = {{"v", 1}, {"type", "curve"}, {"file", path}};
    object["kind"] = kind;
    object["ink"] = file.ink;
    object["xxh3"] = file.curve.digest;
    cli::print_line(object);
  };
  const auto say_folder = [&](const std::string& path, const manifests::FolderSettings&) {
    if (!common.json) return fmt::print("settings of a hot folder: {} has no mistakes\n", path);
    cli::print_line({{"v", 1}, {"type", "folder"}, {"file", path}});
  };
  const int folders = check_others<manifests::FolderSettings>(
      manifests, is_folder_file, load_folder_file, say_folder, common);
  const int presses = check_others<manifests::PressFilePtr>(
      manifests, manifests::is_press_file, manifests::load_press_file, say_press, common);
  const int curves = check_others<curve::CurveFile>(
      manifests, curve::is_curve_file, curve::load_curve_file, say_curve, common);
  return std::max({folders, presses, curves});
}

int run_manifests(ManifestOptions options, const CommonOptions& common) {
  int status = options.job.dry_run ? check_other_files(options.manifests, common) : kExitGood;
  if (options.manifests.empty()) return status;
  std::vector<manifests::Job> jobs = load_all(options, common, status);
  const auto refuse = [&] {
    index_of(options, jobs).write();
    if (options.manifests.size() > 1 && !options.job.dry_run) {
      log::error("no job was begun; --keep-going runs those whose manifests are right");
    }
    return status;
  };
  if (status != kExitGood && !options.job.keep_going && !options.job.dry_run) return refuse();
  if (!options.job.dry_run) {
    const WallTime begin = std::chrono::system_clock::now();
    options.job.deadline = deadline_of(options);
    if (cli::stop_requested()) return cli::with_signal(kExitInterrupted);
    // Folders and patterns may have more in them by the evening.
    if (std::chrono::system_clock::now() - begin > std::chrono::seconds(1)) {
      status = kExitGood;
      jobs = load_all(options, common, status);
      if (status != kExitGood && !options.job.keep_going) return refuse();
    }
  }
  ReportIndex index = index_of(options, jobs);
  index.write();
  const std::vector<std::string> clashes = clashes_of(jobs);
  const auto first_clash = std::ranges::find_if(clashes, std::not_fn(&std::string::empty));
  if (first_clash != clashes.end() && !options.job.keep_going) {
    throw Error(ErrorKind::kData, *first_clash + "; no job was begun");
  }
  for (size_t i = 0; i < jobs.size(); ++i) {
    const int one =
        run_one(std::move(jobs[i]), clashes[i], i, jobs.size() == 1, options, common, index);
    // After an interrupt nothing more is wanted, and without its GPU this process has no more to
    // offer.
    if (one >= kExitInterrupted || one == kExitDeviceLost) return one;
    status = joined_status(status, one);
  }
  return status;
}

/// An empty name, as of a variable that is not set, would be no press.
manifests::Parsed<std::string> parse_file(const std::string& name) {
  return name.empty() ? manifests::Parsed<std::string>::bad("must name a file, found nothing")
                      : manifests::Parsed<std::string>::good(name);
}

/// The common part of run and check.
void add_manifests(cli::Command& command,
                   std::shared_ptr<ManifestOptions> options,
                   const CommonOptions& common) {
  command.argument("JOB", options->manifests, "Manifests, one job each")
      .required()
      .offers(cli::offer_manifests);
  add_job_options(command, options->job);
  command
      .option("--press",
              cli::parsed(options->job.press, parse_file),
              "Press file, instead of that which a manifest names")
      .takes("FILE")
      .offers(cli::offer_manifests);
  command.runs([options = std::move(options), &common] { return run_manifests(*options, common); });
}

manifests::Parsed<std::string> parse_id(const std::string& text) {
  const auto wrong = manifests::check_job_name(text);
  return wrong ? manifests::Parsed<std::string>::bad(wrong->problem, wrong->hint)
               : manifests::Parsed<std::string>::good(text);
}

/// Options for the plates of earlier runs, and for the folders of a job.
void add_resume_options(cli::Command& command, JobOptions& job) {
  cli::Option& resume = command.flag(
      "--resume", job.resume, "Skip unchanged sheets that an earlier run made (the default)");
  command.flag("--fresh", job.fresh, "Make all sheets again, also those of earlier runs")
      .excludes(resume);
  command.option("--journal", job.journal, "The job's journal; default: in the state folder")
      .takes("FILE");
  command
      .option("--job-id",
              cli::parsed(job.id, parse_id),
              "{id} in the paths of plates; default: drawn by lot")
      .takes("ID");
  command
      .option("--within",
              job.within,
              "Confine the job to FOLDER: relative paths start there; links, special files and "
              "files outside are refused")
      .takes("FOLDER");
  command.option("--plates", job.plates, "Folder that paths of plates start from").takes("FOLDER");
  command
      .option(
          "--hot-folder",
          job.hot_folder,
          "Hot folder of the job: refuse plates among its pages, in done/, failed/ and the like")
      .takes("FOLDER");
  command
      .option("--most-memory",
              cli::parsed(job.most.memory_bytes, cli::limit_named("memory")),
              "The most that 'limits' of a manifest may ask for; more is lowered to it")
      .takes("SIZE");
  command
      .option("--most-device-memory",
              cli::parsed(job.most.device_memory_bytes, cli::limit_named("device_memory")),
              "Likewise, of each GPU")
      .takes("SIZE");
  command.option("--most-threads", job.most.threads, "Likewise, threads").range(1, 1024);
  command.flag("--any-inks", job.any_inks, "Do not warn of settings of inks that no page has");
  command.flag("--keep-others",
               job.keep_others,
               "Fail a page whose plate would replace that of another page");
  command.flag("--wait-for-space",
               job.wait_for_space,
               "When a disk is full, wait until there is space, then go on");
  command
      .option("--reserve",
              cli::parsed(job.reserve_bytes, manifests::parse_byte_size),
              "Space to leave free on the plates' disk, e.g. 2GiB")
      .takes("SIZE");
}

}  // namespace

void make_run_command(cli::Command& command, const CommonOptions& common) {
  auto options = std::make_shared<ManifestOptions>();
  command.flag("--dry-run", options->job.dry_run, "Check and show the plan, run nothing");
  add_verify_option(command, options->job);
  command.flag("--keep-going",
               options->job.keep_going,
               "Run the other pages and jobs when one has a mistake");
  add_force_option(command, options->job.force);
  command
      .option("--window",
              options->window,
              "Begin pages within these hours only, e.g. 22:00-06:00; waits until then")
      .takes("HOURS");
  command.option("--deadline", options->deadline, "Begin no page from this time on, e.g. 06:00")
      .takes("TIME");
  add_resume_options(command, options->job);
  command.example("mezzotint run job.yaml", "Make the plates of a job that are still missing.");
  command.example("mezzotint run --report report --keep-going *.yaml",
                  "Run many jobs, and write a report on each into a folder of its own.");
  command.example("mezzotint run --window 22:00-06:00 job.yaml", "Run at night only.");
  add_manifests(command, std::move(options), common);
}

void make_check_command(cli::Command& command, const CommonOptions& common) {
  auto options = std::make_shared<ManifestOptions>();
  options->job.dry_run = true;
  command.flag("--settings",
               options->job.settings,
               "Show every setting of the pages, and where it was given");
  command.example("mezzotint check --explain job.yaml",
                  "Show the plan, with the engine and schedule of each method, and why.");
  command.example("mezzotint check --settings job.yaml",
                  "Show every setting of the pages, and the line that it comes from.");
  add_manifests(command, std::move(options), common);
}

}  // namespace mezzo::commands
