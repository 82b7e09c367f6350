// The thread in which all calls on the disks of one hot folder are made.
//
// A call on a network share may hang for as long as its server is away, and nothing ends it. Then
// the lane waits, and the main loop goes on with the other folders. The folder's data belongs to one
// of the two at a time: to the lane while a step is under way, and else to the main loop.
#pragma once

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "pipeline/steady_time.h"

namespace mezzo::watch {

class FolderLane {
 public:
  /// What the main loop usually waits for a step before it goes on without it.
  static constexpr std::chrono::milliseconds kPatience{100};

  /// `wake` wakes the main loop, from any thread. It must outlive this.
  explicit FolderLane(std::function<void()> wake, std::chrono::milliseconds patience = kPatience)
      : wake_(std::move(wake)), patience_(patience) {}

  /// Waits for the step under way, however long that takes.
  ~FolderLane();
  FolderLane(const FolderLane&) = delete;
  FolderLane& operator=(const FolderLane&) = delete;

  /// Runs `step` in the lane's thread, or in this one when there is no thread to be had. True when
  /// it has ended. False when it goes on alone: is_busy() until its end, which wakes the main loop;
  /// so it must own what it uses, or share it with none but the folder. There is no patience after
  /// a step that took more, until one has taken less. Not while is_busy(). Throws what the step has
  /// thrown, or one before it that went on alone.
  bool run(std::function<void()> step);

  /// Waits for the step under way for `patience` at most: for people, whom a busy disk must not turn
  /// away. True when none is under way any longer.
  bool wait(std::chrono::milliseconds patience);

  /// Ends a thread that has had no step for a while: there may be more folders than threads to be had.
  /// Not while processes live that a step has started: they end with its thread (PR_SET_PDEATHSIG).
  void rest(SteadyTime now);
  static constexpr std::chrono::seconds kIdle{2};

  /// Whether a step is under way. Only run() begins one.
  bool is_busy() const { return busy_since().has_value(); }
  std::optional<SteadyTime> busy_since() const;

 private:
  bool has_thread();
  void end_thread();
  void work();
  void throw_if_failed();

  const std::function<void()> wake_;
  const std::chrono::milliseconds patience_;
  mutable std::mutex mutex_;  // of all below
  std::condition_variable called_;
  std::condition_variable ended_;
  std::function<void()> step_;
  std::optional<SteadyTime> busy_since_;
  std::exception_ptr error_;
  bool is_quick_ = true;   ///< the last step was
  bool is_alone_ = false;  ///< the main loop does not wait for the step
  bool is_closing_ = false;

  SteadyTime last_run_{};  // these are the main loop's
  std::thread thread_;
};

}  // namespace mezzo::watch
