#include "pipeline/watch/service/watch_loop.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "pipeline/log/log.h"
#include "pipeline/watch/view/watch_requests.h"

namespace mezzo::watch {
namespace {

constexpr std::chrono::seconds kLongestSleep{30};  // watch_view.h promises a turn that often

/// Returns a call of wake() that keeps `wakeup` alive: threads may call it when the loop is gone.
std::function<void()> call_of(const std::shared_ptr<Wakeup>& wakeup) {
  return [wakeup] { wakeup->wake(); };
}

}  // namespace

WatchLoop::WatchLoop(WatcherOptions watcher, LoopOptions options)
    : options_(std::move(options)),
      clock_(watcher.machine->clock()),
      calls_(call_of(wakeup_)),
      control_(options_.socket.empty()
                   ? std::optional<ControlServer>()
                   : std::optional<ControlServer>(std::in_place, options_.socket)),
      watcher_(std::move(watcher), call_of(wakeup_)) {}

WatchEnd WatchLoop::run() {
  calls_.open();
  for (;;) {
    const Moment now = clock_.now();
    read_signals(now);
    turned_ = now.steady;
    watcher_.turn(now);
    answer_calls(now);
    report_status(now);
    if (second_signal_ != 0 || watcher_.is_over(now)) break;
    wait(now);
  }
  return end(clock_.now());
}

void WatchLoop::stop() {
  is_stop_requested_ = true;
  wakeup_->wake();
}

WatchEnd WatchLoop::end(const Moment& now) {
  service_.set_stopping();
  WatchEnd end = watcher_.end(now, second_signal_ != 0);
  end.second_signal = second_signal_;
  control_.reset();
  keep_view(now);
  calls_.close();
  return end;
}

void WatchLoop::read_signals(const Moment& now) {
  if (is_stop_requested_) stop_watcher(now);
  signalfd_siginfo info;
  while (options_.signals >= 0 && ::read(options_.signals, &info, sizeof info) == sizeof info) {
    if (info.ssi_signo == SIGHUP) {
      log::info("reading the settings of all folders again");
      watcher_.read_settings_again();
    } else if (watcher_.is_stopping()) {
      second_signal_ = static_cast<int>(info.ssi_signo);
    } else {
      stop_watcher(now);
    }
  }
}

void WatchLoop::stop_watcher(const Moment& now) {
  if (watcher_.is_stopping()) return;
  service_.set_stopping();
  watcher_.stop(now);
}

void WatchLoop::answer_calls(const Moment& now) {
  if (control_) {
    control_->serve(now, [&](const std::string& json) { return watcher_.answer(json, now); });
  }
  calls_.serve();
}

WatchView WatchLoop::view() {
  calls_.make([this] { keep_view(clock_.now()); });
  const std::lock_guard lock(view_mutex_);
  return last_view_;
}

/// For the main loop's thread.
void WatchLoop::keep_view(const Moment& now) {
  WatchView view = watcher_.view(now);
  const std::lock_guard lock(view_mutex_);
  last_view_ = std::move(view);
}

std::string WatchLoop::request(const std::string& json) {
  std::string reply;
  const std::string why = calls_.make([&] { reply = watcher_.answer(json, clock_.now()); });
  return why.empty() ? reply : refusal(why);
}

void WatchLoop::report_status(const Moment& now) {
  if (watcher_.is_ready()) service_.set_ready();
  service_.set_text(watcher_.status_text());
  service_.keep_alive(now);
}

/// Sleeps until there is something to do after the turn that began at `turn`.
void WatchLoop::wait(const Moment& turn) {
  const SteadyTime now = clock_.now();
  SteadyTime next = now + kLongestSleep;
  for (const auto& time : {watcher_.next_time(turn),
                           service_.next_time(),
                           control_ ? control_->next_time() : std::nullopt}) {
    if (time) next = std::min(next, *time);
  }
  std::vector<pollfd> polls = {
      {.fd = wakeup_->fd(), .events = POLLIN, .revents = 0},
      {.fd = options_.signals, .events = POLLIN, .revents = 0}};  // -1 is passed over
  watcher_.add_polls(turn, polls);
  if (control_) control_->add_polls(polls);
  // Rounded up, so that all work of that time is due.
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(next - now);
  ::poll(polls.data(), polls.size(), static_cast<int>(std::max<int64_t>(0, wait.count())));
  wakeup_->clear();
}

}  // namespace mezzo::watch
