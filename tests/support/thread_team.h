// A team of plain threads, for tests of what works on a band together.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "kernels/band/team.h"

namespace mezzo::test {

/// Threads that are started anew for each run; the first exception of a member is passed on.
class ThreadTeam final : public Team {
 public:
  explicit ThreadTeam(uint32_t size) : size_(size) {}
  uint32_t size() const override { return size_; }
  void run(const std::function<void()>& member) override {
    std::exception_ptr failure;
    std::mutex mutex;
    const auto guarded = [&] {
      try {
        member();
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    };
    std::vector<std::thread> threads;
    for (uint32_t i = 1; i < size_; ++i) threads.emplace_back(guarded);
    guarded();
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
  }

 private:
  uint32_t size_;
};

}  // namespace mezzo::test
