// Waiting for a job that a cluster makes.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>

#include "pipeline/cluster/collect.h"

namespace mezzo::cluster {

/// How often to look. To spare the shared file system, a look at the records is followed by a pause
/// of at least 20 times its length.
struct WaitPace {
  std::chrono::milliseconds between_looks{1000};
  std::chrono::milliseconds between_questions{3000};  ///< to the scheduler
  std::chrono::milliseconds after_refusal{60'000};
};

/// Follows a plan until all its sheets are done, or its open ones are stuck: the scheduler has none
/// of them queued (then they are submitted again, as collect() does), or holds all of them, as they
/// failed, until they are released. Relies on the scheduler for its queue alone. Logs the progress
/// now and then. Returns nothing when asked to `stop`. Throws the errors of collect().
std::optional<Collected> wait_for_end(const ClusterPlan& plan,
                                      ClusterEngine& engine,
                                      const std::atomic<bool>& stop,
                                      const WaitPace& pace = {});

}  // namespace mezzo::cluster
