// Calls of other threads that the main loop makes for them, between its turns.
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
    kNotRunning,  ///< it is not open
    kEnded,       ///< it was closed meanwhile
    kBusy,        ///< the main loop has not come to it in 2 s
  };

  /// For any other thread: waits until the main loop has made the call. Unless kMade, it will not be
  /// made either.
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
  std::mutex mutex_;  ///< for the rest
  std::condition_variable ended_;
  bool is_open_ = false;
  std::vector<Call*> calls_;
};

}  // namespace mezzo::watch
