// Ends a plan: submits missing units again, and makes one report of all sheets.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/cluster/engine/cluster_engine.h"
#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/cluster/sheet_status.h"

namespace mezzo::cluster {

/// A submission of units, as the plan's file `submissions` has it.
struct Submission {
  std::string job_id;  ///< the scheduler's; empty: not known
  WallTime time;
  size_t units = 0;
  size_t settled = 0;  ///< sheets that were done or failed for good by then
};

/// Those of this plan's id, oldest first. Lines that are cut off count as not written.
std::vector<Submission> read_submissions(const ClusterPlan& plan);

/// Submits units and notes it. Throws the errors of the engine.
Submission submit_units(const ClusterPlan& plan,
                        ClusterEngine& engine,
                        const std::vector<uint32_t>& units,
                        size_t sheets_settled,
                        std::chrono::seconds delay);

/// Units with an open sheet, in rising order.
std::vector<uint32_t> open_units(const ClusterPlan& plan, const std::vector<SheetStatus>& sheets);

/// From here on collect() submits nothing, until the next submission or with `insist`. Throws
/// Error.
void mark_cancelled(const ClusterPlan& plan);
bool is_cancelled(const ClusterPlan& plan);

struct Collected {
  Tally tally;
  std::vector<SheetStatus> sheets;
  std::vector<uint32_t> waiting;    ///< units that are still queued or running
  std::optional<Submission> again;  ///< missing units were submitted again
  bool cancelled = false;           ///< some are open, and the job was cancelled
  bool given_up = false;  ///< some are open, and the last three submissions finished no sheet
};

/// The status of a task that collects: kExitTryAgain, so that the scheduler runs the task again,
/// when sheets are open, no unit is queued, and the job was not given up: the scheduler did not
/// answer or refused, and may accept units later. Else kExitSomeFailed or kExitGood.
int status_of_task(const Collected& collected);

/// Reads every plate; submits again the open units that were queued neither before that nor after
/// it, unless the last three submissions finished no sheet and `insist` is false; writes the
/// report. Safe at any time, on any node, and twice at once. `engine` null: submits nothing. An
/// engine that refuses is only logged. Throws Error.
Collected collect(const ClusterPlan& plan, ClusterEngine* engine, bool insist);

}  // namespace mezzo::cluster
