// The time of a watcher. Clock::system() alone reads the clocks of the machine; everything else is given
// a Clock or a Moment of one, so that a test decides what time it is.
#pragma once

#include <chrono>

#include "pipeline/steady_time.h"
#include "pipeline/wall_time.h"

namespace mezzo::watch {

/// A point in time by both clocks. Passes for a SteadyTime where only durations matter.
struct Moment {
  SteadyTime steady{};
  WallTime wall{};

  operator SteadyTime() const { return steady; }  // NOLINT(google-explicit-constructor): it is one

  /// The wall time of a steady one, past or to come.
  WallTime wall_of(SteadyTime time) const {
    return wall + std::chrono::duration_cast<WallTime::duration>(time - steady);
  }
};

class Clock {
 public:
  virtual ~Clock() = default;

  /// Any thread may ask.
  virtual Moment now() const = 0;

  /// The clocks of this machine.
  static const Clock& system();
};

/// The end of a span of time that begins with its construction. `clock` must outlive it.
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
