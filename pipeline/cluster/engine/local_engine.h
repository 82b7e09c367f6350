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

/// `stop` must outlive the engine.
std::unique_ptr<ClusterEngine> make_local_engine(LocalPauses pauses, const std::atomic<bool>& stop);

}  // namespace mezzo::cluster
