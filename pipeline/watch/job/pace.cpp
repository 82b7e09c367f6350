#include "pipeline/watch/job/pace.h"

#include <algorithm>
#include <chrono>

namespace mezzo::watch {
namespace {

constexpr size_t kJobs = 50;

int64_t minute_of(SteadyTime time) {
  return std::chrono::floor<std::chrono::minutes>(time.time_since_epoch()).count();
}

}  // namespace

std::optional<double> seconds_left_of(const JobView& job) {
  if (job.pixels_done == 0 || job.pixels == 0) return std::nullopt;
  const double done = static_cast<double>(job.pixels_done) / static_cast<double>(job.pixels);
  return job.seconds * (1 / std::min(1.0, done) - 1);
}

void Pace::sheet_ended(const SheetEvent& sheet) {
  if (next_ != nullptr) next_->sheet_ended(sheet);
  if (!sheet.ok) return;
  const int64_t number = minute_of(clock_.now());
  const std::lock_guard lock(mutex_);
  Minute& minute = minutes_[static_cast<size_t>(number) % minutes_.size()];
  if (minute.number != number) minute = {.number = number};
  ++minute.sheets;
}

void Pace::job_ended(const JobView& job) {
  if (next_ != nullptr) next_->job_ended(job);
  // One that was printed before took no time.
  if (job.state != JobState::kDone || job.bytes == 0 || job.seconds <= 0) return;
  const std::lock_guard lock(mutex_);
  last_jobs_.push_back({.bytes = job.bytes, .seconds = job.seconds});
  if (last_jobs_.size() > kJobs) last_jobs_.pop_front();
}

void Pace::worker_restarted() {
  if (next_ != nullptr) next_->worker_restarted();
}

uint64_t Pace::sheets_an_hour(SteadyTime now) const {
  const int64_t oldest = minute_of(now) - static_cast<int64_t>(minutes_.size()) + 1;
  uint64_t sheets = 0;
  const std::lock_guard lock(mutex_);
  for (const Minute& minute : minutes_) sheets += minute.number >= oldest ? minute.sheets : 0;
  return sheets;
}

double Pace::seconds_for(uint64_t bytes, uint32_t workers) const {
  double done_bytes = 0, seconds = 0;
  const std::lock_guard lock(mutex_);
  for (const Job& job : last_jobs_) {
    done_bytes += static_cast<double>(job.bytes);
    seconds += job.seconds;
  }
  if (done_bytes == 0) return 0;
  return static_cast<double>(bytes) * seconds / done_bytes / workers;
}

}  // namespace mezzo::watch
