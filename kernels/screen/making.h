// How many tiles a process makes at a time: the tables of a large one take 20 MiB until it is made.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace mezzo::screen {

/// Memory of one thread that makes a tile of so many pixels, measured and rounded up: of a mask of
/// blue noise, of one with clusters, and of AM.
constexpr uint64_t kMaskMakingBytes = 32, kClusterMakingBytes = 60, kAmMakingBytes = 90;

/// Those that make tiles in this process.
class Makers {
 public:
  static Makers& of_process() {
    static Makers makers;
    return makers;
  }

  /// The most at a time, 1 or more; of several jobs in a process the last one's counts.
  void limit(uint32_t most) {
    {
      const std::lock_guard lock(mutex_);
      most_ = most;
    }
    changed_.notify_all();
  }

  /// Calls `make` when it may.
  template <typename Make>
  void run(const Make& make) {
    const Place place(*this);
    make();
  }

 private:
  struct Place {
    explicit Place(Makers& of) : makers(of) {
      std::unique_lock lock(makers.mutex_);
      makers.changed_.wait(lock, [&] { return makers.now_ < makers.most_; });
      ++makers.now_;
    }
    ~Place() {
      {
        const std::lock_guard lock(makers.mutex_);
        --makers.now_;
      }
      makers.changed_.notify_all();
    }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    Makers& makers;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  uint32_t most_ = UINT32_MAX;
  uint32_t now_ = 0;
};

}  // namespace mezzo::screen
