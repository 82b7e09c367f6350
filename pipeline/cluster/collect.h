// The end of a plan: what is missing is handed over again, and what is there becomes one report.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pipeline/cluster/engine/cluster_engine.h"
#include "pipeline/cluster/plan/cluster_plan.h"
#include "pipeline/cluster/standing.h"

namespace mezzo::cluster {

/// A submission of units, as the plan's file `submissions` has it.
struct Submission {
  std::string job_id;  ///< the scheduler's; empty: it was not learnt
  WallTime time;
  size_t units = 0;
  size_t settled = 0;  ///< sheets that were done or failed for good when it was made
};

/// Those of this plan's id, oldest first. Lines that are cut off count as not written.
std::vector<Submission> read_submissions(const ClusterPlan& plan);

/// Hands units over and notes it. Throws what the engine throws.
Submission submit_units(const ClusterPlan& plan,
                        ClusterEngine& engine,
                        const std::vector<uint32_t>& units,
                        size_t sheets_settled,
                        std::chrono::seconds delay);

/// Units of which a sheet is open, in rising order.
std::vector<uint32_t> open_units(const ClusterPlan& plan, const std::vector<SheetStanding>& sheets);

/// From here on collect() hands nothing over, until the next submission or with `insist`. Throws
/// Error.
void mark_cancelled(const ClusterPlan& plan);
bool is_cancelled(const ClusterPlan& plan);

struct Collected {
  Tally tally;
  std::vector<SheetStanding> sheets;
  std::vector<uint32_t> waiting;    ///< units that the scheduler still has in hand
  std::optional<Submission> again;  ///< units that were missing were handed over again
  bool cancelled = false;           ///< some are open, and nobody wants them any more
  bool given_up = false;  ///< some are open, and three submissions in a row brought nothing
};

/// The status of a task that collects: kExitTryAgain, upon which a scheduler may run it again and
/// again, only when what is open is in nobody's hand and was not given up either, as the scheduler
/// did not answer or refused; a later look may find it better. Then kExitSomeFailed, or kExitGood.
int status_of_task(const Collected& collected);

/// Looks at every plate; hands over again what is open and was in the scheduler's hand neither
/// before that nor after it, unless three submissions in a row brought nothing and not `insist`;
/// writes the report. Safe to do at any time, on any node, and twice at once. `engine` null:
/// nothing is handed over. An engine that refuses is only logged. Throws Error.
Collected collect(const ClusterPlan& plan, ClusterEngine* engine, bool insist);

}  // namespace mezzo::cluster
