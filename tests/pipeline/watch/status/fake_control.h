// A watcher that is none: a view made up by a test, and requests that are remembered.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <vector>

#include "pipeline/watch/view/watch_view.h"

namespace mezzo::test {

class FakeControl : public watch::WatchControl {
 public:
  watch::WatchView view() override {
    std::unique_lock lock(mutex_);
    ++views_;
    viewed_.notify_all();
    unblocked_.wait(lock, [this] { return !blocked_; });
    return view_;
  }

  SteadyTime turned() const override {
    const std::lock_guard lock(mutex_);
    return turned_;
  }

  std::string request(const std::string& json) override {
    const std::lock_guard lock(mutex_);
    requests_.push_back(json);
    return reply_;
  }

  void set_view(watch::WatchView view, SteadyTime turned = {}) {
    const std::lock_guard lock(mutex_);
    view_ = std::move(view);
    turned_ = turned;
  }

  /// While blocked, view() does not return.
  void block(bool blocked) {
    const std::lock_guard lock(mutex_);
    blocked_ = blocked;
    unblocked_.notify_all();
  }

  std::vector<std::string> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  void forget() {
    const std::lock_guard lock(mutex_);
    requests_.clear();
    view_ = {};
    turned_ = {};
  }
  /// Waits until view() was called so often.
  void await_views(size_t count) const {
    std::unique_lock lock(mutex_);
    viewed_.wait(lock, [&] { return views_ >= count; });
  }
  size_t views() const {
    const std::lock_guard lock(mutex_);
    return views_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable unblocked_, viewed_;
  mutable size_t views_ = 0;
  bool blocked_ = false;
  watch::WatchView view_;
  SteadyTime turned_{};
  std::vector<std::string> requests_;
  std::string reply_ = R"({"ok":true})";
};

}  // namespace mezzo::test
