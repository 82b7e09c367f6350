// Keeps workers off the machine's GPUs for a while after losses. A lost GPU ends every worker that
// uses it, and would fail a night's jobs one after the other; CPUs give the same bits.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>

#include "pipeline/exit_status.h"
#include "pipeline/steady_time.h"

namespace mezzo::watch {

/// Safe for several threads.
class GpuBackoff {
 public:
  static constexpr int kLossesInARow = 2;
  static constexpr std::chrono::minutes kRest{10};  ///< before GPUs are tried again

  /// A worker has ended by itself. True when the back-off begins with it.
  bool worker_ended(int exit_status, SteadyTime now) {
    const std::lock_guard lock(mutex_);
    const bool was_used = !until_ || now >= *until_;
    if (exit_status != kExitDeviceLost) {
      // The end of a worker that was kept off the GPUs does not count.
      if (was_used) losses_ = 0;
      return false;
    }
    if (++losses_ < kLossesInARow) return false;
    until_ = now + kRest;
    return was_used;
  }

  bool may_use(SteadyTime now) const {
    const std::lock_guard lock(mutex_);
    return !until_ || now >= *until_;
  }

 private:
  mutable std::mutex mutex_;
  int losses_ = 0;  ///< in a row
  std::optional<SteadyTime> until_;
};

}  // namespace mezzo::watch
