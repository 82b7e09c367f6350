// A watcher stops at every call that changes the folder, in turn, and another goes on: no file is
// lost, none is there twice, and no job that had ended is done again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <memory>

#include "kernels/base/error.h"
#include "tests/pipeline/watch/folder/hot_folder_support.h"
#include "tests/pipeline/watch/folder/stopping_calls.h"
#include "tests/support/folders_in_memory.h"

namespace mezzo::test::hot_folder_stop_test {
namespace {

using testing::IsEmpty;
using Way = StoppingCalls::Way;

enum class Dropped { kPage, kSet, kTicket, kFolder, kRefused, kIncomplete };
enum class Ending { kGood, kFailed, kGivenBack };

struct Course {
  Dropped dropped;
  Ending ending;
  bool knows_rename_flags = true;
  bool has_links = true;
};

/// What is dropped, each file with a content of its own.
void drop(const TempFolder& folder, Dropped what) {
  const std::string ticket =
      "mezzotint: 1\njob: order\npages_total: 2\npages:\n- a.tif\n- b.tif\nend: true\n";
  switch (what) {
    case Dropped::kPage:
      return folder.write("a.tif", "content a");
    case Dropped::kIncomplete:
    case Dropped::kSet:
      folder.write("folder.yaml", kSetsYaml);
      folder.write("p_cyan.tif", "content c");
      folder.write("p_magenta.tif", "content m");
      if (what == Dropped::kSet) folder.write("p_yellow.tif", "content y");
      return;
    case Dropped::kTicket:
      folder.write("order.yaml", ticket);
      folder.write("a.tif", "content a");
      folder.write("b.tif", "content b");
      return;
    case Dropped::kFolder:
      folder.write("order/a.tif", "content a");
      folder.write("order/more/b.tif", "content b");
      folder.write("order/job.yaml", "content j");
      return;
    case Dropped::kRefused:
      folder.write("bad\nname.tif", "content a");
      return;
  }
}

/// How often each content is in the folder, wherever; error texts and settings left out.
std::map<std::string, int> contents(const TempFolder& folder) {
  std::map<std::string, int> found;
  for (const std::string& path : tree_of(folder.path())) {
    if (path.ends_with(".error.txt") || path.ends_with("folder.yaml")) continue;
    ++found[path.ends_with('/') ? path : read(folder / path)];
  }
  return found;
}

void end(watch::HotFolder& hot, watch::ClaimedJob job, Ending ending) {
  switch (ending) {
    case Ending::kGood:
      hot.work().finish(std::move(job), watch::WorkEnd::kDone, "");
      return;
    case Ending::kFailed:
      hot.work().finish(std::move(job), watch::WorkEnd::kFailed, "reason");
      return;
    case Ending::kGivenBack:
      return hot.work().give_back(std::move(job));
  }
}

/// One watcher's life: every job that is there, once.
void work(const std::string& path, files::FileSystem& calls, Ending ending) {
  watch::HotFolder hot(path, calls);
  hot.reload_settings();
  for (watch::ClaimedJob& job : take_all_orphaned(hot)) end(hot, std::move(job), ending);
  for (const int64_t minutes : {0, 1, 2, 60, 61, 62}) {
    hot.look(std::chrono::steady_clock::time_point(std::chrono::minutes(minutes)));
    const std::vector<watch::WaitingJob> waiting = hot.waiting();
    for (const watch::WaitingJob& job : waiting) {
      if (std::optional<watch::ClaimedJob> claimed = hot.claim(job)) {
        hot.work().record_attempt(*claimed);
        end(hot, std::move(*claimed), ending);
      }
    }
    if (!waiting.empty()) return;
  }
}

/// What is left when all is said and done.
std::vector<std::string> expected_tree(const Course& course) {
  switch (course.dropped) {
    case Dropped::kRefused:
      return {"failed/bad_name.tif", "failed/bad_name.tif.error.txt"};
    case Dropped::kIncomplete:
      return {"folder.yaml",
              "incomplete/p_cyan.tif",
              "incomplete/p_cyan.tif.error.txt",
              "incomplete/p_magenta.tif"};
    case Dropped::kPage:
      return {"done/a.tif"};
    case Dropped::kSet:
      return {"done/p_cyan.tif", "done/p_magenta.tif", "done/p_yellow.tif", "folder.yaml"};
    case Dropped::kTicket:
      return {"done/a.tif", "done/b.tif", "done/order.yaml"};
    case Dropped::kFolder:
      break;
  }
  return {"done/order/a.tif", "done/order/job.yaml", "done/order/more/b.tif"};
}

class StopTest : public testing::TestWithParam<Course> {
 protected:
  /// Runs with a stop at each call in turn, and `check`s the folder after each.
  template <typename Check>
  void stop_everywhere(const Check& check, int step = 1) {
    const Course course = GetParam();
    int stops = 0;
    for (const Way way : {Way::kStopBefore, Way::kStopAfter}) {
      for (int strike = 1;; strike += step) {
        TempFolder folder;
        drop(folder, course.dropped);
        StoppingCalls calls;
        calls.way = way;
        calls.strike = strike;
        calls.knows_rename_flags = course.knows_rename_flags;
        calls.has_links = course.has_links;
        const auto before = contents(folder);
        if (comes_to_its_end([&] { work(folder.path(), calls, course.ending); })) break;
        SCOPED_TRACE(testing::Message()
                     << "stopped " << (way == Way::kStopBefore ? "before" : "after") << " call "
                     << strike << ": " << testing::PrintToString(tree_of(folder.path())));
        check(folder, before);
        if (HasFatalFailure() || HasNonfatalFailure()) return;
        ++stops;
      }
    }
    EXPECT_GT(stops * step, 20);
  }

