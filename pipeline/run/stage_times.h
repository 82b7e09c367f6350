// The time of a job by stage: seconds that the threads leading a stage spent in it, summed over
// bands and pages. Team members that help them are not counted.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "pipeline/run/stage.h"
#include "pipeline/run/timeline.h"

namespace mezzo::run {

/// Adds up from any thread.
class StageTimes {
 public:
  using Clock = std::chrono::steady_clock;

  /// Each time is recorded in `timeline` too, when there is one.
  explicit StageTimes(Timeline* timeline = nullptr) : timeline_(timeline) {}

  void add(Stage stage, Clock::time_point begin, Clock::time_point end) {
    nanoseconds_[static_cast<size_t>(stage)] +=
        std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count();
    if (timeline_ != nullptr) timeline_->record(static_cast<size_t>(stage), begin, end);
  }

  StageSeconds seconds() const {
    StageSeconds seconds{};
    for (size_t i = 0; i < seconds.size(); ++i) {
      seconds[i] = 1e-9 * static_cast<double>(nanoseconds_[i].load());
    }
    return seconds;
  }

 private:
  Timeline* timeline_;
  std::array<std::atomic<int64_t>, kStageNames.size()> nanoseconds_{};
};

/// Counts the time of its own life.
class StageTimer {
 public:
  StageTimer(StageTimes& times, Stage stage) : times_(times), stage_(stage) {}
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;
  ~StageTimer() { times_.add(stage_, begin_, StageTimes::Clock::now()); }

 private:
  StageTimes& times_;
  Stage stage_;
  StageTimes::Clock::time_point begin_ = StageTimes::Clock::now();
};

}  // namespace mezzo::run
