// Jobs to a plan: sheets worked out, and cut into units by what they are expected to cost.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/plan/plan.h"

namespace mezzo::cluster {

/// What a task costs before and after its pages (a slot's turnaround under Slurm is about 0.7 s)
/// should stay below a tenth.
inline constexpr double kUnitSeconds = 10;

struct UnitOptions {
  uint32_t sheets_per_unit = 0;  ///< 0: as many as are worth `unit_seconds`
  double unit_seconds = kUnitSeconds;
  uint32_t most_units = 1000;  ///< more sheets make longer units
};

/// Plans `jobs`, in their order, for `plan_folder`; nothing is written. What is wrong with a sheet
/// now (a damaged file, no such page, no room in the memory budget, two plates of one name in a
/// job, a plate that would replace an input of any job, or one that exists and must not be
/// replaced) is its failure, names it, and keeps no other sheet from being made. A plate that must
/// not be replaced may be there when a record in `plan_folder` says that an earlier submission made
/// it.
///
/// Throws Error for what concerns more than a sheet: settings that run nowhere and jobs without
/// pages (kUsage), plates of two jobs with one name (kData), and any trouble that may pass. What
/// only a node can tell, its GPU, is not looked at, but an engine that needs a GPU is refused
/// (kUsage) when a task gets none. Never asks CUDA for anything.
ClusterPlan make_cluster_plan(const std::vector<manifests::Job>& jobs,
                              const std::string& plan_folder,
                              const TaskSettings& task,
                              const UnitOptions& units);

/// Cuts sheets that cost `seconds` each, of jobs as `job_of` tells, into units of at least
/// `unit_seconds` where there are enough sheets, at most `most_units` where jobs are not more.
/// Units of a job are alike where sheets allow it, and none is below `unit_seconds` unless it is
/// the only one of its job. With `sheets_per_unit` a job's last unit may have fewer. An infinite
/// cost counts as one of `unit_seconds`.
std::vector<Unit> cut_units(const std::vector<double>& seconds,
                            const std::vector<uint32_t>& job_of,
                            const UnitOptions& options);

/// About how long one task of the plan's settings will take for each sheet, s. On a GPU, of which
/// this machine may know nothing, halftoning counts as free; a search of unknown cost counts as a
/// unit of its own, and is infinite. A sheet that failed already costs nothing.
std::vector<double> estimate_sheet_seconds(const plan::JobPlan& plan, const TaskSettings& task);

}  // namespace mezzo::cluster