 private:
  FoldersInMemory memory_;  // syncs are left out as well
};

TEST_P(StopTest, NothingIsLostOrDoubled) {
  stop_everywhere([&](const TempFolder& folder, const auto& before) {
    QuickCalls quick;
    QuickPoorCalls poor;
    files::FileSystem& calls = GetParam().has_links ? static_cast<files::FileSystem&>(quick) : poor;
    const bool had_ended =
        std::filesystem::exists(folder / "done") || std::filesystem::exists(folder / "failed");
    watch::HotFolder hot(folder.path(), calls);
    std::vector<watch::ClaimedJob> left = take_all_orphaned(hot);
    if (had_ended && GetParam().ending != Ending::kGivenBack) {
      EXPECT_THAT(left, IsEmpty());
    }
    for (const watch::ClaimedJob& job : left) {
      EXPECT_TRUE(job.resumed);
      EXPECT_TRUE(std::filesystem::exists(job.manifest));
    }
    left.clear();  // and the locks with them
    work(folder.path(), calls, Ending::kGood);
    EXPECT_EQ(contents(folder), before);
    EXPECT_THAT(names_in(folder / ".work"), IsEmpty());
    if (GetParam().ending == Ending::kGood || GetParam().ending == Ending::kGivenBack) {
      EXPECT_EQ(tree_of(folder.path()), expected_tree(GetParam()));
    }
    if (GetParam().ending == Ending::kFailed) {
      // Each failure has its reason beside it, under the same number.
      for (const std::string& name : names_in(folder / "failed")) {
        if (!name.ends_with(".error.txt")) continue;
        const std::string file = name.substr(0, name.size() - 10);
        EXPECT_TRUE(std::filesystem::exists(folder / ("failed/" + file))) << name;
        EXPECT_EQ(read(folder / ("failed/" + name)), "reason\n");
      }
    }
  });
}

class StopTwiceTest : public StopTest {};

TEST_P(StopTwiceTest, NothingIsLostOrDoubled) {
  stop_everywhere(
      [&](const TempFolder& folder, const auto& before) {
        const std::string copy = folder.path() + "-copy";
        for (int strike = 1;; ++strike) {
          std::filesystem::remove_all(copy);
          std::filesystem::copy(folder.path(),
                                copy,
                                std::filesystem::copy_options::recursive |
                                    std::filesystem::copy_options::copy_symlinks);
          StoppingCalls calls;
          calls.way = Way::kStopAfter;
          calls.strike = strike;
          const bool ended = comes_to_its_end([&] { work(copy, calls, Ending::kGood); });
          QuickCalls quick;
          work(copy, quick, Ending::kGood);
          std::map<std::string, int> after;
          for (const std::string& path : tree_of(copy)) {
            if (path.ends_with(".error.txt") || path.ends_with("folder.yaml")) continue;
            ++after[path.ends_with('/') ? path : read(copy + "/" + path)];
          }
          EXPECT_EQ(after, before) << "second stop after call " << strike;
          EXPECT_THAT(names_in(copy + "/.work"), IsEmpty());
          if (ended || HasNonfatalFailure()) break;
        }
        std::filesystem::remove_all(copy);
      },
      5);
}

TEST_P(StopTest, NorWhenTheDiskIsFull) {
  const Course course = GetParam();
  for (int strikes : {1, 1000}) {
    for (int strike = 1; strike < 60; ++strike) {
      TempFolder folder;
      drop(folder, course.dropped);
      const auto before = contents(folder);
      StoppingCalls calls;
      calls.way = Way::kFail;
      calls.strike = strike;
      calls.strikes = strikes;
      calls.knows_rename_flags = course.knows_rename_flags;
      calls.has_links = course.has_links;
      try {
        work(folder.path(), calls, course.ending);
      } catch (const Error& error) {
        EXPECT_TRUE(error.kind() == ErrorKind::kDiskFull) << error.what();
      }
      SCOPED_TRACE(testing::Message() << "call " << strike);
      QuickCalls quick;
      QuickPoorCalls poor;
      work(folder.path(),
           course.has_links ? static_cast<files::FileSystem&>(quick) : poor,
           Ending::kGood);
      EXPECT_EQ(contents(folder), before);
      EXPECT_THAT(names_in(folder / ".work"), IsEmpty());
      if (HasNonfatalFailure()) return;
      if (calls.calls < strike) break;
    }
  }
}

/// As a watcher does it that stays: it holds the job, and tries to end it until that works.
TEST(HotFolderEnd, comes_once_the_disk_has_room_again) {
  for (const bool good : {true, false}) {
    for (int strike = 1;; ++strike) {
      SCOPED_TRACE(testing::Message() << (good ? "done" : "failed") << ", call " << strike);
      const TempFolder folder;
      drop(folder, Dropped::kPage);
      StoppingCalls calls;
      watch::HotFolder hot(folder.path(), calls);
      for (const int minute : {0, 1, 2}) {
        hot.look(std::chrono::steady_clock::time_point(std::chrono::minutes(minute)));
      }
      ASSERT_EQ(hot.waiting().size(), 1U);
      const watch::ClaimedJob job = *hot.claim(hot.waiting().front());
      calls.way = Way::kFail;
      calls.calls = 0;
      calls.strike = strike;
      bool was_full = false;
      try {
        hot.work().finish(job, good ? watch::WorkEnd::kDone : watch::WorkEnd::kFailed, "reason");
      } catch (const Error&) {
        was_full = true;
      }
      const bool all_tried = calls.calls < strike;
      calls.strike = 0;
      if (was_full) {
        ASSERT_NO_THROW(hot.work().finish(
            job, good ? watch::WorkEnd::kDone : watch::WorkEnd::kFailed, "reason"));
      }
      EXPECT_TRUE(std::filesystem::exists(folder / (good ? "done/a.tif" : "failed/a.tif")));
      EXPECT_THAT(names_in(folder / ".work"), IsEmpty());
      if (all_tried || HasFailure()) break;
    }
  }
}

/// Notes the moves, the syncs of folders and the removals of records, in their order.
class NotedCalls final : public files::FileSystem {
 public:
  int fsync(int fd) override {
    std::error_code ignored;
    const auto path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), ignored);
    const bool is_target = path.filename() == "done" || path.filename() == "failed";
    if (std::filesystem::is_directory(path)) {
      noted.emplace_back(is_target ? "sync target" : "sync job");
    }
    return FileSystem::fsync(fd);
  }
  int rename(files::At from, files::At to, unsigned flags) override {
    if (to.name == "a.tif") noted.emplace_back("move");
    return FileSystem::rename(from, to, flags);
  }
  int unlink(files::At at, int flags) override {
    if (at.name == "record.done") noted.emplace_back("forget");
    return FileSystem::unlink(at, flags);
  }

