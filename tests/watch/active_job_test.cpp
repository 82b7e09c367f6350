// A job that is stopped for two reasons at once.
#include "pipeline/watch/active_job.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <thread>

#include "tests/support/temp_folder.h"

namespace mezzo {
namespace {

using namespace std::chrono_literals;
using test::TempFolder;
using Phase = ActiveJob::Phase;

/// A job whose worker hangs, and was just found out to.
class StalledJob : public testing::Test {
 protected:
  StalledJob() {
    folder_.write("hot/folder.yaml",
                  "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\nstall: 1 s\n");
    folder_.write("hot/a.tif", "hang");
    std::filesystem::create_directories(around_.journals);
    for (int looks = 0; looks < 3; ++looks) {
      watched_.hint();
      std::this_thread::sleep_for(110ms);
      watched_.look_if_due(Clock::now());
    }
    const auto now = Clock::now();
    job_.emplace(watched_, *watched_.disk().claim(watched_.waiting().front()), around_);
    job_->start(now);
    job_->advance(now + 2s);
  }
  void wait_for_worker() {
    for (int turn = 0; turn < 1000 && job_->phase() == Phase::kRunning; ++turn) {
      std::this_thread::sleep_for(5ms);
      job_->advance(Clock::now() + 2s);
    }
  }

  using Clock = ActiveJob::Clock;
  TempFolder folder_;
  FolderEvents events_;
  WatchedFolder watched_{folder_ / "hot", 0, events_};
  JobSurroundings around_{.worker_command = {MEZZOTINT_FAKE_WORKER},
                          .journals = folder_ / "journals",
                          .grace = 1h,
                          .pauses = {1h},
                          .store = nullptr,
                          .listener = nullptr,
                          .wake = {}};
  std::optional<ActiveJob> job_;
};

TEST_F(StalledJob, is_tried_again) {
  wait_for_worker();
  EXPECT_EQ(job_->phase(), Phase::kResting);
}

TEST_F(StalledJob, is_put_off_when_the_watcher_stops) {
  job_->put_off(Clock::now());
  wait_for_worker();
  EXPECT_EQ(job_->phase(), Phase::kOver);
  EXPECT_FALSE(job_->ended());
}

TEST_F(StalledJob, is_cancelled_all_the_same) {
  job_->cancel(Clock::now());
  wait_for_worker();
  ASSERT_EQ(job_->phase(), Phase::kOver);
  ASSERT_TRUE(job_->ended());
  EXPECT_EQ(job_->ended()->state, JobState::kCancelled);
}

}  // namespace
}  // namespace mezzo
