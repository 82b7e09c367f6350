#include "pipeline/process/stopped_groups.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "pipeline/process/worker_process.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::stopped_groups_test {
namespace {

/// Whether a process stands still. SIGCONT ends that before kill(2) returns.
bool is_stopped(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.at(text.rfind(')') + 2) == 'T';
}

/// Waits until a child stands still.
void wait_until_stopped(pid_t pid) {
  siginfo_t news{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(pid), &news, WSTOPPED | WNOWAIT), 0);
  ASSERT_TRUE(is_stopped(pid));
}

class StoppedGroups : public testing::Test {
 protected:
  StoppedGroups() {
    worker.signal(SIGSTOP);
    wait_until_stopped(worker.pid());
  }
  TempFolder folder;
  const std::string file = folder / "journals/stopped";
  process::WorkerProcess worker{{"/bin/sleep", "100"}};
};

TEST_F(StoppedGroups, are_woken_by_the_process_after_one_that_was_killed) {
  process::StoppedGroups killed(file);
  killed.set({worker.pid()});
  const process::StoppedGroups next(file);
  EXPECT_FALSE(is_stopped(worker.pid()));
}

TEST_F(StoppedGroups, are_not_taken_for_others_of_their_number) {
  folder.write("journals/stopped", fmt::format("{} 1\n1 1\n0 0\n-1 x\n", worker.pid()));
  const process::StoppedGroups next(file);
  EXPECT_TRUE(is_stopped(worker.pid()));
}

TEST_F(StoppedGroups, leave_no_file_when_none_stands_still) {
  process::StoppedGroups groups(file);
  groups.set({worker.pid()});
  EXPECT_TRUE(std::filesystem::exists(file));
  groups.set({});
  EXPECT_FALSE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace mezzo::test::stopped_groups_test