  std::vector<std::string> noted;
};

// btrfs may remember that a job is gone, whose folder was synced or has a synced reason in it, and not
// where its files went.
TEST(HotFolderEnd, moves_the_files_of_a_job_for_good_before_it_forgets_one_that_was_synced) {
  const std::vector<std::string> for_good = {"move", "sync target", "sync job", "forget"};
  const std::vector<std::string> quickly = {"move", "forget"};
  for (const bool is_orphan : {false, true}) {
    for (const watch::WorkEnd end : {watch::WorkEnd::kDone, watch::WorkEnd::kFailed}) {
      const TempFolder folder;
      drop(folder, Dropped::kPage);
      NotedCalls calls;
      auto hot = std::make_unique<watch::HotFolder>(folder.path(), calls);
      for (const int minute : {0, 1, 2}) {
        hot->look(std::chrono::steady_clock::time_point(std::chrono::minutes(minute)));
      }
      ASSERT_EQ(hot->waiting().size(), 1U);
      watch::ClaimedJob job = *hot->claim(hot->waiting().front());
      if (is_orphan) {
        job.lock.reset();
        hot = std::make_unique<watch::HotFolder>(folder.path(), calls);
        job = take_all_orphaned(*hot).at(0);
      }
      hot->work().record_attempt(job);
      calls.noted.clear();
      hot->work().finish(job, end, "reason");
      const bool is_quick = !is_orphan && end == watch::WorkEnd::kDone;
      EXPECT_EQ(calls.noted, is_quick ? quickly : for_good);
    }
  }
}

