// The registry's lines of the searches: les, pes and dbs.
#pragma once

#include <array>

#include "kernels/method_info.h"
#include "kernels/search/cpu/dbs.h"
#include "kernels/search/cpu/local_search.h"
#include "kernels/search/eye.h"
#include "kernels/search/random.h"
#include "kernels/search/search_halftoner.h"
#include "kernels/together/parameter.h"

namespace mezzo::search {

inline constexpr std::string_view kStarts[] = {"floyd-steinberg", "random"};
inline constexpr std::string_view kUntils[] = {"converged", "settled"};
inline constexpr std::string_view kLocalStarts[] = {"floyd-steinberg", "random", "dbs"};
inline constexpr std::string_view kEyes[] = {"nasanen", "gaussian", "tone"};
inline constexpr std::string_view kLocalEyes[] = {"tone", "published"};
inline constexpr std::string_view kTargets[] = {"filtered", "original"};

inline constexpr ParameterInfo kStartParameter =
    choice_parameter("start", "start image, which the rounds improve", kStarts);
inline constexpr ParameterInfo kSigmaParameter{
    .name = "sigma",
    .summary = "width (sigma) of the eye's Gaussian, pixels",
    .minimum = 0.3,
    .maximum = 4,
    .default_value = 1,
};
inline constexpr ParameterInfo kCellParameter{
    .name = "cell",
    .summary = "side of the cells that are searched at a time, pixels; 0: the smallest possible",
    .minimum = 0,
    .maximum = kMostDbsCell,
    .default_value = 0,
    .integer = true,
};
inline constexpr ParameterInfo kRoundsParameter{
    .name = "rounds",
    .summary = "most rounds over the page; 0: no limit",
    .minimum = 0,
    .maximum = 100000,
    .default_value = 0,
    .integer = true,
};
inline constexpr ParameterInfo kUntilParameter = choice_parameter(
    "until",
    "end of the search: no pixel improves, or a round gains less than half a percent",
    kUntils);
inline constexpr ParameterInfo kBudgetParameter{
    .name = "budget",
    .summary =
        "time limit of a plane, or of a slab, in seconds; keeps the best so far; 0: no limit",
    .minimum = 0,
    .maximum = 86400,
    .default_value = 0,
    .unit = "s",
};
inline constexpr ParameterInfo kSlabParameter{
    .name = "slab_rows",
    .summary = "rows that are searched at a time, for pages too large for memory; 0: all",
    .minimum = 0,
    .maximum = 1000000,
    .default_value = 0,
    .integer = true,
};

inline constexpr std::array kLocalParameters = {
    choice_parameter("start",
                     "start image, which the rounds improve; 'dbs' is floyd-steinberg, improved by "
                     "direct binary search first (with 'eye: published' it is left as it is)",
                     kLocalStarts,
                     2),
    kSeedParameter,
    choice_parameter(
        "eye",
        "the error to make small: one that keeps tone and detail, or that of the papers, "
        "which loses light tints",
        kLocalEyes),
    kSigmaParameter,
    ParameterInfo{.name = "radius",
                  .summary = "radius of the eye filter, pixels",
                  .minimum = 1,
                  .maximum = kMostWindowRadius,
                  .default_value = 3,
                  .integer = true},
    ParameterInfo{.name = "window",
                  .summary = "side of the windows that are searched, pixels",
                  .minimum = 2,
                  .maximum = kMostWindow,
                  .default_value = 4,
                  .integer = true},
    kCellParameter,
    kRoundsParameter,
    kUntilParameter,
    kBudgetParameter,
    kSlabParameter,
};

inline constexpr ParameterInfo kDbsInksParameter = [] {
  ParameterInfo inks = together::kInksParameter;
  inks.summary =
      "together: the inks of the sheet that have the same settings are searched as one, by the "
      "colours of their overprints, for printers that hold them in register; apart: each ink by "
      "itself";
  return inks;
}();

inline constexpr std::array kDbsParameters = {
    kStartParameter,
    kSeedParameter,
    choice_parameter("eye",
                     "eye filter, nasanen by 'scale' or gaussian by 'sigma'; or the error of les, "
                     "which is sharper",
                     kEyes),
    ParameterInfo{.name = "scale",
                  .summary = "Nasanen's eye: resolution times viewing distance, pixels",
                  .minimum = 500,
                  .maximum = 20000,
                  .default_value = 3500},
    kSigmaParameter,
    ParameterInfo{.name = "radius",
                  .summary = "radius of the eye filter, pixels",
                  .minimum = 1,
                  .maximum = kMostEyeRadius,
                  .default_value = 7,
                  .integer = true},
    choice_parameter("target",
                     "the image to match: the page as the eye sees it, or the page itself, which "
                     "sharpens",
                     kTargets),
    kCellParameter,
    kRoundsParameter,
    kUntilParameter,
    kBudgetParameter,
    kSlabParameter,
    kDbsInksParameter,
};

inline constexpr std::array kLocalSchedules = {
    ScheduleInfo{"bounds", "windows plainly, pixel by pixel", Engine::kCpu, true},
    ScheduleInfo{"lanes", "the same in vectors", Engine::kCpu, true},
    ScheduleInfo{"quads", "windows in quads of 2 x 2, by warps", Engine::kGpu},
};

inline constexpr std::array kDbsSchedules = {
    ScheduleInfo{"cells", "cells spread over the threads", Engine::kCpu, true},
    ScheduleInfo{"warps", "a warp to a cell", Engine::kGpu},
};

/// An empty string, or the settings that do not fit.
std::string check_local(const HalftoneSettings& settings);
std::string check_dbs(const HalftoneSettings& settings);

/// The weights of the eye, row by row; see MethodInfo::library_numbers.
std::vector<int32_t> local_eye(const HalftoneSettings& settings);
std::vector<int32_t> dbs_eye(const HalftoneSettings& settings);

std::unique_ptr<Halftoner> make_les(const HalftoneSettings& settings,
                                    const ScheduleInfo& schedule,
                                    gpu::Context& context);
std::unique_ptr<Halftoner> make_pes(const HalftoneSettings& settings,
                                    const ScheduleInfo& schedule,
                                    gpu::Context& context);
std::unique_ptr<Halftoner> make_dbs_method(const HalftoneSettings& settings,
                                           const ScheduleInfo& schedule,
                                           gpu::Context& context);
std::unique_ptr<together::InksHalftoner> make_dbs_together(const HalftoneSettings& settings,
                                                           const ScheduleInfo& schedule,
                                                           const together::InkColours& colours,
                                                           gpu::Context& context);

inline constexpr MethodInfo kLesMethod = {
    "les",
    "local exhaustive search: the best pattern of every window",
    kWithDot<kLocalParameters>,
    kLocalSchedules,
    make_les,
    check_local,
    LevelSupport::kNone,
    false,
    local_eye,
};

inline constexpr MethodInfo kPesMethod = {
    "pes",
    "partial exhaustive search: les among patterns with about as much ink",
    kWithDot<kLocalParameters>,
    kLocalSchedules,
    make_pes,
    check_local,
    LevelSupport::kNone,
    false,
    local_eye,
};

inline constexpr MethodInfo kDbsMethod = {
    "dbs",
    "direct binary search: pixels toggled or swapped wherever that looks better",
    kWithDot<kDbsParameters>,
    kDbsSchedules,
    make_dbs_method,
    check_dbs,
    LevelSupport::kNone,
    false,
    dbs_eye,
    make_dbs_together,
};

}  // namespace mezzo::search
