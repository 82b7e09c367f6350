#include "pipeline/cluster/make_cluster_plan.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <system_error>

#include "kernels/registry.h"
#include "pipeline/cluster/plan/paths.h"
#include "pipeline/cluster/plan/units.h"
#include "pipeline/cluster/records/attempt_reader.h"
#include "pipeline/plan/provenance.h"

namespace mezzo::cluster {
namespace {

namespace fs = std::filesystem;

/// Whether the settings run on a GPU, or not at all. Those that name nothing run anywhere.
bool needs_gpu(const HalftoneSettings& halftone) {
  if (halftone.engine != Engine::kAutomatic) return halftone.engine != Engine::kCpu;
  const MethodInfo* method = find_method(halftone.method);
  if (method == nullptr || halftone.schedule.empty()) return false;
  const ScheduleInfo* schedule = find_schedule(*method, halftone.schedule, halftone.engine);
  return schedule != nullptr && schedule->engine != Engine::kCpu;
}

/// Throws for settings with which no GPU of any node would help, and for those that need one when
/// tasks get none.
void check_gpu(const manifests::JobPage& page, const TaskSettings& task) {
  const HalftoneSettings& halftone = page.settings.halftone;
  const MethodInfo* method = find_method(halftone.method);
  if (method == nullptr || !needs_gpu(halftone)) return;
  const bool is_there =
      halftone.schedule.empty()
          ? std::ranges::find(method->schedules, halftone.engine, &ScheduleInfo::engine) !=
                method->schedules.end()
          : find_schedule(*method, halftone.schedule, halftone.engine) != nullptr;
  if (!is_there) {
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: method '{}' has no schedule {}for engine '{}'; use engine 'auto' "
                            "or 'cpu'",
                            page.input,
                            method->name,
                            halftone.schedule.empty() ? "" : "'" + halftone.schedule + "' ",
                            to_string(halftone.engine)));
  }
  if (task.gpus > 0) return;
  throw Error(
      ErrorKind::kUsage,
      fmt::format("{}: {} '{}' needs a GPU, and tasks get none; ask for GPUs, or use "
                  "engine 'auto' or 'cpu'",
                  page.input,
                  halftone.engine == Engine::kAutomatic ? "schedule" : "engine",
                  halftone.engine == Engine::kAutomatic ? std::string_view(halftone.schedule)
                                                        : to_string(halftone.engine)));
}

/// The settings for the CPU, which describe a sheet without asking CUDA.
HalftoneSettings on_cpu(HalftoneSettings halftone) {
  if (needs_gpu(halftone)) halftone.schedule.clear();
  halftone.engine = Engine::kCpu;
  return halftone;
}

/// The page as in the plan, but for its `pages`.
manifests::JobPage frozen(const manifests::JobPage& page, const TaskSettings& task) {
  manifests::JobPage result = page;
  result.input = absolute_path(page.input);
  result.stem = fs::path(result.input).stem().string();
  result.place = {};
  result.settings.output.path = absolute_template(page.settings.output.path);
  HalftoneSettings& halftone = result.settings.halftone;
  // So that tasks do not look for GPUs that they were not given.
  const bool is_open = halftone.engine == Engine::kAutomatic && halftone.schedule.empty();
  if (is_open && task.gpus == 0) halftone.engine = Engine::kCpu;
  return result;
}

PlannedJob planned_job(const manifests::Job& job) {
  return {.name = job.name,
          .manifest = job.manifest.empty() ? "" : absolute_path(job.manifest),
          .folder = absolute_path(job.folder),
          .limits = job.limits};
}

/// The identity of a file, under any name.
using FileIdentity = std::pair<dev_t, ino_t>;

std::optional<FileIdentity> identity(const std::string& path) {
  struct stat found {};
  if (::stat(path.c_str(), &found) != 0) return std::nullopt;
  return FileIdentity{found.st_dev, found.st_ino};
}

