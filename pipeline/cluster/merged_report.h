// One report of a plan, from the records of its attempts: each sheet once, as the attempt that made
// its present plates recorded it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/cluster/sheet_status.h"
#include "pipeline/report/report_data.h"
#include "pipeline/run/job_runner.h"

namespace mezzo::cluster {

/// The plan's result as one job: sheets in their order, each once; open ones are missing, and set
/// `out_of_time`. Times count from the first sheet's begin on any node, by the nodes' clocks; a
/// sheet without a recorded begin is put there.
run::JobResult merged_result(const ClusterPlan& plan, const std::vector<SheetStatus>& statuses);

/// Writes report.json and report.html to the plan's report folder, each whole or not at all. Opens
/// inputs for their sizes; a missing one is not an error. Throws Error.
void write_merged_report(const ClusterPlan& plan, const std::vector<SheetStatus>& statuses);

/// Removes temporary files that killed attempts left beside plates: of the plan's plates alone, and
/// of attempts in the plan's folder alone, as a run or another plan may be writing the same plates.
/// Those of sheets that failed in the plan are left out. Only when no sheet is open. `attempts`:
/// those with records; read_earlier_writers() finds the earlier ones. Throws Error(kIo).
void remove_temporaries(const ClusterPlan& plan, const std::vector<Attempt>& attempts);

}  // namespace mezzo::cluster
