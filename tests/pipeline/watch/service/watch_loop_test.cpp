// The watcher end to end: its loop, with real processes, threads and time. Tests wait for events, never for
// a fixed time.
#include "pipeline/watch/service/watch_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "pipeline/log/log.h"
#include "tests/pipeline/watch/service/watcher_support.h"

namespace mezzo::test::watch_loop_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class WatchLoopTest : public testing::Test {
 public:
  WatchLoopTest() { settings(""); }

 protected:
  std::string in_hot(const std::string& name) const { return folder_ / ("hot/" + name); }
  void settings(const std::string& more) { folder_.write("hot/folder.yaml", kQuick + more); }
  void drop(const std::string& name, const std::string& text) {
    folder_.write("new/" + name, text);
    fs::rename(folder_ / ("new/" + name), in_hot(name));
  }
  /// With `once`.
  watch::WatcherOptions options(const std::string& state = "state") const {
    watch::WatcherOptions options;
    options.folders = {folder_ / "hot"};
    options.state = folder_ / state;
    options.once = true;
    options.worker_command = {MEZZOTINT_FAKE_WORKER};
    options.pauses = {20ms, 30ms};
    return options;
  }
  watch::WatchEnd run_once() const { return watch::WatchLoop(options()).run(); }

  TempFolder folder_;
};

TEST_F(WatchLoopTest, jobs_that_fail_hold_nothing_up) {
  settings("tries: 2\n");
  for (const char* how : {"bad", "many", "manifest", "crash", "io", "silent", "busy 9"}) {
    drop(std::string(how).substr(0, 4) + ".tif", how);
  }
  for (const char* how : {"good", "flood", "garbage", "leave", "busy 1"}) {
    drop(std::string(how).substr(0, 4) + "-passes.tif", how);
  }
  const watch::WatchEnd end = run_once();
  EXPECT_EQ(end.failed, 7U);
  for (const char* name : {"good", "floo", "garb", "leav", "busy"}) {
    EXPECT_TRUE(fs::exists(in_hot("done/" + std::string(name) + "-passes.tif"))) << name;
  }
  const auto reason = [this](const std::string& name) {
    EXPECT_TRUE(fs::exists(in_hot("failed/" + name + ".tif"))) << name;
    return text_of(in_hot("failed/" + name + ".tif.error.txt"));
  };
  EXPECT_THAT(reason("bad"), HasSubstr("bad.tif: the strip is not right"));
  EXPECT_THAT(reason("bad"), Not(HasSubstr(".work")));
  EXPECT_THAT(reason("bad"), HasSubstr("not right\nMake it right.\nTo try again, drop the files"));
  EXPECT_THAT(reason("bad"), Not(HasSubstr("tried ")));
  EXPECT_THAT(reason("many"),
              HasSubstr("one is not right; two is not right; three is not right; and 2 more"));
  EXPECT_THAT(reason("mani"), StartsWith("no such key\nPut this right"));
  EXPECT_THAT(reason("cras"), HasSubstr("killed by signal 11 (Segmentation fault)"));
  EXPECT_THAT(reason("cras"), HasSubstr("core limit 0; tried 2 times"));
  EXPECT_THAT(reason("io"), HasSubstr("the disk is not right; tried 2 times"));
  EXPECT_THAT(reason("sile"), HasSubstr("ended without an outcome"));
  EXPECT_THAT(reason("busy"), HasSubstr("no memory is left; tried 2 times"));
  EXPECT_TRUE(fs::is_empty(in_hot(".work")));
}

TEST_F(WatchLoopTest, several_watchers_share_a_folder) {
  for (int i = 0; i < 40; ++i) drop("p" + std::to_string(i) + ".tif", "good");
  std::vector<std::thread> threads;
  for (const char* state : {"one", "two"}) {
    threads.emplace_back(
        [this, state] { EXPECT_EQ(watch::WatchLoop(options(state)).run().failed, 0U); });
  }
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(text_of(in_hot("plates/p" + std::to_string(i) + ".tif.plate")), "good\n") << i;
  }
}

TEST_F(WatchLoopTest, workers_are_waited_for_where_their_ends_are_ignored) {
  struct sigaction before {};
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGCHLD, &ignore, &before);
  drop("a.tif", "good");
  EXPECT_EQ(run_once().failed, 0U);
  EXPECT_TRUE(fs::exists(in_hot("done/a.tif")));
  ::sigaction(SIGCHLD, &before, nullptr);
}