/// Whether an Error of this kind concerns a sheet alone, whose failure it is then.
bool is_of_sheet(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kData:
    case ErrorKind::kUnsupported:
    case ErrorKind::kLimit:
    case ErrorKind::kChecksum:
    case ErrorKind::kMissing:
    case ErrorKind::kCannotCreate:
    case ErrorKind::kIo:
      return true;
    default:
      return false;
  }
}

/// Checks plates against each other, inputs, and existing files. Pages of all jobs in one.
class PlateCheck {
 public:
  explicit PlateCheck(ClusterPlan& plan) : plan_(plan) {
    for (const PlannedSheet& sheet : plan.sheets) {
      if (const auto input = identity(sheet.page.input)) inputs_.insert(*input);
    }
  }

  /// Gives sheets failures. Throws Error(kData) for two jobs' plates of one name.
  void check_all() {
    // Names first, so that a plate of two jobs is found even if their sheets have other mistakes.
    for (PlannedSheet& sheet : plan_.sheets) {
      if (!sheet.failure) sheet.failure = name_clash(sheet);
    }
    for (PlannedSheet& sheet : plan_.sheets) {
      if (!sheet.failure) sheet.failure = lost_file(sheet);
    }
  }

 private:
  /// The first sheet that wants a name keeps it; one that fails takes none.
  std::optional<run::Failure> name_clash(const PlannedSheet& sheet) {
    std::set<std::string> names;
    for (const PlannedPlate& plate : sheet.plates) {
      const std::string name = real_name(plate.path);
      const auto taken = owners_.find(name);
      if (taken == owners_.end() && names.insert(name).second) continue;
      const PlannedSheet& owner = taken == owners_.end() ? sheet : *taken->second;
      const bool is_of_other_job = owner.job != sheet.job;
      const std::string of_job =
          is_of_other_job ? fmt::format(" of job '{}'", plan_.jobs[owner.job].name) : "";
      const std::string message = fmt::format(
          "{}: two plates would be {}: {}{} has that name already; output.path must "
          "tell them apart",
          sheet.page.input,
          plate.path,
          owner.page.input,
          of_job);
      if (is_of_other_job) throw Error(ErrorKind::kData, message);
      return run::Failure{ErrorKind::kCannotCreate, message};
    }
    for (const std::string& name : names) owners_.emplace(name, &sheet);
    return std::nullopt;
  }

  /// Of a sheet with a plate whose place is that of a file to be kept.
  std::optional<run::Failure> lost_file(const PlannedSheet& sheet) {
    const std::string& input = sheet.page.input;
    for (const auto& [ink, plate] : sheet.plates) {
      const auto existing = identity(plate);
      if (existing && inputs_.contains(*existing)) {
        return run::Failure{
            ErrorKind::kCannotCreate,
            fmt::format(
                "{}: the plate {} would replace an input; give it another name", input, plate)};
      }
      std::error_code error;
      const bool is_kept = !sheet.page.settings.output.replace &&
                           fs::exists(fs::symlink_status(plate, error)) && !is_ours(plate);
      if (!is_kept) continue;
      return run::Failure{ErrorKind::kCannotCreate,
                          fmt::format("{}: the plate {} exists already, and output.existing is "
                                      "'refuse'; move it away, or set output.existing to 'replace'",
                                      input,
                                      plate)};
    }
    return std::nullopt;
  }

  /// Whether an earlier submission of the plan's folder made it.
  bool is_ours(const std::string& plate) {
    if (!recorded_) {
      recorded_.emplace();
      for (const auto& [path, sealed] : read_earlier(plan_)) recorded_->insert(path);
      for (const Attempt& attempt : read_attempts(plan_)) {
        for (const auto& [path, sealed] : attempt.sealed) recorded_->insert(path);
      }
    }
    return recorded_->contains(plate);
  }

  /// The plate's path with the links of its folder followed, so that one folder has one name.
  std::string real_name(const std::string& plate) {
    const fs::path path = plate;
    const auto [known, is_new] = folders_.try_emplace(path.parent_path().string());
    if (is_new) {
      std::error_code error;
      const fs::path real = fs::weakly_canonical(path.parent_path(), error);
      known->second = error ? known->first : real.string();
    }
    return known->second + "/" + path.filename().string();
  }

