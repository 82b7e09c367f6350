// The time of a watcher. Only Clock::system() reads the clocks of the machine. All other code takes a Clock
// or a Moment, so that tests can set the time.
#pragma once

#include <chrono>

#include "pipeline/steady_time.h"
#include "pipeline/wall_time.h"

namespace mezzo::watch {

/// A point in time by both clocks. Converts to SteadyTime where only durations matter.
struct Moment {
  SteadyTime steady{};
  WallTime wall{};

  operator SteadyTime() const { return steady; }  // NOLINT(google-explicit-constructor): it is one

  /// Returns the wall time of a steady time, which may be in the past or in the future.
  WallTime wall_of(SteadyTime time) const {
    return wall + std::chrono::duration_cast<WallTime::duration>(time - steady);
  }
};

class Clock {
 public:
  virtual ~Clock() = default;

  /// Thread-safe.
  virtual Moment now() const = 0;

  /// The clocks of this machine.
  static const Clock& system();
};

/// The end of a time span that begins at construction. `clock` must outlive it.
class Deadline {
 public:
  Deadline(const Clock& clock, SteadyClock::duration span)
      : clock_(&clock), end_(clock.now().steady + span) {}

  bool is_past() const { return clock_->now().steady > end_; }

 private:
  const Clock* clock_;
  SteadyTime end_;
};

}  // namespace mezzo::watch
