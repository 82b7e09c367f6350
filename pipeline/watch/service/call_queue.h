// How other threads reach the main loop: they wake it, and hand it calls, which it makes between its turns.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "stages/files/descriptor.h"

namespace mezzo::watch {

/// Wakes a thread that sleeps in poll(2), from any other.
class Wakeup {
 public:
  /// Throws Error(kIo) when there is no descriptor left.
  Wakeup();

  int fd() const { return fd_.get(); }  ///< readable after wake()
  void wake() noexcept;                 ///< safe for any thread, and in a signal handler
  void clear() noexcept;                ///< takes all calls of wake() so far

 private:
  files::Descriptor fd_;
};

class CallQueue {
 public:
  /// `wake` ends the main loop's sleep, from any thread.
  explicit CallQueue(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// For all threads but the main loop's: waits for 2 s at most until the main loop has made the call. Returns
  /// why it has not made it, for people, and then it never will; empty when it has.
  std::string make(const std::function<void()>& call);

  // For the main loop.

  /// Until close(), calls wait for serve().
  void open();
  void close();

  /// Makes all calls that wait.
  void serve();

 private:
  struct Call {
    const std::function<void()>& call;
    std::string refusal = "the watcher is busy; try again";
  };

  void end_all(const char* refusal);

  const std::function<void()> wake_;
  std::mutex mutex_;  ///< guards all members below
  std::condition_variable ended_;
  bool is_open_ = false;
  std::vector<Call*> calls_;
};

}  // namespace mezzo::watch
