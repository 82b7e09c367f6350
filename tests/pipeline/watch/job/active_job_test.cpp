// A job that is stopped for two reasons at once.
#include "pipeline/watch/job/active_job.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

#include "pipeline/watch/folder/watched_folder.h"
#include "tests/pipeline/watch/job/failing_disk.h"
#include "tests/pipeline/watch/machine/fake_machine.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::active_job_test {
namespace {

using namespace std::chrono_literals;
using test::TempFolder;
using Phase = watch::ActiveJob::Phase;

/// A job that was claimed, of one page that says what its worker does.
class OneJob : public testing::Test {
 protected:
  OneJob(const std::string& page, const std::string& stall) {
    folder_.write(
        "hot/folder.yaml",
        "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\nstall: " + stall + "\n");
    folder_.write("hot/a.tif", page);
    std::filesystem::create_directories(context_.journals);
    for (int looks = 0; looks < 3; ++looks) {
      watched_.hint();
      watched_.look_if_due(after(110ms));
    }
    if (watched_.waiting().empty()) throw std::runtime_error("the page does not come to rest");
    job_.emplace(
        watched_.disk(), *watched_.disk().claim(watched_.waiting().front()), context_, now());
  }
  watch::Moment now() const { return machine_.now(); }
  /// The time, once so much of it has passed.
  watch::Moment after(SteadyClock::duration time) {
    machine_.time.advance(time);
    return now();
  }

  TempFolder folder_;
  watch::FolderEvents events_;
  FakeMachine machine_;
  watch::WatchedFolder watched_{folder_ / "hot", 0, events_, machine_};
  watch::JobHistory no_history_;
  watch::JobContext context_{.worker_command = {"worker"},
                             .journals = folder_ / "journals",
                             .grace = 1h,
                             .pauses = {1h},
                             .finish_pause = 1h,
                             .history = &no_history_,
                             .listener = nullptr,
                             .wake = {},
                             .machine = &machine_};
  std::optional<watch::ActiveJob> job_;
};

/// A job whose worker hangs, and was just found out to.
class StalledJob : public OneJob {
 protected:
  StalledJob() : OneJob("hang", "1 s") {
    job_->start(now());
    job_->advance(after(100ms));  // which reads its only line
    job_->advance(after(2s));
    EXPECT_EQ(job_->phase(), Phase::kRunning) << "its end is still to come";
  }
};

TEST_F(StalledJob, is_tried_again) {
  job_->advance(now());
  EXPECT_EQ(job_->phase(), Phase::kResting);
}

/// A job whose worker fails for what may pass.
class JobOnADisk : public OneJob {
 protected:
  JobOnADisk() : OneJob("io", "10 min") {}

  void run_once() {
    job_->start(now());
    job_->advance(after(5ms));
  }
  size_t tries() const {
    const auto job = std::filesystem::directory_iterator(folder_ / "hot/.work")->path();
    return static_cast<size_t>(std::count_if(
        std::filesystem::directory_iterator(job),
        std::filesystem::directory_iterator(),
        [](const auto& one) { return one.path().filename().string().starts_with("try-"); }));
  }
};

TEST_F(JobOnADisk, uses_up_no_try_while_the_disk_takes_nothing) {
  FailingDisk disk;
  machine_.calls = &disk;
  disk.fail(FailingDisk::Call::kOpen, EROFS);
  for (int i = 0; i < 5; ++i) run_once();
  EXPECT_EQ(job_->phase(), Phase::kResting);
  EXPECT_TRUE(job_->lacks_process());
  EXPECT_EQ(tries(), 0U);
  disk.fail(FailingDisk::Call::kNone, 0);
  run_once();
  EXPECT_EQ(tries(), 1U) << "then it is the job's own trouble";
}

TEST_F(StalledJob, says_when_there_is_no_process_for_it) {
  job_->advance(now());
  EXPECT_FALSE(job_->lacks_process());
  machine_.has_process = false;
  job_->start(now());
  EXPECT_EQ(job_->phase(), Phase::kResting);
  EXPECT_TRUE(job_->lacks_process());
  machine_.has_process = true;
  job_->start(now());
  EXPECT_EQ(job_->phase(), Phase::kRunning);
  EXPECT_FALSE(job_->lacks_process());
}

TEST_F(StalledJob, counts_no_try_without_a_descriptor_for_its_worker) {
  job_->advance(now());
  const uint32_t before = job_->view(now()).tries;
  machine_.cannot_run = "no descriptor for a worker: Too many open files";
  job_->start(now());
  job_->advance(now());
  EXPECT_TRUE(job_->lacks_process());
  EXPECT_EQ(job_->view(now()).tries, before);
  EXPECT_NE(job_->view(now()).message.find("Too many open files"), std::string::npos);
}

TEST_F(StalledJob, is_suspended_when_the_watcher_stops) {
  job_->suspend(now());
  job_->advance(now());
  EXPECT_EQ(job_->phase(), Phase::kOver);
  EXPECT_FALSE(job_->ended());
}

TEST_F(StalledJob, is_cancelled_all_the_same) {
  job_->cancel(now());
  job_->advance(now());
  ASSERT_EQ(job_->phase(), Phase::kOver);
  ASSERT_TRUE(job_->ended());
  EXPECT_EQ(job_->ended()->state, watch::JobState::kCancelled);
}

TEST_F(StalledJob, is_shown_as_it_was_entered_before_its_watcher_died) {
  const std::string id = job_->id();
  job_.reset();
  watch::JobHistory history(folder_ / "state");
  watch::StoredJob done;
  done.view.id = id;
  done.view.state = watch::JobState::kDone;
  done.view.plates = {{"K", "/a.tif", 12.5}};
  history.enter(done);
  context_.history = &history;
  watched_.disk().search_work();
  std::vector<watch::ClaimedJob> left = watched_.disk().take_orphaned(10);
  ASSERT_EQ(left.size(), 1U);
  job_.emplace(watched_.disk(), std::move(left.front()), context_, now());
  job_->advance(now());
  ASSERT_EQ(job_->phase(), Phase::kOver);
  EXPECT_EQ(job_->ended()->state, watch::JobState::kDone);
  EXPECT_EQ(job_->ended()->plates.size(), 1U);
  EXPECT_EQ(history.store()->find(id)->view.plates.size(), 1U);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "hot/done/a.tif"));
}

}  // namespace
}  // namespace mezzo::test::active_job_test
