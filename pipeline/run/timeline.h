// The times at work of each stage, in little memory: time is cut into slots, and when they run out,
// pairs of them are merged.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "pipeline/run/stage.h"

namespace mezzo::run {

/// A time in which a stage was at work.
struct Activity {
  size_t stage = 0;         ///< index of kStageNames
  double begin = 0;         ///< s since the timeline's origin
  double end = 0;           ///< s
  double busy_seconds = 0;  ///< work in it, of all threads together: may be more than its length
  bool operator==(const Activity&) const = default;
};

/// Any thread may record.
class Timeline {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr size_t kStages = kStageNames.size();
  static constexpr size_t kSlots = 128;  ///< of 1 ms at first

  explicit Timeline(Clock::time_point origin) : origin_(origin) {}

  /// Work from `begin` to `end`, not before the origin.
  void record(size_t stage, Clock::time_point begin, Clock::time_point end);

  /// Slots at work that touch each other, as one; in order of stage, then of time.
  std::vector<Activity> activities() const;

 private:
  void halve();

  using Slots = std::array<int64_t, kSlots>;
  const Clock::time_point origin_;
  mutable std::mutex mutex_;
  int64_t slot_ns_ = 1'000'000;
  std::array<Slots, kStages> busy_ns_{};
};

}  // namespace mezzo::run
