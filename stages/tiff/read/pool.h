// Work spread over a team whose members each need an object of their own: a decoder, a buffer.
//
// Internal to stages/tiff.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "kernels/band/team.h"

namespace mezzo::tiff {

/// Objects made when needed, at most `most` of them, and lent to one thread at a time.
template <typename T>
class Pool {
 public:
  Pool(uint32_t most, std::function<std::unique_ptr<T>()> make)
      : most_(most), make_(std::move(make)) {}

  uint32_t most() const { return most_; }

  void add(std::unique_ptr<T> object) {
    ++made_;
    idle_.push_back(std::move(object));
  }

  /// Null when all are lent and no more may be made.
  std::unique_ptr<T> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto object = std::move(idle_.back());
        idle_.pop_back();
        return object;
      }
      if (made_ >= most_) return nullptr;
      ++made_;
    }
    return make_();
  }

  void give_back(std::unique_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(object));
  }

  /// For an object that is not given back.
  void forget_one() {
    const std::lock_guard lock(mutex_);
    --made_;
  }

 private:
  const uint32_t most_;
  const std::function<std::unique_ptr<T>()> make_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
  uint32_t made_ = 0;
};

/// Calls `work(object, i)` for every i in [0, count), spread over the team; a member that gets no
/// object leaves the work to the others. When items fail, the failure of the lowest one is thrown,
/// for any order of threads, and items above it may have been left out.
template <typename T, typename Work>
void for_each_with(Team& team, uint32_t count, Pool<T>& pool, const Work& work) {
  std::atomic<uint32_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  uint32_t failed_item = std::numeric_limits<uint32_t>::max();
  const auto member = [&] {
    std::unique_ptr<T> object;
    uint32_t item = 0;
    try {
      object = pool.take();
      if (!object) return;
      while ((item = next.fetch_add(1)) < count) work(*object, item);
      pool.give_back(std::move(object));
    } catch (...) {
      // An object that failed is in an unknown state: it is not lent again.
      pool.forget_one();
      const std::lock_guard lock(mutex);
      if (!failure || item < failed_item) {
        failure = std::current_exception();
        failed_item = item;
      }
      next.store(count);
    }
  };
  if (count <= 1 || team.size() == 1) {
    member();
  } else {
    team.run(member);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace mezzo::tiff
