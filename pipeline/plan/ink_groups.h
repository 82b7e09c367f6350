// The inks of a sheet that are halftoned together: those whose settings ask for it and are the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/together/ink_colours.h"
#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

/// Numbers of plates, the darkest ink first: by the lightness that the press file gives it in print,
/// else by the usual one. Inks of one lightness follow each other as in the sheet.
using InkGroup = std::vector<uint32_t>;

/// The groups of a sheet whose plates have names; an ink without another to see is in none.
std::vector<InkGroup> ink_groups(const SheetPlan& sheet);

/// The inks of a group in print, in its order. Throws Error(kUnsupported) for too many of them.
together::InkColours colours_of_group(const SheetPlan& sheet, const InkGroup& group);

/// The inks that the plate's dots were placed among, itself included: "black, magenta, cyan"; empty for
/// a plate in no group.
std::string together_text(const SheetPlan& sheet, const std::string& ink);

/// All that decides the dots of such a plate beside its settings, as lines: those inks and their colours
/// in print. Empty likewise.
std::string together_settings_text(const SheetPlan& sheet, const std::string& ink);

}  // namespace mezzo::plan
