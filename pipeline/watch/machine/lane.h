// Runs calls that may hang, such as those on the disks of a hot folder, outside of the main loop.
//
// A call on a network share may hang for as long as its server is away, and nothing ends it. Then the
// lane waits, and the main loop goes on with the other folders. The folder's data belongs to one of the
// two at a time: to the lane while a step is under way, and to the main loop otherwise.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "pipeline/watch/machine/clock.h"

namespace mezzo::watch {

class Lane {
 public:
  virtual ~Lane() = default;

  /// Runs `step`. Returns true when it has ended. Returns false when it goes on in the background: then
  /// is_busy() until its end, which wakes the main loop, so it must own what it uses, or share it only with
  /// the folder. Must not be called while is_busy(). Throws what this step has thrown, or an earlier one that
  /// went on in the background.
  virtual bool run(std::function<void()> step) = 0;

  /// Waits for the step under way for `patience` at most: for people, whom a busy disk must not turn
  /// away. True when none is under way any longer.
  virtual bool wait(std::chrono::milliseconds patience) = 0;

  /// Since when a step is under way; nothing when none is. Only run() begins one.
  virtual std::optional<SteadyTime> busy_since() const = 0;
  bool is_busy() const { return busy_since().has_value(); }

  /// Returns whether steps have a thread, and starts it if necessary. Without a thread, run() runs the step
  /// in its caller's.
  virtual bool has_thread() = 0;

  /// Frees what a lane does not need between steps. Does nothing while is_busy().
  virtual void rest(SteadyTime) {}
};

/// A lane with its own thread, which the first step starts.
class ThreadLane final : public Lane {
 public:
  /// What the main loop usually waits for a step before it goes on without it.
  static constexpr std::chrono::milliseconds kPatience{100};

  /// `wake` wakes the main loop, from any thread. It and the clock must outlive this.
  ThreadLane(const Clock& clock, std::function<void()> wake, std::chrono::milliseconds patience)
      : clock_(clock), wake_(std::move(wake)), patience_(patience) {}

  /// Waits for the step under way, however long that takes.
  ~ThreadLane() override;
  ThreadLane(const ThreadLane&) = delete;
  ThreadLane& operator=(const ThreadLane&) = delete;

  /// There is no patience after a step that took more, until one has taken less.
  bool run(std::function<void()> step) override;
  bool wait(std::chrono::milliseconds patience) override;
  std::optional<SteadyTime> busy_since() const override;

  bool has_thread() override;

  /// Ends a thread that has had no step for kIdle: there may be more folders than threads to be had.
  /// Not while processes live that a step has started: they end with its thread (PR_SET_PDEATHSIG).
  void rest(SteadyTime now) override;
  static constexpr std::chrono::seconds kIdle{2};

 private:
  void end_thread();
  void work();
  void throw_if_failed();

  const Clock& clock_;
  const std::function<void()> wake_;
  const std::chrono::milliseconds patience_;
  mutable std::mutex mutex_;  // guards the members up to is_closing_
  std::condition_variable called_;
  std::condition_variable ended_;
  std::function<void()> step_;
  std::optional<SteadyTime> busy_since_;
  std::exception_ptr error_;
  bool is_quick_ = true;   ///< the last step was
  bool is_alone_ = false;  ///< the main loop does not wait for the step
  bool is_closing_ = false;

  SteadyTime last_run_{};  // this and thread_: only for the main loop
  std::thread thread_;
};

}  // namespace mezzo::watch
