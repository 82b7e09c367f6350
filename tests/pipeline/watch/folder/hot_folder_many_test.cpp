// Many files: two watchers share them without one being done twice, killed or not, and a look at
// 20,000 stays quick.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <map>
#include <set>

#include "kernels/base/error.h"
#include "tests/pipeline/watch/folder/hot_folder_support.h"
#include "tests/pipeline/watch/machine/fake_machine.h"
#include "tests/support/folders_in_memory.h"

namespace mezzo::test::hot_folder_many_test {
namespace {

/// Kills its process before the last of so many calls that change the folder; 0: never.
class KillingCalls final : public QuickCalls {
 public:
  explicit KillingCalls(int left) : left_(left) {}

  int make_folder(files::At at, unsigned mode) override {
    return count(), QuickCalls::make_folder(at, mode);
  }
  int open(files::At at, int flags, unsigned mode) override {
    return count(), QuickCalls::open(at, flags, mode);
  }
  int rename(files::At from, files::At to, unsigned flags) override {
    return count(), QuickCalls::rename(from, to, flags);
  }
  int unlink(files::At at, int flags) override { return count(), QuickCalls::unlink(at, flags); }

 private:
  void count() {
    if (left_ > 0 && --left_ == 0) ::kill(::getpid(), SIGKILL);
  }

  int left_;
};

/// A watcher in a process of its own, that does all jobs and writes the name of each to a file. It is
/// killed before a call of this number, unless that is 0.
pid_t start_watcher(const std::string& path, const std::string& log, int killed_at = 0) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  try {
    KillingCalls calls(killed_at);
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
  const FoldersInMemory memory;
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
  const FoldersInMemory memory;
  TempFolder folder;
  TempFolder logs;
  constexpr int kFew = 500;
  drop_many(folder, kFew);
  for (int kill = 0; kill < 25; ++kill) {
    const pid_t child = start_watcher(folder.path(), logs / "1", 7 + 11 * kill);
    ASSERT_GT(child, 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
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

/// Whether the work takes less than a second of a processor: in a process of its own, which the system
/// ends then.
bool takes_less_than_a_second(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit second{1, 1};
    ::setrlimit(RLIMIT_CPU, &second);
    work();
    ::_exit(0);
  }
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(HotFolderMany, LooksQuicklyAtTwentyThousand) {
  Scene scene;
  drop_many(scene.folder, 20'000);
  scene.look_until_complete();
  ASSERT_EQ(scene.hot.waiting().size(), 20'000U);
  // Ten times what it takes on a quiet machine, so that only a change of order is seen.
  EXPECT_TRUE(takes_less_than_a_second([&] { scene.look_after(2000); }));
  for (int i = 0; i < 100; ++i) {
    auto job = scene.hot.claim(scene.hot.waiting()[static_cast<size_t>(i)]);
    ASSERT_TRUE(job.has_value());
    scene.hot.work().finish(std::move(*job), watch::WorkEnd::kDone, "");
  }
}

/// Each reading takes a millisecond.
class SlowClock final : public watch::Clock {
 public:
  watch::Moment now() const override {
    clock_.advance(std::chrono::milliseconds(1));
    return clock_.now();
  }

 private:
  mutable FakeClock clock_;
};

TEST(HotFolderMany, LooksInPartsAtWhatTakesLong) {
  const SlowClock clock;
  TempFolder folder;
  watch::HotFolder hot(
      folder.path(), files::FileSystem::real(), watch::Writers::of_leases(), clock);
  constexpr int kTickets = 250;
  for (int i = 0; i < kTickets; ++i) {
    folder.write("t" + std::to_string(i) + ".yaml", "mezzotint: 1\njob: order\npages: [p.tif]\n");
  }
  int parts = 0;
  do {
    hot.look(clock.now());
    ++parts;
  } while (hot.is_looking());
  EXPECT_EQ(parts, 3) << "of 100 ms each";
  EXPECT_EQ(hot.arriving(), size_t{kTickets});
}

TEST(HotFolderMany, AreTooManyForOneFolder) {
  Scene scene;
  drop_many(scene.folder, 100'001);
  EXPECT_THROW(scene.hot.look(scene.at(0)), Error);
  EXPECT_FALSE(scene.hot.is_looking());
}

}  // namespace
}  // namespace mezzo::test::hot_folder_many_test
