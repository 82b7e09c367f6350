// Limits the lines of a log that users of a hot folder can cause.
#pragma once

#include <chrono>
#include <cstddef>
#include <utility>

#include "pipeline/steady_time.h"

namespace mezzo::watch {

class LogLimit {
 public:
  static constexpr std::chrono::minutes kSpan{1};

  /// So many lines in each minute.
  explicit LogLimit(size_t most) : most_(most) {}

  /// Whether one more line may be logged; it counts as logged then, and as left out otherwise.
  bool allows(SteadyTime now) {
    begin_span(now);
    const bool is_allowed = lines_ < most_;
    ++(is_allowed ? lines_ : left_out_);
    return is_allowed;
  }

  /// The lines that were left out in earlier minutes, and not told before.
  size_t take_left_out(SteadyTime now) {
    begin_span(now);
    return std::exchange(to_tell_, 0);
  }

 private:
  void begin_span(SteadyTime now) {
    if (now - begun_ < kSpan) return;
    begun_ = now;
    lines_ = 0;
    to_tell_ += std::exchange(left_out_, 0);
  }

  const size_t most_;
  SteadyTime begun_{};
  size_t lines_ = 0;
  size_t left_out_ = 0;
  size_t to_tell_ = 0;
};

}  // namespace mezzo::watch
