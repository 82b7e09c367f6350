// Whoever runs the units of a plan: hands them to a scheduler, and tells what it has in hand.
#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "pipeline/cluster/plan/cluster_plan.h"

namespace mezzo::cluster {

/// What a scheduler says of a plan's tasks. It may have forgotten them, or never have known.
struct Queue {
  bool answers = true;  ///< false: it cannot be asked; then `why` says so, and the rest is empty
  std::string why;
  std::set<uint32_t> waiting, running, held;  ///< units
  std::set<uint32_t> stuck;  ///< those of `held` that are because they failed, not by wish
  std::string reason;     ///< why tasks wait, in the scheduler's word: that of most; may be empty
  bool collects = false;  ///< a collecting job waits or runs
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

  /// Hands over units, one or more in rising order, and a job that collects when they are over; not
  /// before `delay` has passed, or, without one, what the plan says of its beginning. Gives the
  /// scheduler's name of it, "123". Throws Error: kDevice when the scheduler cannot be reached or
  /// refuses, with its message. That the collecting job alone is refused is only logged. Units with
  /// too many gaps for one command line are handed over in part: the rest is open when the first
  /// are over. The local engine collects nothing, and returns when all units have ended.
  virtual std::string submit(const ClusterPlan& plan,
                             std::span<const uint32_t> units,
                             std::chrono::seconds delay) = 0;

  virtual Queue queue(const ClusterPlan& plan) = 0;

  /// Takes back what it has in hand of the plan; attempts that run are asked to stop. Throws
  /// Error(kDevice) when the scheduler cannot be reached.
  virtual void cancel(const ClusterPlan& plan) = 0;
};

/// "0-3,7,9-12", as sbatch --array has it; `units` in rising order.
std::string array_text(std::span<const uint32_t> units);

}  // namespace mezzo::cluster
