// The pace of a watcher: sheets in the last hour, and how long the queue will take.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

#include "pipeline/watch/machine/clock.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

/// How long a job that runs will go on, by its own progress: a small file can have plates that take hours. Nothing
/// while none of its pixels is done.
std::optional<double> seconds_left_of(const JobView& job);

/// Listens in front of another listener. Safe for several threads.
class Pace final : public WatchListener {
 public:
  /// `next` hears everything, too; it may be null. Both must outlive it.
  Pace(WatchListener* next, const Clock& clock) : next_(next), clock_(clock) {}

  void sheet_ended(const SheetEvent& sheet) override;
  void job_ended(const JobView& job) override;
  void worker_restarted() override;

  /// Good sheets of the last hour.
  uint64_t sheets_an_hour(SteadyTime now) const;

  /// How long `workers` will take for jobs of so many bytes, by the last jobs that were done; 0
  /// when there are none.
  double seconds_for(uint64_t bytes, uint32_t workers) const;

 private:
  struct Minute {
    int64_t number = -1;
    uint64_t sheets = 0;
  };
  struct Job {
    uint64_t bytes = 0;
    double seconds = 0;
  };

  WatchListener* const next_;
  const Clock& clock_;
  mutable std::mutex mutex_;  // of all below
  std::array<Minute, 60> minutes_{};
  std::deque<Job> last_jobs_;
};

}  // namespace mezzo::watch
