// Wakes a thread that sleeps in poll(2), from any other.
#pragma once

#include "stages/files/descriptor.h"

namespace mezzo::watch {

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

}  // namespace mezzo::watch
