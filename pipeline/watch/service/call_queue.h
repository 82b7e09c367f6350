// Calls of other threads to the watcher's main loop. Each waits until the loop has answered it.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "pipeline/watch/service/wakeup.h"
#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

class CallQueue {
 public:
  /// `wakeup` ends the main loop's sleep.
  explicit CallQueue(std::shared_ptr<Wakeup> wakeup) : wakeup_(std::move(wakeup)) {}

  // For any thread. Both wait for the main loop, 2 s at most: after that, view() is the last one,
  // and a request is refused.
  WatchView view();
  std::string request(const std::string& json);
  void request_stop();

  // For the main loop.

  /// Until close(), calls wait for serve().
  void open();
  void close(WatchView last);
  bool stop_requested();

  /// Answers all calls that wait.
  void serve(const std::function<std::string(const std::string& json)>& answer,
             const std::function<WatchView()>& view);

 private:
  struct Request {
    std::string json;
    std::string reply;
    bool answered = false;
  };

  const std::shared_ptr<Wakeup> wakeup_;
  std::mutex mutex_;  ///< for the rest
  std::condition_variable answered_;
  bool is_open_ = false;
  bool stop_requested_ = false;
  uint64_t views_requested_ = 0;
  uint64_t views_answered_ = 0;
  WatchView last_view_;
  std::deque<std::shared_ptr<Request>> requests_;
};

}  // namespace mezzo::watch
