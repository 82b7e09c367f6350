#include "pipeline/run/replaced_files.h"

#include "kernels/base/error.h"
#include "pipeline/plan/side_files.h"
#include "stages/files/file_mark.h"
#include "stages/tiff/plate/file_origin.h"

namespace mezzo::run {
namespace {

constexpr const char* kRemedy = "replace it with --force or 'existing: overwrite' of the output";

/// Whether the file is the plate that an earlier run of the job made, unchanged.
bool is_own(const plan::PlatePlan& plate, files::FileSystem& files) {
  if (!plate.own) return false;
  const auto mark = files::mark_of(files, plate.path);
  return mark && mark->same_content(*plate.own);
}

/// Whether plates may replace plates only. With `existing: refuse` creating the file fails later, with another
/// message.
bool is_guarded(const plan::SheetPlan& sheet) {
  return sheet.settings.output.replace && !sheet.settings.output.replace_any;
}

}  // namespace

void replace_any_file(manifests::Job& job) {
  for (manifests::JobPage& page : job.pages) page.settings.output.replace_any = true;
}

void refuse_foreign_files(const plan::SheetPlan& sheet, files::FileSystem& files) {
  if (!is_guarded(sheet)) return;
  for (const plan::PlatePlan& plate : sheet.plates) {
    if (is_own(plate, files)) continue;
    const tiff::FileOrigin origin = tiff::origin_of_file(plate.path, files);
    if (tiff::may_replace(origin, tiff::FileOrigin::kPlate)) continue;
    throw tiff::replaced_error(plate.path, origin, kRemedy);
  }
}

void refuse_foreign_files(plan::JobPlan& plan, const DoneSheets& done) {
  for (size_t i = 0; i < plan.sheets.size(); ++i) {
    plan::SheetPlan& sheet = plan.sheets[i];
    if (sheet.failure || done.contains(i)) continue;
    try {
      refuse_foreign_files(sheet, *plan.files);
    } catch (const Error& error) {
      sheet.failure = plan::Failure::of(error);
    }
    for (const std::string& path : plan::side_paths(sheet)) {
      try {
        refuse_foreign_side_file(sheet, path, *plan.files);
      } catch (const Error& error) {
        sheet.warnings.emplace_back(error.what());
      }
    }
  }
}

void refuse_foreign_side_file(const plan::SheetPlan& sheet,
                              const std::string& path,
                              files::FileSystem& files) {
  const tiff::FileOrigin origin = tiff::origin_of_file(path, files);
  if (origin == tiff::FileOrigin::kPlate) {
    throw Error(ErrorKind::kUsage, path + ": a plate has that name");
  }
  if (sheet.settings.output.replace_any || tiff::may_replace(origin, tiff::FileOrigin::kOther))
    return;
  throw tiff::replaced_error(path, origin, kRemedy);
}

}  // namespace mezzo::run
