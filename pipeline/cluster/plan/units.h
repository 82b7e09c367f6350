// The expected time of sheets, and their cut into units.
#pragma once

#include <cstdint>
#include <vector>

#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/plan/plan.h"

namespace mezzo::cluster {

/// The cost of a task beside its pages (a slot's turnaround under Slurm is about 0.7 s) should stay
/// below a tenth.
inline constexpr double kUnitSeconds = 10;

struct UnitOptions {
  uint32_t sheets_per_unit = 0;  ///< 0: `unit_seconds` of work
  double unit_seconds = kUnitSeconds;
  uint32_t most_units = 1000;  ///< more sheets make longer units
};

/// Cuts sheets that cost `seconds` each, of jobs as `job_of` tells, into units of at least
/// `unit_seconds` where there are enough sheets, at most `most_units` unless there are more jobs.
/// Units of a job take about the same time where sheets allow it, and at least `unit_seconds`
/// unless a job has only one. With `sheets_per_unit` a job's last unit may have fewer. An infinite
/// cost counts as one of `unit_seconds`.
std::vector<Unit> partition_sheets(const std::vector<double>& seconds,
                                   const std::vector<uint32_t>& job_of,
                                   const UnitOptions& options);

/// About how long one task of the plan's settings will take for each sheet, s. This machine may not
/// know the cost on a GPU, so halftoning there counts as free; a search of unknown cost counts as a
/// unit of its own, and is infinite. A sheet that failed already costs nothing.
std::vector<double> estimate_sheet_seconds(const plan::JobPlan& plan, const TaskSettings& task);

}  // namespace mezzo::cluster
