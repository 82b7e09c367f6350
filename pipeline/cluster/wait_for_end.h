// Waiting for a job that a cluster makes.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "pipeline/cluster/collect.h"

namespace mezzo::cluster {

/// How often to look. A shared file system with many nodes has better things to do than to be read
/// by who waits, so a look at the records is followed by 20 times as long a pause in any case.
struct WaitPace {
  std::chrono::milliseconds between_looks{1000};
  std::chrono::milliseconds between_questions{3000};  ///< to the scheduler
  std::chrono::milliseconds after_refusal{60'000};
};

/// Follows a plan until nothing is left to be done, or nobody does it: the scheduler has none of it
/// (then it is handed over again, as collect() does), or holds all that is left because it failed,
/// until somebody releases it. Never relies on the scheduler for more than what it has in
/// hand. Logs now and then how far it is. Nothing when asked to `stop`. Throws what collect() does.
std::optional<Collected> wait_for_end(const ClusterPlan& plan,
                                      ClusterEngine& engine,
                                      const std::atomic<bool>& stop,
                                      const WaitPace& pace = {});

}  // namespace mezzo::cluster
