#include "pipeline/watch/service/control_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <thread>

#include "kernels/base/error.h"
#include "pipeline/steady_time.h"
#include "pipeline/watch/service/call_queue.h"
#include "pipeline/watch/service/service_status.h"
#include "pipeline/watch/view/watch_requests.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::control_server_test {
namespace {

using namespace std::chrono_literals;
using test::TempFolder;
using testing::HasSubstr;

constexpr SteadyTime kNow(1h);

/// Serves in a thread until the end of the test; answers with the request in brackets.
class Serving {
 public:
  explicit Serving(const std::string& path) : server_(path), thread_([this] { serve(); }) {}
  ~Serving() {
    stop_ = true;
    stops_.wake();
    thread_.join();
  }

 private:
  void serve() {
    while (!stop_) {
      std::vector<pollfd> polls = {{.fd = stops_.fd(), .events = POLLIN, .revents = 0}};
      server_.add_polls(polls);
      ::poll(polls.data(), polls.size(), -1);
      server_.serve(kNow, [](const std::string& line) { return "[" + line + "]"; });
    }
  }

  watch::ControlServer server_;
  std::atomic<bool> stop_{false};
  watch::Wakeup stops_;
  std::thread thread_;
};

int connect_to(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path.c_str());
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  EXPECT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  const timeval patience{600, 0};  // for a server that hangs
  ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  return fd;
}

std::string read_all(int fd) {
  std::string text;
  char buffer[4096];
  for (ssize_t got; (got = ::recv(fd, buffer, sizeof buffer, 0)) > 0;) {
    text.append(buffer, static_cast<size_t>(got));
  }
  return text;
}

TEST(ControlServer, answers_its_owner_alone) {
  const TempFolder folder;
  const std::string path = folder / "run/watch.sock";
  const Serving serving(path);
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  EXPECT_EQ(watch::query_watcher(path, "one"), "[one]");
  EXPECT_EQ(watch::query_watcher(path, "two"), "[two]");
}

TEST(ControlServer, answers_who_has_hung_up_the_asking_side) {
  const TempFolder folder;
  const Serving serving(folder / "s");
  const int fd = connect_to(folder / "s");
  ASSERT_EQ(::send(fd, "a\nb\nc", 5, 0), 5);
  ::shutdown(fd, SHUT_WR);
  EXPECT_EQ(read_all(fd), "[a]\n[b]\n[c]\n");
  ::close(fd);
}

TEST(ControlServer, drops_who_sends_too_long_a_line) {
  const TempFolder folder;
  const Serving serving(folder / "s");
  const int fd = connect_to(folder / "s");
  const std::string line(40'000, 'x');
  errno = 0;
  ::send(fd, (line + "\n").data(), line.size() + 1, MSG_NOSIGNAL);
  char reply = 0;
  EXPECT_LE(::recv(fd, &reply, 1, 0), 0);
  EXPECT_NE(errno, EAGAIN);  // it was hung up, and not just left waiting
  ::close(fd);
  EXPECT_EQ(watch::query_watcher(folder / "s", "still there"), "[still there]");
}

TEST(ControlServer, drops_who_left_before_the_reply) {
  const TempFolder folder;
  watch::ControlServer server(folder / "s");
  const auto serve = [&] {
    server.serve(kNow, [](const std::string&) { return std::string(2 << 20, 'x'); });
  };
  const int fd = connect_to(folder / "s");
  ASSERT_EQ(::send(fd, "a\n", 2, 0), 2);
  serve();
  std::vector<pollfd> polls;
  server.add_polls(polls);
  ASSERT_EQ(polls.size(), 2U);
  ::close(fd);
  serve();
  polls.clear();
  server.add_polls(polls);
  EXPECT_EQ(polls.size(), 1U);  // else poll() returned at once, again and again
}

TEST(ControlServer, is_one_a_path) {
  const TempFolder folder;
  {
    const watch::ControlServer first(folder / "s");
    EXPECT_THROW(watch::ControlServer second(folder / "s"), Error);
  }
  folder.write("not a socket");
  EXPECT_THROW(watch::ControlServer other(folder / "not a socket"), Error);
  const watch::ControlServer again(folder / "s");
  EXPECT_THROW(watch::ControlServer long_one(folder / std::string(200, 'x')), Error);
}

TEST(ControlServer, says_when_no_watcher_runs) {
  const TempFolder folder;
  try {
    watch::query_watcher(folder / "none", "x");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kMissing);
    EXPECT_THAT(error.what(), HasSubstr("no watcher is running"));
  }
}

TEST(WatchRequests, refuse_what_they_do_not_know) {
  const watch::WatchVerbs verbs{
      .list = [] { return watch::WatchView(); },
      .page = [] { return std::string(); },
      .change =
          [](const std::string& verb, const std::string& name) {
            return verb == "cancel" ? std::string("no") : verb == "pause" ? name : std::string();
          }};
  for (const char* bad : {"",
                          "x",
                          "[]",
                          "{}",
                          R"({"verb":1})",
                          R"({"verb":"list","job":2})",
                          R"({"verb":"retry"})",
                          R"({"verb":"cancel","job":"1"})",
                          R"({"verb":"pause","folder":"/f"})",
                          "{\"verb\":\"\xFF\"}"}) {
    EXPECT_THAT(watch::answer_request(bad, verbs, WallTime()), HasSubstr(R"("ok":false)")) << bad;
  }
  for (const char* good :
       {R"({"verb":"list"})", R"({"verb":"retry","job":"1"})", R"({"verb":"resume"})"}) {
    EXPECT_THAT(watch::answer_request(good, verbs, WallTime()), HasSubstr(R"("ok":true)")) << good;
  }
}

TEST(ServiceStatus, reaches_the_manager) {
  const TempFolder folder;
  const std::string path = folder / "notify";
  const int fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strcpy(address.sun_path, path.c_str());
  ASSERT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  ::setenv("NOTIFY_SOCKET", path.c_str(), 1);
  watch::ServiceStatus().set_ready();
  ::unsetenv("NOTIFY_SOCKET");
  char buffer[64] = {};
  EXPECT_EQ(::recv(fd, buffer, sizeof buffer, MSG_DONTWAIT), 7);
  EXPECT_STREQ(buffer, "READY=1");
  ::close(fd);
  watch::ServiceStatus().set_ready();  // nobody is there: nothing happens

  ::setenv("WATCHDOG_USEC", "30000000", 1);
  const SteadyTime now = kNow;
  watch::ServiceStatus status;
  status.keep_alive(now);
  EXPECT_EQ(status.next_time(), now + 15s);
  ::setenv("WATCHDOG_PID", "1", 1);
  EXPECT_EQ(watch::ServiceStatus().next_time(), std::nullopt);
  ::unsetenv("WATCHDOG_PID");
  ::unsetenv("WATCHDOG_USEC");
  EXPECT_EQ(watch::ServiceStatus().next_time(), std::nullopt);
}

}  // namespace
}  // namespace mezzo::test::control_server_test
