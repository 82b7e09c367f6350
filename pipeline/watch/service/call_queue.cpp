#include "pipeline/watch/service/call_queue.h"

#include <chrono>

#include "pipeline/watch/view/watch_requests.h"

namespace mezzo::watch {
namespace {

constexpr std::chrono::seconds kPatience{2};  // of the calling threads

}  // namespace

WatchView CallQueue::view() {
  std::unique_lock lock(mutex_);
  if (is_open_) {
    const uint64_t mine = ++views_requested_;
    wakeup_->wake();
    answered_.wait_for(lock, kPatience, [&] { return views_answered_ >= mine || !is_open_; });
  }
  return last_view_;
}

std::string CallQueue::request(const std::string& json) {
  std::unique_lock lock(mutex_);
  if (!is_open_) return refusal("the watcher is not running");
  const auto request = std::make_shared<Request>();
  request->json = json;
  requests_.push_back(request);
  wakeup_->wake();
  if (answered_.wait_for(lock, kPatience, [&] { return request->answered; })) {
    return request->reply.empty() ? refusal("the watcher has ended") : request->reply;
  }
  std::erase(requests_, request);
  return refusal("the watcher is busy; try again");
}

void CallQueue::request_stop() {
  const std::lock_guard lock(mutex_);
  stop_requested_ = true;
  wakeup_->wake();
}

void CallQueue::open() {
  const std::lock_guard lock(mutex_);
  is_open_ = true;
}

void CallQueue::close(WatchView last) {
  const std::lock_guard lock(mutex_);
  is_open_ = false;
  for (const auto& request : requests_) request->answered = true;
  requests_.clear();
  last_view_ = std::move(last);
  answered_.notify_all();
}

bool CallQueue::stop_requested() {
  const std::lock_guard lock(mutex_);
  return stop_requested_;
}

void CallQueue::serve(const std::function<std::string(const std::string& json)>& answer,
                      const std::function<WatchView()>& view) {
  const std::lock_guard lock(mutex_);
  if (requests_.empty() && views_answered_ == views_requested_) return;
  for (const auto& request : requests_) {
    request->reply = answer(request->json);
    request->answered = true;
  }
  requests_.clear();
  last_view_ = view();
  views_answered_ = views_requested_;
  answered_.notify_all();
}

}  // namespace mezzo::watch
