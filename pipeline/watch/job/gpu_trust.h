// Whether workers are to use the machine's GPUs. One that is lost ends every worker that touches
// it, and would put a night's jobs aside one after the other; CPUs give the same bits.
#pragma once

#include <chrono>
#include <optional>

namespace mezzo::watch {

class GpuTrust {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr int kLostStatus = 71;  ///< of a worker that lost its GPU
  static constexpr int kLossesInARow = 2;
  static constexpr std::chrono::minutes kRest{10};  ///< before they are tried again

  /// A worker has ended by itself. True when this is what ended the trust.
  bool worker_ended(int exit_status, Clock::time_point now) {
    if (exit_status != kLostStatus) {
      // Without GPUs nothing is learned of them.
      if (is_trusted(now)) losses_ = 0;
      return false;
    }
    if (++losses_ < kLossesInARow) return false;
    const bool is_new = is_trusted(now);
    until_ = now + kRest;
    return is_new;
  }

  bool is_trusted(Clock::time_point now) const { return !until_ || now >= *until_; }

 private:
  int losses_ = 0;  ///< in a row
  std::optional<Clock::time_point> until_;
};

}  // namespace mezzo::watch
