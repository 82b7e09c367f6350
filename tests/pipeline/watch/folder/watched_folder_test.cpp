// When a hot folder is to be looked at or asked again, and whose turn it is.
#include "pipeline/watch/folder/watched_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/pipeline/watch/machine/fake_machine.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::watched_folder_test {
namespace {

using namespace std::chrono_literals;
using test::TempFolder;
using testing::ElementsAre;

constexpr const char* kQuick = "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\n";

class WatchedFolderTest : public testing::Test {
 protected:
  void look() {
    for (int looks = 0; looks < 3; ++looks) {
      watched_.hint();
      machine_.time.advance(110ms);
      watched_.look_if_due(machine_.now());
    }
  }
  std::vector<std::string> waiting() const {
    std::vector<std::string> names;
    for (const watch::WaitingJob& job : watched_.waiting()) names.push_back(job.name);
    return names;
  }

  TempFolder folder_;
  FakeMachine machine_;
  watch::FolderEvents events_;
  watch::WatchedFolder watched_{folder_.path(), 0, events_, machine_};
};

TEST_F(WatchedFolderTest, a_full_disk_is_asked_again_later_and_not_at_once) {
  folder_.write("folder.yaml", kQuick + std::string("reserve: 1000 TiB\n"));
  folder_.write("a.tif");
  look();
  ASSERT_THAT(waiting(), ElementsAre("a"));
  watched_.check_space(machine_.now());
  EXPECT_NE(watched_.blocked_reason(machine_.now()), "");
  EXPECT_GT(watched_.next_open_time(machine_.now()), machine_.now().steady);
  // Nobody has asked meanwhile: all workers have been busy, or its hours are over.
  machine_.time.advance(1min);
  EXPECT_GT(watched_.next_open_time(machine_.now()), machine_.now().steady);
}

TEST_F(WatchedFolderTest, a_job_that_cannot_be_claimed_lets_others_go_first) {
  folder_.write("folder.yaml", kQuick + std::string("order: name\nreserve: 0\n"));
  for (const char* name : {"a.tif", "b.tif", "c.tif"}) folder_.write(name);
  look();
  ASSERT_THAT(waiting(), ElementsAre("a", "b", "c"));
  const watch::WaitingJob first = watched_.waiting().front();
  watched_.refuse("it cannot be moved", machine_.now(), first);
  look();
  EXPECT_THAT(waiting(), ElementsAre("b", "c", "a"));
  std::filesystem::remove(folder_ / "a.tif");
  look();
  folder_.write("a.tif");
  look();
  EXPECT_THAT(waiting(), ElementsAre("a", "b", "c"));
}

}  // namespace
}  // namespace mezzo::test::watched_folder_test
