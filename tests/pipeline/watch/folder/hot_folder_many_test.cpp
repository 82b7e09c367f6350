// Many files: two watchers share them without one being done twice, killed or not, and a look at
// 20,000 stays quick.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ctime>
#include <map>
#include <set>

#include "kernels/base/error.h"
#include "tests/pipeline/watch/folder/hot_folder_support.h"

namespace mezzo::test {
namespace {

/// A watcher in a process of its own, that does all jobs and writes the name of each to a file.
pid_t start_watcher(const std::string& path, const std::string& log) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  try {
    QuickCalls calls;
    watch::HotFolder hot(path, calls);
    std::ofstream done(log, std::ios::app);
    for (watch::ClaimedJob& job : take_all_orphaned(hot)) {
      done << job.name << std::endl;
      hot.work().finish(std::move(job), watch::WorkEnd::kDone, "");
    }
    for (int minute = 0; minute < 3; ++minute) {
      do {
        hot.look(std::chrono::steady_clock::time_point(std::chrono::minutes(minute)));
      } while (hot.is_looking());
      for (const watch::WaitingJob& waiting : std::vector<watch::WaitingJob>(hot.waiting())) {
        std::optional<watch::ClaimedJob> job = hot.claim(waiting);
        if (!job) continue;
        done << job->name << std::endl;
        hot.work().finish(std::move(*job), watch::WorkEnd::kDone, "");
      }
    }
  } catch (const std::exception&) {
    ::_exit(1);
  }
  ::_exit(0);
}

std::map<std::string, int> lines_of(const std::vector<std::string>& logs) {
  std::map<std::string, int> count;
  for (const std::string& log : logs) {
    std::ifstream file(log);
    for (std::string line; std::getline(file, line);) ++count[line];
  }
  return count;
}

constexpr int kFiles = 2'000;

void drop_many(const TempFolder& folder, int files) {
  for (int i = 0; i < files; ++i) {
    std::ofstream(folder / ("page_" + std::to_string(i) + ".tif")) << i;
  }
}

TEST(HotFolderMany, OfTwoWatchersOneGetsEachJob) {
  TempFolder folder;
  TempFolder logs;
  drop_many(folder, kFiles);
  const pid_t first = start_watcher(folder.path(), logs / "1");
  const pid_t second = start_watcher(folder.path(), logs / "2");
  for (const pid_t child : {first, second}) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  const auto done = lines_of({logs / "1", logs / "2"});
  EXPECT_EQ(done.size(), static_cast<size_t>(kFiles));
  for (const auto& [name, times] : done) EXPECT_EQ(times, 1) << name;
  EXPECT_EQ(names_in(folder / "done").size(), static_cast<size_t>(kFiles));
  EXPECT_TRUE(names_in(folder / ".work").empty());
}

TEST(HotFolderMany, KilledWatchersLoseNothing) {
  TempFolder folder;
  TempFolder logs;
  constexpr int kFew = 500;
  drop_many(folder, kFew);
  for (int kill = 0; kill < 25; ++kill) {
    const pid_t child = start_watcher(folder.path(), logs / "1");
    ASSERT_GT(child, 0);
    ::usleep(static_cast<useconds_t>(5'000 + kill * 1'700));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
  }
  const pid_t last = start_watcher(folder.path(), logs / "1");
  int status = 0;
  ASSERT_EQ(::waitpid(last, &status, 0), last);
  EXPECT_EQ(status, 0);
  std::set<std::string> contents;
  for (const std::string& name : names_in(folder / "done")) {
    contents.insert(read(folder / ("done/" + name)));
  }
  EXPECT_EQ(contents.size(), static_cast<size_t>(kFew));
  EXPECT_EQ(names_in(folder / "done").size(), static_cast<size_t>(kFew));
  EXPECT_TRUE(names_in(folder / ".work").empty());
}

/// Of this process, so that others on the machine do not count.
double processor_ms() {
  return static_cast<double>(std::clock()) * 1000 / CLOCKS_PER_SEC;
}

TEST(HotFolderMany, LooksQuicklyAtTwentyThousand) {
  Scene scene;
  drop_many(scene.folder, 20'000);
  scene.look_until_complete();
  ASSERT_EQ(scene.hot.waiting().size(), 20'000U);
  const double begin = processor_ms();
  scene.look_after(2000);
  const double look = processor_ms() - begin;
  const double claim_begin = processor_ms();
  for (int i = 0; i < 100; ++i) {
    auto job = scene.hot.claim(scene.hot.waiting()[static_cast<size_t>(i)]);
    ASSERT_TRUE(job.has_value());
    scene.hot.work().finish(std::move(*job), watch::WorkEnd::kDone, "");
  }
  const double claims = (processor_ms() - claim_begin) / 100;
  std::printf("look: %.1f ms; claim and finish: %.2f ms\n", look, claims);
  // Ten times what it takes on a quiet machine, so that only a change of order is seen.
  EXPECT_LT(look, 1'000);
}

TEST(HotFolderMany, LooksInPartsAtWhatTakesLong) {
  Scene scene;
  std::string ticket = "mezzotint: 1\njob: order\npages:\n";
  for (int page = 0; page < 3'000; ++page) ticket += "- p" + std::to_string(page) + ".tif\n";
  constexpr int kTickets = 50;
  for (int i = 0; i < kTickets; ++i) scene.folder.write("t" + std::to_string(i) + ".yaml", ticket);
  int parts = 0;
  do {
    scene.hot.look(scene.at(0));
    ++parts;
  } while (scene.hot.is_looking());
  EXPECT_GT(parts, 1);
  EXPECT_EQ(scene.hot.arriving(), size_t{kTickets});
}

TEST(HotFolderMany, AreTooManyForOneFolder) {
  Scene scene;
  drop_many(scene.folder, 100'001);
  EXPECT_THROW(scene.hot.look(scene.at(0)), Error);
  EXPECT_FALSE(scene.hot.is_looking());
}

}  // namespace
}  // namespace mezzo::test
