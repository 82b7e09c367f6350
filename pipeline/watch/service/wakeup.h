// Wakes a thread that sleeps in poll(2), from any other.
#pragma once

namespace mezzo::watch {

class Wakeup {
 public:
  /// Throws Error(kIo) when there is no descriptor left.
  Wakeup();
  ~Wakeup();
  Wakeup(const Wakeup&) = delete;
  Wakeup& operator=(const Wakeup&) = delete;

  int fd() const { return fd_; }  ///< readable after wake()
  void wake() noexcept;           ///< safe for any thread, and in a signal handler
  void clear() noexcept;          ///< takes all calls of wake() so far

 private:
  int fd_;
};

}  // namespace mezzo::watch
