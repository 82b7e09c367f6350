// Units as processes of this machine.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <span>

#include "pipeline/cluster/engine/cluster_engine.h"

namespace mezzo::cluster {

/// The pause before a unit is tried again: twice as long each time.
struct LocalPauses {
  std::chrono::milliseconds first{1000};
  std::chrono::milliseconds longest{30'000};
  /// The longest wait for workers that were asked to stop, which take a second if they can.
  std::chrono::milliseconds stop{30'000};
};

/// The time by which delays and pauses are counted while no process runs.
class LocalClock {
 public:
  virtual ~LocalClock() = default;
  virtual std::chrono::steady_clock::time_point now() const = 0;
  /// Returns when at least `time` has passed, or a signal has come; at once for a time below 0.
  virtual void rest(std::chrono::milliseconds time) = 0;
};

/// The clock of the machine.
LocalClock& machine_clock();

/// `stop` and `clock` must outlive the engine.
std::unique_ptr<ClusterEngine> make_local_engine(LocalPauses pauses,
                                                 const std::atomic<bool>& stop,
                                                 LocalClock& clock = machine_clock());

}  // namespace mezzo::cluster
