// Jobs of mezzotint.h.
#include "manifests/job.h"

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/base/diagnostic.h"
#include "kernels/base/error.h"
#include "manifests/json/value.h"
#include "manifests/settings/make_field.h"
#include "manifests/settings/member.h"
#include "pipeline/exit_status.h"
#include "pipeline/plan/plan.h"
#include "pipeline/report/event_json.h"
#include "pipeline/resume/resume.h"
#include "pipeline/run/disk_space.h"
#include "pipeline/run/job_runner.h"
#include "pipeline/run/replaced_files.h"
#include "stages/tiff/verify_level.h"
#include "tools/library/guard.h"
#include "tools/library/rows.h"

struct mezzotint_job {
  std::string manifest;
  mezzo::manifests::JobLimits limits{.memory_bytes = 0};  ///< 0: as the manifest says
  mezzo::manifests::ManifestFolders folders;
  std::optional<mezzo::tiff::VerifyLevel> verify;
  std::string journal;  ///< empty: in the state folder
  bool is_fresh = false;
  bool is_forced = false;
  std::atomic<bool> stop{false};
};

namespace mezzo::library {
namespace {

using manifests::FieldType;
using manifests::SettingValue;
using J = mezzotint_job;

/// A limit as a manifest has it.
manifests::Field limit(std::string_view name, std::string_view key) {
  manifests::Field field = *manifests::find_field(manifests::kInLimits, key);
  field.name = name;
  field.minimum = std::max(field.minimum, 1.0);
  return field;
}

std::span<const manifests::Setting<J>> job_rows() {
  using manifests::JobLimits;
  using manifests::member;
  static const manifests::Setting<J> kRows[] = {
      {limit("threads", "threads"), member<&J::limits, &JobLimits::threads>()},
      {limit("memory", "memory"), member<&J::limits, &JobLimits::memory_bytes>()},
      {limit("device-memory", "device_memory"),
       member<&J::limits, &JobLimits::device_memory_bytes>()},
      {manifests::field_of(*manifests::find_setting("output.verify")),
       {[](const J&) -> SettingValue { return ""; },
        [](J& job, const SettingValue& value) {
          job.verify = tiff::verify_level_named(std::get<std::string>(value));
        }}},
      {manifests::make_field(FieldType::kText, 0, "plates", ""),
       member<&J::folders, &manifests::ManifestFolders::plates>()},
      {manifests::make_field(FieldType::kText, 0, "journal", ""), member<&J::journal>()},
      {manifests::yes_or_no(0, "fresh", ""), member<&J::is_fresh>()},
      {manifests::yes_or_no(0, "force", ""), member<&J::is_forced>()},
  };
  return kRows;
}

void set(J& job, std::string_view name, std::string_view value) {
  if (set_row(job_rows(), job, name, std::string(value))) return;
  refuse("a job has no setting '" + std::string(name) +
         "', but threads, memory, device-memory, verify, plates, journal, fresh and force");
}

/// The manifest as it is now. Throws Error(kData) with all mistakes.
manifests::Job load(const mezzotint_job& settings) {
  auto checked = manifests::load_manifest(settings.manifest, settings.folders);
  if (const auto* mistakes = std::get_if<std::vector<Diagnostic>>(&checked)) {
    std::string text;
    for (const Diagnostic& mistake : *mistakes) {
      text += (text.empty() ? "" : "\n") + to_string(mistake);
    }
    throw Error(ErrorKind::kData, text);
  }
  auto& job = std::get<manifests::Job>(checked);
  if (settings.limits.threads != 0) job.limits.threads = settings.limits.threads;
  if (settings.limits.memory_bytes != 0) job.limits.memory_bytes = settings.limits.memory_bytes;
  if (settings.limits.device_memory_bytes != 0) {
    job.limits.device_memory_bytes = settings.limits.device_memory_bytes;
  }
  if (settings.is_forced) run::replace_any_file(job);
  return std::move(job);
}

char* c_text(const std::vector<json::Value>& lines) {
  std::string text;
  for (const json::Value& line : lines) text += json::to_text(line) + "\n";
  char* copy = ::strdup(text.c_str());
  if (copy == nullptr) throw std::bad_alloc();
  return copy;
}

char* plan_text(const mezzotint_job& settings) {
  manifests::Job job = load(settings);
  resume::put_start(job, nullptr, {});
  plan::JobPlan plan = plan::make_plan(job, {.verify = settings.verify});
  run::refuse_foreign_files(plan, {});
  run::refuse_full_disk(plan, {});
  std::vector<json::Value> lines;
  for (const plan::SheetPlan& sheet : plan.sheets) lines.push_back(report::plan_json(sheet));
  lines.push_back(report::plan_json(plan));
  return c_text(lines);
}

/// Counts what is done, and tells the caller.
class Progress final : public run::JobObserver {
 public:
  /// `pixels`: of all planes, those of sheets that are not made again included.
  Progress(const plan::JobPlan& plan,
           uint64_t pixels,
           mezzotint_on_progress on_progress,
           void* context,
           std::atomic<bool>& stop)
      : on_progress_(on_progress), context_(context), stop_(stop) {
    now_.sheets = plan.sheets.size();
    now_.pixels = pixels;
    now_.pixels_done = pixels - plan.pixels;
  }