  ClusterPlan& plan_;
  std::set<FileIdentity> inputs_;
  std::map<std::string, const PlannedSheet*> owners_;
  std::map<std::string, std::string> folders_;
  std::optional<std::set<std::string>> recorded_;
};

/// Plans the sheets of one page for the CPU, and gives them the page's own settings back. Failures
/// name the page. Throws Error for those that are not of a sheet alone.
plan::JobPlan plan_page(const manifests::Job& job,
                        const manifests::JobPage& page,
                        const TaskSettings& task) {
  manifests::Job one;
  one.name = job.name;
  one.limits = job.limits;
  one.limits.threads = task.threads;
  one.pages = {page};
  HalftoneSettings& halftone = one.pages.front().settings.halftone;
  halftone = on_cpu(halftone);
  plan::JobPlan plan = plan::make_plan(one);
  for (plan::SheetPlan& sheet : plan.sheets) {
    if (sheet.failure) {
      const std::string& message = sheet.failure->message;
      const bool is_named = message.find(page.input) != std::string::npos;
      if (!is_named) sheet.failure->message = page.input + ": " + message;
      if (!is_of_sheet(sheet.failure->kind)) throw Error(sheet.failure->kind, message);
    }
    sheet.settings.halftone = page.settings.halftone;
  }
  return plan;
}

PlannedSheet planned_sheet(uint32_t job,
                           const manifests::JobPage& page,
                           const plan::SheetPlan& planned) {
  PlannedSheet sheet{
      .job = job, .page = page, .plates = {}, .pixels = planned.pixels, .failure = planned.failure};
  sheet.page.pages = planned.pages;
  for (const plan::PlatePlan& plate : planned.plates)
    sheet.plates.push_back({plate.ink, plate.path});
  return sheet;
}

std::string drawn_id() {
  std::random_device lot;
  return fmt::format("{:08x}{:04x}", lot(), lot() & 0xFFFFU);
}

}  // namespace

ClusterPlan make_cluster_plan(const std::vector<manifests::Job>& jobs,
                              const std::string& plan_folder,
                              const TaskSettings& task,
                              const UnitOptions& units) {
  using std::chrono::milliseconds;
  using std::chrono::system_clock;
  ClusterPlan plan;
  plan.path = absolute_path(plan_folder);
  plan.id = drawn_id();
  plan.program = plan::provenance_software();
  plan.made = std::chrono::floor<milliseconds>(system_clock::now());  // as exact as the file is
  plan.task = task;
  std::vector<double> seconds;
  std::vector<uint32_t> job_of;
  for (const manifests::Job& job : jobs) {
    const auto index = static_cast<uint32_t>(plan.jobs.size());
    plan.jobs.push_back(planned_job(job));
    plan::JobPlan job_plan;
    for (const manifests::JobPage& page : job.pages) {
      check_gpu(page, task);
      const manifests::JobPage whole = frozen(page, task);
      plan::JobPlan of_page = plan_page(job, whole, task);
      job_plan.memory_bytes = of_page.memory_bytes;
      for (plan::SheetPlan& sheet : of_page.sheets) {
        plan.sheets.push_back(planned_sheet(index, whole, sheet));
        job_plan.sheets.push_back(std::move(sheet));
      }
    }
    const std::vector<double> estimates = estimate_sheet_seconds(job_plan, task);
    seconds.insert(seconds.end(), estimates.begin(), estimates.end());
    job_of.resize(seconds.size(), index);
  }
  if (plan.sheets.empty()) throw Error(ErrorKind::kUsage, "there are no pages to submit");
  PlateCheck(plan).check_all();
  for (size_t i = 0; i < seconds.size(); ++i) {
    if (plan.sheets[i].failure) seconds[i] = 0;
  }
  plan.units = cut_units(seconds, job_of, units);
  return plan;
}

}  // namespace mezzo::cluster
