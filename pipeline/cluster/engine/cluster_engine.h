// The engine that runs the units of a plan: submits them to a scheduler, and lists its queue.
#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "pipeline/cluster/plan/cluster_plan.h"

namespace mezzo::cluster {

/// A scheduler's tasks of a plan. It may have forgotten some, or never have known them.
struct Queue {
  bool answers = true;  ///< false: it cannot be asked; then `why` says so, and the rest is empty
  std::string why;
  std::set<uint32_t> waiting, running, held;  ///< units
  std::set<uint32_t> stuck;  ///< those of `held` that the scheduler holds because they failed
  std::string reason;        ///< the scheduler's reason why most tasks wait; may be empty
  bool collects = false;     ///< a collecting job waits or runs
  bool has(uint32_t unit) const {
    return waiting.contains(unit) || running.contains(unit) || held.contains(unit);
  }
  bool is_empty() const { return waiting.empty() && running.empty() && held.empty() && !collects; }
};

class ClusterEngine {
 public:
  virtual ~ClusterEngine() = default;

  /// The most units that one submission may have. Throws Error(kDevice) when there is no scheduler.
  virtual uint32_t most_units() = 0;

  /// Submits units, one or more in rising order, and a job that collects when they are over; they
  /// begin after `delay` or, without one, at the plan's time. Returns the scheduler's job id,
  /// "123". Throws Error: kDevice when the scheduler cannot be reached or refuses, with its
  /// message. When it refuses the collecting job alone, that is only logged. Units with too many
  /// gaps for one command line are submitted in part: the rest is open when the first are over. The
  /// local engine collects nothing, and returns when all units have ended.
  virtual std::string submit(const ClusterPlan& plan,
                             std::span<const uint32_t> units,
                             std::chrono::seconds delay) = 0;

  virtual Queue queue(const ClusterPlan& plan) = 0;

  /// Cancels the plan's tasks; attempts that run are asked to stop. Throws Error(kDevice) when the
  /// scheduler cannot be reached.
  virtual void cancel(const ClusterPlan& plan) = 0;
};

/// "0-3,7,9-12", as sbatch --array has it; `units` in rising order.
std::string array_text(std::span<const uint32_t> units);

}  // namespace mezzo::cluster