  void pixels_done(uint64_t pixels) override {
    const std::lock_guard lock(mutex_);
    now_.pixels_done += pixels;
    tell();
  }
  void sheet_finished(const plan::SheetPlan&, const run::SheetResult& result) override {
    const std::lock_guard lock(mutex_);
    const bool is_cancelled = result.failure && result.failure->kind == ErrorKind::kInterrupted;
    if (!is_cancelled) ++(result.failure ? now_.sheets_failed : now_.sheets_done);
    tell();
  }

 private:
  void tell() {
    if (on_progress_ != nullptr && on_progress_(&now_, context_) != 0) stop_ = true;
  }

  const mezzotint_on_progress on_progress_;
  void* const context_;
  std::atomic<bool>& stop_;
  std::mutex mutex_;
  mezzotint_progress now_ = {};
};

std::vector<json::Value> result_lines(const plan::JobPlan& plan, const run::JobResult& result) {
  std::vector<json::Value> lines;
  for (const run::SheetResult& sheet : result.sheets) {
    lines.push_back(report::sheet_json(plan.sheets[sheet.index], sheet));
  }
  lines.push_back(report::job_json(plan, result));
  return lines;
}

std::string first_failure(const run::JobResult& result) {
  if (result.interrupted) return "cancelled; another run makes the sheets that are left";
  for (const run::SheetResult& sheet : result.sheets) {
    if (sheet.failure) return sheet.failure->text();
  }
  return "not all sheets were made";
}

int run_job(mezzotint_job& settings,
            mezzotint_on_progress on_progress,
            void* context,
            char** text,
            mezzotint_error* error) {
  manifests::Job job = load(settings);
  const auto journal = resume::Journal::open(
      settings.journal.empty() ? resume::journal_path(job.manifest) : settings.journal);
  if (settings.is_fresh) journal->forget();
  resume::put_start(job, journal.get(), {});
  plan::JobPlan plan = plan::make_plan(job, {.verify = settings.verify});
  resume::remove_orphaned_files(plan);
  const uint64_t pixels = plan.pixels;
  run::RunOptions options;
  options.done = resume::take_done_sheets(plan, *journal).done;
  options.on_sealed = resume::enter_into(*journal);
  options.on_published = [&](const plan::SheetPlan& sheet) {
    resume::note_published(*journal, *plan.files, sheet);
  };
  resume::SideFileJournal side_files(*journal, *plan.files);
  options.side_files = &side_files;
  run::refuse_foreign_files(plan, options.done);
  run::refuse_full_disk(plan, options.done);
  Progress progress(plan, pixels, on_progress, context, settings.stop);
  const run::JobResult result = run::run_job(plan, options, progress, settings.stop);
  const int status = status_of(result);
  if (status == kExitGood) journal->set_start(std::nullopt);
  if (text != nullptr) *text = c_text(result_lines(plan, result));
  return status == kExitGood ? status : report(error, status, first_failure(result));
}

}  // namespace
}  // namespace mezzo::library

using namespace mezzo;           // NOLINT(google-build-using-namespace)
using namespace mezzo::library;  // NOLINT(google-build-using-namespace)

mezzotint_job* mezzotint_job_open(const char* manifest, mezzotint_error* error) {
  return make(error, [&] {
    require(manifest, "manifest");
    auto job = std::make_unique<mezzotint_job>();
    job->manifest = manifest;
    load(*job);
    return job.release();
  });
}

void mezzotint_job_free(mezzotint_job* job) {
  delete job;
}

int mezzotint_job_set(mezzotint_job* job,
                      const char* name,
                      const char* value,
                      mezzotint_error* error) {
  return guard(error, [&] {
    require(job, "job");
    require(name, "name");
    require(value, "value");
    set(*job, name, value);
  });
}

char* mezzotint_job_plan(mezzotint_job* job, mezzotint_error* error) {
  return make(error, [&] {
    require(job, "job");
    return plan_text(*job);
  });
}

int mezzotint_job_run(mezzotint_job* job,
                      mezzotint_on_progress on_progress,
                      void* context,
                      char** result,
                      mezzotint_error* error) {
  return guard(error, [&] {
    require(job, "job");
    if (result != nullptr) *result = nullptr;
    // A run that fails takes its cancellation with it, too.
    const std::unique_ptr<std::atomic<bool>, void (*)(std::atomic<bool>*)> reset(
        &job->stop, [](std::atomic<bool>* stop) { *stop = false; });
    return run_job(*job, on_progress, context, result, error);
  });
}

void mezzotint_job_cancel(mezzotint_job* job) {
  if (job != nullptr) job->stop = true;
}
