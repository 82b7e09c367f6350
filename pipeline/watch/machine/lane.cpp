#include "pipeline/watch/machine/lane.h"

#include <system_error>
#include <utility>

namespace mezzo::watch {

ThreadLane::~ThreadLane() {
  end_thread();
}

void ThreadLane::end_thread() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
    called_.notify_one();
  }
  thread_.join();
  is_closing_ = false;
}

void ThreadLane::rest(SteadyTime now) {
  if (!is_busy() && now - last_run_ >= kIdle) end_thread();
}

bool ThreadLane::has_thread() {
  if (thread_.joinable()) return true;
  try {
    thread_ = std::thread([this] { work(); });
  } catch (const std::system_error&) {
    return false;
  }
  return true;
}

bool ThreadLane::run(std::function<void()> step) {
  last_run_ = clock_.now();
  if (!has_thread()) {
    step();
    return true;
  }
  std::unique_lock lock(mutex_);
  throw_if_failed();
  step_ = std::move(step);
  busy_since_ = clock_.now();
  is_alone_ = false;
  called_.notify_one();
  const auto patience = is_quick_ ? patience_ : std::chrono::milliseconds(0);
  if (!ended_.wait_for(lock, patience, [&] { return !busy_since_; })) {
    is_alone_ = true;
    return false;
  }
  throw_if_failed();
  return true;
}

bool ThreadLane::wait(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  return ended_.wait_for(lock, patience, [&] { return !busy_since_; });
}

void ThreadLane::throw_if_failed() {
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

std::optional<SteadyTime> ThreadLane::busy_since() const {
  const std::lock_guard lock(mutex_);
  return busy_since_;
}

void ThreadLane::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    called_.wait(lock, [&] { return step_ || is_closing_; });
    if (!step_) return;
    std::function<void()> step = std::exchange(step_, nullptr);
    lock.unlock();
    std::exception_ptr error;
    try {
      step();
    } catch (...) {
      error = std::current_exception();
    }
    step = nullptr;
    lock.lock();
    error_ = error;
    is_quick_ = clock_.now().steady - *busy_since_ <= patience_;
    busy_since_.reset();
    ended_.notify_one();
    if (std::exchange(is_alone_, false)) wake_();
  }
}

}  // namespace mezzo::watch
