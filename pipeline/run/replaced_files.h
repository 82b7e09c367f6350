// What a run may replace. Files that have the names of its plates and side files stay, unless they are
// the job's own, or mezzotint wrote them, or the settings say `existing: overwrite`.
#pragma once

#include <string>

#include "manifests/job.h"
#include "pipeline/plan/job_plan.h"
#include "pipeline/run/result.h"

namespace mezzo::run {

/// --force: every output of the job replaces any file that has its name, as with `existing: overwrite`.
/// A plate with `existing: refuse` still replaces nothing.
void replace_any_file(manifests::Job& job);

/// Throws Error(kUsage) if a file that is no plate of mezzotint has the name of a plate of the sheet.
void refuse_foreign_files(const plan::SheetPlan& sheet, files::FileSystem& files);

/// Fails such sheets, except those in `done`, and adds a warning for each file that stops a proof or a PPF
/// file from being written.
void refuse_foreign_files(plan::JobPlan& plan, const DoneSheets& done);

/// Checks the path of a proof or a PPF file. Throws Error(kUsage) if a plate has that path, even where the settings
/// allow plates to be replaced, or a file that mezzotint did not write.
void refuse_foreign_side_file(const plan::SheetPlan& sheet,
                              const std::string& path,
                              files::FileSystem& files);

}  // namespace mezzo::run
