#include "pipeline/watch/service/call_queue.h"

#include <chrono>

namespace mezzo::watch {
namespace {

constexpr std::chrono::seconds kPatience{2};  // of the calling threads

}  // namespace

CallQueue::Answer CallQueue::make(const std::function<void()>& call) {
  std::unique_lock lock(mutex_);
  if (!is_open_) return Answer::kNotRunning;
  Call mine{call};
  calls_.push_back(&mine);
  wake_();
  if (!ended_.wait_for(lock, kPatience, [&] { return mine.answer != Answer::kBusy; })) {
    std::erase(calls_, &mine);
  }
  return mine.answer;
}

void CallQueue::open() {
  const std::lock_guard lock(mutex_);
  is_open_ = true;
}

void CallQueue::close() {
  const std::lock_guard lock(mutex_);
  is_open_ = false;
  end_all(Answer::kEnded);
}

void CallQueue::serve() {
  const std::lock_guard lock(mutex_);
  for (const Call* one : calls_) one->call();
  end_all(Answer::kMade);
}

void CallQueue::end_all(Answer answer) {
  for (Call* one : calls_) one->answer = answer;
  calls_.clear();
  ended_.notify_all();
}

}  // namespace mezzo::watch
