// When a hot folder is to be looked at or asked again, and whose turn it is.
#include "pipeline/watch/folder/watched_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "pipeline/steady_time.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test {
namespace {

using namespace std::chrono_literals;
using test::TempFolder;
using testing::ElementsAre;

constexpr const char* kQuick = "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\n";

class WatchedFolderTest : public testing::Test {
 protected:
  /// Until pages wait: after a look that took long, as on a busy machine, the next is due later.
  void look() {
    const auto end = SteadyClock::now() + 20s;
    for (int looks = 0; looks < 3 || (waiting().empty() && SteadyClock::now() < end); ++looks) {
      watched_.hint();
      std::this_thread::sleep_for(110ms);
      watched_.look_if_due(SteadyClock::now());
    }
  }
  std::vector<std::string> waiting() const {
    std::vector<std::string> names;
    for (const watch::WaitingJob& job : watched_.waiting()) names.push_back(job.name);
    return names;
  }

  TempFolder folder_;
  watch::FolderEvents events_;
  watch::WatchedFolder watched_{folder_.path(), 0, events_};
  WallTime wall_ = std::chrono::system_clock::now();
};

TEST_F(WatchedFolderTest, a_full_disk_is_asked_again_later_and_not_at_once) {
  folder_.write("folder.yaml", kQuick + std::string("reserve: 1000 TiB\n"));
  folder_.write("a.tif");
  look();
  ASSERT_THAT(waiting(), ElementsAre("a"));
  const auto now = SteadyClock::now();
  watched_.check_space(now);
  EXPECT_NE(watched_.blocked_reason(now, wall_), "");
  EXPECT_GT(watched_.next_open_time(now, wall_), now);
  // Nobody has asked meanwhile: all workers have been busy, or its hours are over.
  EXPECT_GT(watched_.next_open_time(now + 1min, wall_), now + 1min);
}

TEST_F(WatchedFolderTest, a_job_that_cannot_be_claimed_lets_others_go_first) {
  folder_.write("folder.yaml", kQuick + std::string("order: name\nreserve: 0\n"));
  for (const char* name : {"a.tif", "b.tif", "c.tif"}) folder_.write(name);
  look();
  ASSERT_THAT(waiting(), ElementsAre("a", "b", "c"));
  const watch::WaitingJob first = watched_.waiting().front();
  watched_.refuse("it cannot be moved", SteadyClock::now(), first);
  look();
  EXPECT_THAT(waiting(), ElementsAre("b", "c", "a"));
  std::filesystem::remove(folder_ / "a.tif");
  look();
  folder_.write("a.tif");
  look();
  EXPECT_THAT(waiting(), ElementsAre("a", "b", "c"));
}

}  // namespace
}  // namespace mezzo::test
