// A watcher on a hot folder of its own, with a worker that behaves as it is told.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "pipeline/watch/service/watcher.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test {

inline std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A file is complete after 100 ms.
inline constexpr const char* kQuick =
    "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\nreserve: 0\n";

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
    options.worker_command = {MEZZOTINT_FAKE_WORKER};
    options.pauses = {std::chrono::milliseconds(20), std::chrono::milliseconds(30)};
    options.grace = std::chrono::milliseconds(300);
    options.finish_pause = std::chrono::milliseconds(300);
    return options;
  }

  void start() { start(options()); }
  void start(watch::WatcherOptions options) {
    watcher_ = std::make_unique<watch::Watcher>(std::move(options));
    thread_ = std::thread([this] { end_ = watcher_->run(); });
  }
  void stop() {
    if (watcher_) watcher_->stop();
    if (thread_.joinable()) thread_.join();
    watcher_.reset();
  }
  watch::WatchEnd run_once() {
    auto once = options();
    once.once = true;
    return watch::Watcher(once).run();
  }

  /// False when it does not come to be in 10 s: a watcher that nothing wakes turns every 30 s.
  template <typename Condition>
  static bool wait_for(Condition condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!condition()) {
      if (std::chrono::steady_clock::now() > end) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
  }
  nlohmann::json query(const nlohmann::json& request) {
    return nlohmann::json::parse(watcher_->request(request.dump()));
  }
  watch::WatchView view() { return watcher_->view(); }
  /// The worker of the one job has said something.
  bool one_works() {
    const watch::WatchView now = view();
    return now.running.size() == 1 && now.running[0].pixels > 0;
  }

  TempFolder folder_;
  std::unique_ptr<watch::Watcher> watcher_;
  std::thread thread_;
  watch::WatchEnd end_;
};

}  // namespace mezzo::test
