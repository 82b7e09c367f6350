// Calls that other threads hand to the main loop, which makes them between its turns.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <vector>

namespace mezzo::watch {

class CallQueue {
 public:
  /// `wake` ends the main loop's sleep, from any thread.
  explicit CallQueue(std::function<void()> wake) : wake_(std::move(wake)) {}

  enum class Answer {
    kMade,
    kNotRunning,  ///< the queue is not open
    kEnded,       ///< the queue was closed before the call was made
    kBusy,        ///< the main loop has not made the call within 2 s
  };

  /// For all threads but the main loop's: waits until the main loop has made the call. After any other
  /// answer than kMade the call will never be made.
  Answer make(const std::function<void()>& call);

  // For the main loop.

  /// Until close(), calls wait for serve().
  void open();
  void close();

  /// Makes all calls that wait.
  void serve();

 private:
  struct Call {
    const std::function<void()>& call;
    Answer answer = Answer::kBusy;
  };

  void end_all(Answer answer);

  const std::function<void()> wake_;
  std::mutex mutex_;  ///< guards all members below
  std::condition_variable ended_;
  bool is_open_ = false;
  std::vector<Call*> calls_;
};

}  // namespace mezzo::watch
