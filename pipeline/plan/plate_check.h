// Plates that would take the place of another file.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

/// Called before a sheet fails because one of its plates has the name of a plate of `owner`; both
/// sheets are indices into the plan. May throw.
using OnClash = std::function<void(size_t sheet, const std::string& plate, size_t owner)>;

/// Refuses (kData) sheets with a plate that an earlier sheet or ink would write, too, or
/// that would replace an input of any sheet. Links and other names of a file or folder are seen
/// through. Sheets that have failed already are left out.
void check_plates(JobPlan& plan, const OnClash& on_clash = {});

/// Refuses (kUsage) sheets with a plate among the pages of the hot folder, or in a folder where it
/// keeps files of its own. Paths are looked at as they are once names are put in for {stem}, {job}
/// and {ink}, which may be "done", and folders under all their names.
void refuse_plates_in_hot_folder(JobPlan& plan, const std::string& hot_folder);

/// Fails (kCannotCreate) the sheets whose plates' folders cannot be written to or made, as their run
/// would.
void refuse_unwritable_folders(JobPlan& plan);

}  // namespace mezzo::plan
