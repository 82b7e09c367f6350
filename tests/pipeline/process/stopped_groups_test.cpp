#include "pipeline/process/stopped_groups.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>

#include "pipeline/process/worker_process.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::stopped_groups_test {
namespace {

/// Soon in this state, as in /proc/PID/stat: 'T' for one that stands still.
bool comes_to(pid_t pid, char state) {
  for (int i = 0; i < 500; ++i) {
    std::ifstream file(fmt::format("/proc/{}/stat", pid));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.at(text.rfind(')') + 2) == state) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

class StoppedGroups : public testing::Test {
 protected:
  StoppedGroups() { worker.signal(SIGSTOP); }
  TempFolder folder;
  const std::string file = folder / "journals/stopped";
  process::WorkerProcess worker{{"/bin/sleep", "100"}};
};

TEST_F(StoppedGroups, are_woken_by_the_process_after_one_that_was_killed) {
  ASSERT_TRUE(comes_to(worker.pid(), 'T'));
  process::StoppedGroups killed(file);
  killed.set({worker.pid()});
  const process::StoppedGroups next(file);
  EXPECT_TRUE(comes_to(worker.pid(), 'S'));
}

TEST_F(StoppedGroups, are_not_taken_for_others_of_their_number) {
  ASSERT_TRUE(comes_to(worker.pid(), 'T'));
  folder.write("journals/stopped", fmt::format("{} 1\n1 1\n0 0\n-1 x\n", worker.pid()));
  const process::StoppedGroups next(file);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(comes_to(worker.pid(), 'T'));
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
