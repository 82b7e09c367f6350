// Limits how much of something threads hold at once, such as memory. Not in order: a thread that asks for
// much may wait while others that ask for less pass.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace mezzo::run {

class Gate {
 public:
  explicit Gate(uint64_t room) : room_(room) {}

  /// A part of the room, held as long as this exists.
  class Pass {
   public:
    /// Waits until there is so much room; into an empty gate any amount may go.
    Pass(Gate& gate, uint64_t amount) : gate_(gate), amount_(amount) {
      std::unique_lock lock(gate_.mutex_);
      gate_.changed_.wait(lock,
                          [&] { return gate_.held_ == 0 || gate_.held_ + amount_ <= gate_.room_; });
      gate_.held_ += amount_;
    }
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    ~Pass() {
      {
        const std::lock_guard lock(gate_.mutex_);
        gate_.held_ -= amount_;
      }
      gate_.changed_.notify_all();
    }

   private:
    Gate& gate_;
    const uint64_t amount_;
  };

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  const uint64_t room_;
  uint64_t held_ = 0;
};

}  // namespace mezzo::run
