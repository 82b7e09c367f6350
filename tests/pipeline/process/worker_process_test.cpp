// A worker that is a process: its end, and the ways in which it cannot be started.
#include "pipeline/process/worker_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <string_view>
#include <vector>

#include "kernels/base/error.h"

namespace mezzo::test::worker_process_test {
namespace {

using testing::HasSubstr;

constexpr SteadyTime kNow(std::chrono::hours(1));

/// Waits for the end of the worker, and reads all that it says.
process::WorkerEnd end_of(process::Worker& worker) {
  for (;;) {
    const auto ignore = [](std::string_view) {};
    worker.read_results(ignore);
    worker.read_messages(ignore);
    if (const auto end = worker.finished(kNow)) return *end;
    std::vector<pollfd> polls;
    worker.add_polls(polls);
    ::poll(polls.data(), polls.size(), -1);
  }
}

/// Descriptors are few while it lives: so many, and those that are open.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t more) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const int next = ::dup(0);
    ::close(next);
    const rlimit few{.rlim_cur = static_cast<rlim_t>(next) + more, .rlim_max = before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

TEST(WorkerProcess, tells_how_it_ended) {
  process::WorkerProcess good({"/bin/sh", "-c", "exit 7"});
  EXPECT_FALSE(good.finished_by());
  EXPECT_EQ(end_of(good).exit_status, 7);
  EXPECT_EQ(good.finished_by(), kNow + std::chrono::seconds(1));
  process::WorkerProcess killed({"/bin/sleep", "1000"});
  killed.signal(SIGKILL);
  EXPECT_EQ(end_of(killed).signal, SIGKILL);
}

TEST(WorkerProcess, says_that_its_program_cannot_be_run) {
  process::WorkerProcess worker({"/nonexistent/worker"});
  EXPECT_EQ(end_of(worker).exit_status, process::kCannotRun);
  EXPECT_THAT(worker.last_messages().back(), HasSubstr("/nonexistent/worker: No such file"));
}

TEST(WorkerProcess, is_not_started_without_descriptors) {
  const FewDescriptors none(0);
  try {
    const process::WorkerProcess worker({"/bin/true"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kOutOfMemory);
  }
}

TEST(WorkerProcess, says_that_it_has_no_descriptor_itself) {
  // For the pipes, but not for one more in the worker.
  const FewDescriptors four(4);
  process::WorkerProcess worker({"/bin/true"});
  EXPECT_EQ(end_of(worker).exit_status, process::kCannotRun);
  EXPECT_THAT(worker.last_messages().back(), HasSubstr("Too many open files"));
}

}  // namespace
}  // namespace mezzo::test::worker_process_test
