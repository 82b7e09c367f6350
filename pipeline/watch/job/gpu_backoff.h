// Keeps workers off the machine's GPUs for a while after losses. A lost GPU ends every worker that
// uses it, and would fail a night's jobs one after the other; CPUs give the same bits.
#pragma once

#include <chrono>
#include <optional>

#include "pipeline/exit_status.h"
#include "pipeline/steady_time.h"

namespace mezzo::watch {

class GpuBackoff {
 public:
  static constexpr int kLossesInARow = 2;
  static constexpr std::chrono::minutes kRest{10};  ///< before GPUs are tried again

  /// A worker has ended by itself. True when the back-off begins with it.
  bool worker_ended(int exit_status, SteadyTime now) {
    if (exit_status != kExitDeviceLost) {
      // The end of a worker that was kept off the GPUs does not count.
      if (may_use(now)) losses_ = 0;
      return false;
    }
    if (++losses_ < kLossesInARow) return false;
    const bool is_new = may_use(now);
    until_ = now + kRest;
    return is_new;
  }

  bool may_use(SteadyTime now) const { return !until_ || now >= *until_; }

 private:
  int losses_ = 0;  ///< in a row
  std::optional<SteadyTime> until_;
};

}  // namespace mezzo::watch
