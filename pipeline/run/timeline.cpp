#include "pipeline/run/timeline.h"

#include <algorithm>

namespace mezzo::run {

void Timeline::record(size_t stage, Clock::time_point begin, Clock::time_point end) {
  const auto since_origin = [this](Clock::time_point time) -> int64_t {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time - origin_).count();
  };
  const int64_t from = std::max<int64_t>(since_origin(begin), 0);
  const int64_t to = since_origin(end);
  if (to <= from) return;
  const std::lock_guard lock(mutex_);
  while (to > slot_ns_ * static_cast<int64_t>(kSlots)) halve();
  for (int64_t at = from; at < to;) {
    const int64_t slot = at / slot_ns_;
    const int64_t next = std::min((slot + 1) * slot_ns_, to);
    busy_ns_[stage][static_cast<size_t>(slot)] += next - at;
    at = next;
  }
}

void Timeline::halve() {
  slot_ns_ *= 2;
  for (Slots& slots : busy_ns_) {
    for (size_t i = 0; i < kSlots; ++i) {
      slots[i] = 2 * i < kSlots ? slots[2 * i] + slots[2 * i + 1] : 0;
    }
  }
}

std::vector<Activity> Timeline::activities() const {
  const std::lock_guard lock(mutex_);
  std::vector<Activity> found;
  const double slot_s = 1e-9 * static_cast<double>(slot_ns_);
  for (size_t stage = 0; stage < kStages; ++stage) {
    bool going_on = false;
    for (size_t i = 0; i < kSlots; ++i) {
      const auto busy = static_cast<double>(busy_ns_[stage][i]);
      if (busy > 0) {
        const auto slot = static_cast<double>(i);
        if (!going_on) found.push_back({stage, slot * slot_s, 0, 0});
        found.back().end = (slot + 1) * slot_s;
        found.back().busy_seconds += 1e-9 * busy;
      }
      going_on = busy > 0;
    }
  }
  return found;
}

}  // namespace mezzo::run