TEST(HotFolderEnd, drops_again_and_leaves_no_failure_without_its_reason) {
  for (const Way way : {Way::kStopBefore, Way::kStopAfter}) {
    int strike = 1;
    for (bool ended = false; !ended; ++strike) {
      const TempFolder folder;
      folder.write("failed/a.tif", "content a");
      folder.write("failed/a.tif.error.txt", "reason");
      StoppingCalls calls;
      calls.way = way;
      calls.strike = strike;
      watch::HotFolder hot(folder.path(), calls);
      ended = comes_to_its_end(
          [&] { hot.work().drop_again({{.name = "a.tif", .path = "failed/a.tif"}}); });
      EXPECT_NE(std::filesystem::exists(folder / "a.tif"),
                std::filesystem::exists(folder / "failed/a.tif"));
      if (std::filesystem::exists(folder / "failed/a.tif")) {
        EXPECT_TRUE(std::filesystem::exists(folder / "failed/a.tif.error.txt")) << strike;
      }
    }
    EXPECT_GT(strike, 2);
  }
}

TEST(HotFolderEnd, leaves_alone_what_no_watcher_made) {
  const TempFolder folder;
  for (const std::string id : {"good-1", "bad\n2", "bad 3"}) {
    folder.write(".work/" + id + "/files/a.tif");
    struct stat page {};
    ASSERT_EQ(::stat((folder / (".work/" + id + "/files/a.tif")).c_str(), &page), 0);
    folder.write(".work/" + id + "/record",
                 R"({"v":1,"kind":"pages","name":"a\nb","manifest":"m","end":"failed","reason":"",)"
                 R"("files":[{"name":"a.tif","inside":"a.tif","inode":)" +
                     std::to_string(page.st_ino) + "}]}");
  }
  QuickCalls calls;
  watch::HotFolder hot(folder.path(), calls);
  const std::vector<watch::ClaimedJob> left = take_all_orphaned(hot);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].id, "good-1");
  EXPECT_EQ(left[0].name, "a_b");
  EXPECT_EQ(hot.notes().size(), 2U);
}

std::string course_name(const testing::TestParamInfo<Course>& info) {
  static const char* const kDropped[] = {
      "Page", "Set", "Ticket", "Folder", "Refused", "Incomplete"};
  static const char* const kEnding[] = {"Good", "Failed", "GivenBack"};
  return std::string(kDropped[static_cast<size_t>(info.param.dropped)]) +
         kEnding[static_cast<size_t>(info.param.ending)] +
         (info.param.knows_rename_flags ? "" : "WithoutFlags") +
         (info.param.has_links ? "" : "OrLinks");
}

INSTANTIATE_TEST_SUITE_P(HotFolder,
                         StopTest,
                         testing::Values(Course{Dropped::kPage, Ending::kGood},
                                         Course{Dropped::kPage, Ending::kFailed},
                                         Course{Dropped::kSet, Ending::kGood},
                                         Course{Dropped::kSet, Ending::kFailed},
                                         Course{Dropped::kSet, Ending::kGivenBack},
                                         Course{Dropped::kTicket, Ending::kGood},
                                         Course{Dropped::kTicket, Ending::kFailed},
                                         Course{Dropped::kTicket, Ending::kGivenBack},
                                         Course{Dropped::kFolder, Ending::kGood},
                                         Course{Dropped::kFolder, Ending::kFailed},
                                         Course{Dropped::kFolder, Ending::kGivenBack},
                                         Course{Dropped::kRefused, Ending::kGood},
                                         Course{Dropped::kIncomplete, Ending::kGood},
                                         Course{Dropped::kSet, Ending::kFailed, false},
                                         Course{Dropped::kFolder, Ending::kGood, false},
                                         Course{Dropped::kPage, Ending::kFailed, false, false},
                                         Course{Dropped::kSet, Ending::kGood, false, false}),
                         course_name);

INSTANTIATE_TEST_SUITE_P(HotFolder,
                         StopTwiceTest,
                         testing::Values(Course{Dropped::kSet, Ending::kFailed},
                                         Course{Dropped::kFolder, Ending::kFailed}),
                         course_name);

}  // namespace
}  // namespace mezzo::test::hot_folder_stop_test
