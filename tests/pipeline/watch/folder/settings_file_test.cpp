// Whose settings a hot folder works with when the folder itself comes and goes: by looks, not by time.
#include "pipeline/watch/folder/settings_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>

#include "kernels/base/error.h"
#include "tests/pipeline/watch/folder/hot_folder_support.h"

namespace mezzo::test::settings_file_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// The settings of the folder, which are not the defaults.
constexpr const char* kOwn = "mezzotint: 1\ntries: 7\n";

/// A path at which folders come and go, and what a watcher makes of them.
class ChangingFolder : public testing::Test {
 protected:
  std::string path() const { return around_ / "hot"; }
  void make(const std::string& page, const std::string& settings = {}) {
    fs::create_directories(path());
    if (!settings.empty()) around_.write("hot/folder.yaml", settings);
    around_.write("hot/" + page, "page");
  }
  /// The folder is elsewhere, as behind a share that is not mounted.
  void take_away() { fs::rename(path(), around_ / "away"); }
  void bring_back() {
    fs::remove_all(path());
    fs::rename(around_ / "away", path());
  }
  std::unique_ptr<watch::HotFolder> watcher() {
    return std::make_unique<watch::HotFolder>(path(), calls_);
  }
  /// Names of the jobs that `hot` would begin, after looks at files that hold still.
  std::vector<std::string> taken(watch::HotFolder& hot) {
    for (int look = 0; look < 4; ++look) {
      now_ += std::chrono::seconds(2);
      hot.reload_settings();
      do {
        hot.look(now_);
      } while (hot.is_looking());
    }
    std::vector<std::string> names;
    for (const watch::WaitingJob& job : hot.waiting()) names.push_back(job.name);
    for (const watch::ClaimedJob& job : take_all_orphaned(hot)) names.push_back(job.name);
    return names;
  }
  static std::string message(watch::HotFolder& hot) {
    const auto mistakes = hot.reload_settings();
    return mistakes.empty() ? "" : mistakes[0].message + "; " + mistakes[0].hint;
  }

  TempFolder around_;
  QuickCalls calls_;
  std::chrono::steady_clock::time_point now_{std::chrono::hours(1)};
};

TEST_F(ChangingFolder, replaced_by_one_without_settings_takes_nothing) {
  make("own.tif", kOwn);
  const auto hot = watcher();
  ASSERT_THAT(taken(*hot), ElementsAre("own"));
  take_away();
  make("stray.tif");
  EXPECT_THAT(taken(*hot), IsEmpty());
  EXPECT_FALSE(hot->has_settings());
  EXPECT_THAT(message(*hot), HasSubstr("there was one before"));
  EXPECT_THAT(message(*hot), HasSubstr("mount the share, or put the file back"));
  EXPECT_TRUE(fs::exists(path() + "/stray.tif"));
  bring_back();
  EXPECT_THAT(taken(*hot), ElementsAre("own"));
  EXPECT_EQ(hot->settings().tries, 7U);
}

TEST_F(ChangingFolder, gone_for_some_looks_and_replaced_takes_nothing) {
  make("own.tif", kOwn);
  const auto hot = watcher();
  ASSERT_THAT(taken(*hot), ElementsAre("own"));
  fs::remove_all(path());
  EXPECT_THROW(hot->look(now_), Error);
  make("stray.tif");  // a disk may give it the inode of the former one
  EXPECT_THAT(taken(*hot), IsEmpty());
  around_.write("hot/folder.yaml", "mezzotint: 1\n");
  EXPECT_THAT(taken(*hot), ElementsAre("stray")) << "with the defaults, as somebody says so";
}

TEST_F(ChangingFolder, replaced_between_settings_and_look_takes_nothing) {
  make("own.tif", kOwn);
  const auto hot = watcher();
  ASSERT_THAT(taken(*hot), ElementsAre("own"));
  take_away();
  make("stray.tif");
  for (int look = 0; look < 4; ++look) {
    now_ += std::chrono::seconds(2);
    hot->look(now_);
  }
  EXPECT_THAT(hot->waiting(), IsEmpty());
  EXPECT_THAT(take_all_orphaned(*hot), IsEmpty());
}

TEST_F(ChangingFolder, takes_no_left_job_of_a_folder_in_its_place) {
  make("stray.tif", kOwn);
  {
    const auto other = watcher();
    ASSERT_THAT(taken(*other), ElementsAre("stray"));
    ASSERT_TRUE(other->claim(other->waiting().front()));
  }
  fs::remove(path() + "/folder.yaml");
  const auto hot = watcher();
  hot->settings_file().recall_file();
  EXPECT_THAT(taken(*hot), IsEmpty());
  around_.write("hot/folder.yaml", kOwn);
  EXPECT_THAT(taken(*hot), ElementsAre("stray"));
}

TEST_F(ChangingFolder, replaced_by_one_with_settings_works_with_these) {
  make("own.tif", kOwn);
  const auto hot = watcher();
  ASSERT_THAT(taken(*hot), ElementsAre("own"));
  take_away();
  make("other.tif", "mezzotint: 1\ntries: 5\n");
  EXPECT_THAT(taken(*hot), ElementsAre("other"));
  EXPECT_EQ(hot->settings().tries, 5U);
}

TEST_F(ChangingFolder, a_file_that_goes_leaves_its_settings_in_force_until_the_next_start) {
  make("own.tif", kOwn);
  const auto hot = watcher();
  ASSERT_THAT(taken(*hot), ElementsAre("own"));
  fs::remove(path() + "/folder.yaml");
  EXPECT_THAT(taken(*hot), ElementsAre("own"));
  EXPECT_EQ(hot->settings().tries, 7U);
  const auto next = watcher();
  next->settings_file().recall_file();
  EXPECT_THAT(taken(*next), IsEmpty());
  around_.write("hot/folder.yaml", kOwn);
  EXPECT_THAT(taken(*next), ElementsAre("own"));
  EXPECT_EQ(next->settings().tries, 7U);
}

TEST_F(ChangingFolder, settings_with_mistakes_count_as_settings_that_were_there) {
  make("own.tif", "mezzotint: 1\ntrys: 3\n");
  const auto hot = watcher();
  EXPECT_THAT(taken(*hot), IsEmpty());
  fs::remove(path() + "/folder.yaml");
  EXPECT_THAT(taken(*hot), IsEmpty());
  EXPECT_TRUE(hot->settings_file().had_file());
}

TEST_F(ChangingFolder, required_settings_are_waited_for_at_the_very_first_start) {
  make("stray.tif");
  const auto hot = watcher();
  hot->settings_file().require_file();
  EXPECT_THAT(taken(*hot), IsEmpty());
  EXPECT_THAT(message(*hot), HasSubstr("--require-settings"));
  take_away();  // and the share is mounted
  make("own.tif", kOwn);
  EXPECT_THAT(taken(*hot), ElementsAre("own"));
  EXPECT_EQ(message(*hot), "");
}

TEST_F(ChangingFolder, that_never_had_settings_has_the_defaults) {
  make("own.tif");
  const auto hot = watcher();
  EXPECT_THAT(taken(*hot), ElementsAre("own"));
  EXPECT_FALSE(hot->settings_file().had_file());
  EXPECT_EQ(message(*hot), "");
}

}  // namespace
}  // namespace mezzo::test::settings_file_test
