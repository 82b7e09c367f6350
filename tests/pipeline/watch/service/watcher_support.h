// A watcher on a hot folder of its own, on a machine whose time passes from turn to turn.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "pipeline/watch/service/watcher.h"
#include "tests/pipeline/watch/machine/fake_machine.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test {

inline std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A file is complete after 100 ms.
inline constexpr const char* kQuick =
    "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\nreserve: 0\n";

/// A watcher, and its last turn.
struct Turning {
  explicit Turning(watch::WatcherOptions options)
      : watcher(std::move(options), [this] { is_woken = true; }) {}

  void turn(const watch::Moment& now) {
    watcher.turn(now);
    turned = now;
  }

  /// When its next turn is due; the first one is at once.
  SteadyTime due() {
    constexpr std::chrono::milliseconds kAtOnce{1};
    if (!turned) return {};
    std::vector<pollfd> polls;
    watcher.add_polls(*turned, polls);
    const bool has_news =
        std::exchange(is_woken, false) || ::poll(polls.data(), polls.size(), 0) > 0;
    const SteadyTime soonest = turned->steady + kAtOnce;
    const SteadyTime latest = turned->steady + std::chrono::seconds(30);
    if (has_news) return soonest;
    return std::clamp(watcher.next_time(*turned).value_or(latest), soonest, latest);
  }

  bool is_woken = false;
  std::optional<watch::Moment> turned;
  watch::Watcher watcher;
};

class WatcherTest : public testing::Test {
 public:
  WatcherTest() {
    std::filesystem::create_directories(hot());
    settings("");
  }
  ~WatcherTest() override { stop(); }

 protected:
  std::string hot() const { return folder_ / "hot"; }
  std::string in_hot(const std::string& name) const { return hot() + "/" + name; }
  void settings(const std::string& more) { folder_.write("hot/folder.yaml", kQuick + more); }
  void drop(const std::string& name, const std::string& text) {
    folder_.write("new/" + name, text);
    std::filesystem::rename(folder_ / "new/" + name, in_hot(name));
  }

  watch::WatcherOptions options() {
    watch::WatcherOptions options;
    options.folders = {hot()};
    options.state = folder_ / "state";
    options.worker_command = {"worker"};
    options.pauses = {std::chrono::milliseconds(20), std::chrono::milliseconds(30)};
    options.grace = std::chrono::milliseconds(300);
    options.finish_pause = std::chrono::milliseconds(300);
    options.machine = &machine_;
    return options;
  }

  void start() { start(options()); }
  void start(watch::WatcherOptions options) {
    turning_ = std::make_unique<Turning>(std::move(options));
  }
  void stop() {
    if (!turning_) return;
    watcher().stop(now());
    finish();
  }
  /// Until nothing is left to do.
  watch::WatchEnd run(watch::WatcherOptions options) {
    options.once = true;
    start(std::move(options));
    return finish();
  }
  watch::WatchEnd run_once() { return run(options()); }

  watch::Watcher& watcher() { return turning_->watcher; }
  watch::Moment now() const { return machine_.now(); }

  /// The time until something is due, and then a turn of each watcher.
  void turn() {
    std::vector<Turning*> all = others_;
    if (turning_) all.push_back(turning_.get());
    SteadyTime next = machine_.next_time().value_or(SteadyTime::max());
    for (Turning* one : all) next = std::min(next, one->due());
    const bool is_first = next == SteadyTime{};
    if (!is_first) {
      machine_.time.advance_to(std::max(next, now().steady + std::chrono::milliseconds(1)));
    }
    for (Turning* one : all) one->turn(now());
  }

  /// Takes turns until it holds. False when it does not in an hour of the machine.
  template <typename Condition>
  bool until(Condition condition) {
    const SteadyTime last = now().steady + std::chrono::hours(1);
    while (!condition()) {
      if (now().steady > last) return false;
      turn();
    }
    return true;
  }
  void pass(std::chrono::milliseconds time) {
    const SteadyTime end = now().steady + time;
    until([&] { return now().steady >= end; });
  }

  nlohmann::json query(const nlohmann::json& request) {
    return nlohmann::json::parse(watcher().answer(request.dump(), now()));
  }
  watch::WatchView view() { return watcher().view(now()); }
  /// The worker of the one job has said something.
  bool one_works() {
    const watch::WatchView seen = view();
    return seen.running.size() == 1 && seen.running[0].pixels > 0;
  }

  TempFolder folder_;
  FakeMachine machine_;
  std::unique_ptr<Turning> turning_;
  std::vector<Turning*> others_;  ///< that take turns as well
  watch::WatchEnd end_;

 private:
  watch::WatchEnd finish() {
    if (!until([&] { return watcher().is_over(now()); })) {
      throw std::runtime_error("the watcher has not ended in an hour");
    }
    end_ = watcher().end(now());
    last_view_ = watcher().view(now());
    turning_.reset();
    return end_;
  }

 protected:
  watch::WatchView last_view_;  ///< of the watcher that has ended
};

}  // namespace mezzo::test
