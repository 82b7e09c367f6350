#include "pipeline/watch/service/call_queue.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <system_error>

#include "kernels/base/error.h"

namespace mezzo::watch {
namespace {

constexpr std::chrono::seconds kPatience{2};  // of the calling threads

}  // namespace

Wakeup::Wakeup() : fd_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!fd_) {
    throw Error(ErrorKind::kIo, "eventfd: " + std::generic_category().message(errno));
  }
}

void Wakeup::wake() noexcept {
  const int kept = errno;
  const uint64_t one = 1;
  // A full counter is as good: the sleeper has not looked yet.
  [[maybe_unused]] const ssize_t written = ::write(fd_.get(), &one, sizeof one);
  errno = kept;
}

void Wakeup::clear() noexcept {
  uint64_t count = 0;
  [[maybe_unused]] const ssize_t got = ::read(fd_.get(), &count, sizeof count);
}

std::string CallQueue::make(const std::function<void()>& call) {
  std::unique_lock lock(mutex_);
  if (!is_open_) return "the watcher is not running";
  Call mine{call};
  calls_.push_back(&mine);
  wake_();
  const auto is_waiting = [&] { return std::ranges::find(calls_, &mine) != calls_.end(); };
  if (!ended_.wait_for(lock, kPatience, [&] { return !is_waiting(); })) std::erase(calls_, &mine);
  return mine.refusal;
}

void CallQueue::open() {
  const std::lock_guard lock(mutex_);
  is_open_ = true;
}

void CallQueue::close() {
  const std::lock_guard lock(mutex_);
  is_open_ = false;
  end_all("the watcher has ended");
}

void CallQueue::serve() {
  const std::lock_guard lock(mutex_);
  for (const Call* one : calls_) one->call();
  end_all("");
}

void CallQueue::end_all(const char* refusal) {
  for (Call* one : calls_) one->refusal = refusal;
  calls_.clear();
  ended_.notify_all();
}

}  // namespace mezzo::watch