/// Runs the loop in a thread, with signals as a descriptor, as the program has them, and stands in for the
/// service manager, which is told of each state (sd_notify).
class WatchLoopSignals : public WatchLoopTest {
 public:
  WatchLoopSignals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : {SIGTERM, SIGHUP}) sigaddset(&signals, number);
    ::pthread_sigmask(SIG_BLOCK, &signals, &before_);
    signals_ = ::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, (folder_ / "notify").c_str());
    manager_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    EXPECT_EQ(::bind(manager_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    ::setenv("NOTIFY_SOCKET", address.sun_path, 1);
  }
  ~WatchLoopSignals() override {
    if (thread_.joinable()) {
      loop_->stop();
      thread_.join();
    }
    ::unsetenv("NOTIFY_SOCKET");
    ::close(manager_);
    ::close(signals_);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 protected:
  void start(std::chrono::milliseconds grace) {
    auto watcher = options();
    watcher.once = false;
    watcher.grace = grace;
    loop_.emplace(watcher, watch::LoopOptions{.signals = signals_});
    thread_ = std::thread([this] { end_ = loop_->run(); });
  }
  /// Waits until the manager is told something with this in it.
  void await(const std::string& part) const {
    std::string told;
    while (told.find(part) == std::string::npos) {
      told.resize(1024);
      const ssize_t got = ::recv(manager_, told.data(), told.size(), 0);
      ASSERT_GT(got, 0);
      told.resize(static_cast<size_t>(got));
    }
  }

  sigset_t before_{};
  int signals_ = -1;
  int manager_ = -1;
  std::optional<watch::WatchLoop> loop_;
  std::thread thread_;
  watch::WatchEnd end_;
};

/// Waits for a line of the log, which has no others meanwhile.
class AwaitedLine {
 public:
  explicit AwaitedLine(std::string part)
      : before_(log::set_sink([this, part = std::move(part)](log::Level, std::string_view line) {
          if (line.find(part) != std::string_view::npos && !has_come_.exchange(true)) {
            came_.set_value();
          }
        })) {}
  ~AwaitedLine() { log::set_sink(before_); }
  AwaitedLine(const AwaitedLine&) = delete;
  AwaitedLine& operator=(const AwaitedLine&) = delete;

  void wait() { came_.get_future().wait(); }

 private:
  std::atomic<bool> has_come_{false};
  std::promise<void> came_;
  const log::Sink before_;
};

TEST_F(WatchLoopSignals, answer_calls_and_sighup_reads_the_settings_again) {
  settings("poll: true\nscan: 1 h\n");
  EXPECT_FALSE(watch::WatchLoop(options()).view().ready) << "not before it runs";
  start(1s);
  await("READY=1");
  EXPECT_TRUE(loop_->view().ready);
  settings("poll: perhaps\n");
  EXPECT_EQ(loop_->view().folders[0].trouble, "") << "nobody has said so";
  {
    AwaitedLine line("folder.yaml is not used until");
    ::kill(::getpid(), SIGHUP);
    line.wait();
  }
  EXPECT_NE(loop_->view().folders[0].trouble, "");
  const auto reply = nlohmann::json::parse(loop_->request(R"({"verb":"pause"})"));
  EXPECT_EQ(reply["ok"], true);
  EXPECT_TRUE(loop_->view().folders[0].paused);
  ::kill(::getpid(), SIGTERM);
  thread_.join();
  EXPECT_EQ(end_.second_signal, 0);
  EXPECT_THAT(loop_->request(R"({"verb":"resume"})"), HasSubstr("is not running"));
  EXPECT_TRUE(loop_->view().stopping) << "the last view stays";
}

TEST_F(WatchLoopSignals, a_second_signal_ends_it_at_once) {
  const std::string begun = folder_ / "begun";
  ASSERT_EQ(::mkfifo(begun.c_str(), 0600), 0);
  drop("a.tif", "hang " + begun);
  start(1h);
  EXPECT_EQ(text_of(begun), "");  // its worker ignores SIGTERM by now
  ::kill(::getpid(), SIGTERM);
  await("stopping; 1 running");
  EXPECT_EQ(loop_->view().running.size(), 1U);
  ::kill(::getpid(), SIGTERM);
  thread_.join();
  EXPECT_EQ(end_.second_signal, SIGTERM);
  EXPECT_TRUE(fs::exists(in_hot(".work")));
  EXPECT_EQ(end_.failed, 0U);
}

}  // namespace
}  // namespace mezzo::test::watch_loop_test
