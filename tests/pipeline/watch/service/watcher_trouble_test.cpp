// What a watcher does, and says, when something is wrong with its folders or with what lies in
// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "pipeline/log/log.h"
#include "pipeline/watch/folder/hot_folder.h"
#include "pipeline/watch/job/job_store.h"
#include "pipeline/watch/service/folder_slot.h"
#include "tests/pipeline/watch/service/watcher_support.h"

namespace mezzo::test::watcher_trouble_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::kQuick;
using test::text_of;
using testing::HasSubstr;
using testing::Not;

class WatcherTrouble : public test::WatcherTest {
 protected:
  /// The folder is elsewhere, and another has its name: as when a share is unmounted.
  void take_away() {
    fs::rename(hot(), folder_ / "away");
    fs::create_directories(hot());
  }
  /// The one job waits for its files to hold still.
  bool rests() {
    const auto running = view().running;
    return running.size() == 1 && running[0].state == watch::JobState::kRetrying &&
           running[0].message.find("held still") != std::string::npos;
  }
  void bring_back() {
    fs::remove_all(hot());
    fs::rename(folder_ / "away", hot());
  }
};

TEST_F(WatcherTrouble, settings_that_were_never_right_print_nothing) {
  settings("trys: 3\n");
  drop("a.tif", "good");
  EXPECT_EQ(run_once().troubled, 1U);
  EXPECT_TRUE(fs::exists(in_hot("a.tif")));
  EXPECT_FALSE(fs::exists(in_hot("done")));
  start();
  ASSERT_TRUE(until([&] { return view().ready; }));
  EXPECT_FALSE(view().folders[0].up);
  EXPECT_THAT(view().folders[0].trouble, HasSubstr("folder.yaml:4:1: "));
  EXPECT_THAT(view().folders[0].trouble, HasSubstr("'tries'"));  // the hint
  settings("");
  EXPECT_TRUE(until([&] { return fs::exists(in_hot("done/a.tif")); }));
  settings("trys: 3\n");
  ASSERT_TRUE(until([&] { return !view().folders[0].trouble.empty(); }));
  EXPECT_TRUE(view().folders[0].up);
  drop("b.tif", "good");  // the last good settings hold
  EXPECT_TRUE(until([&] { return fs::exists(in_hot("done/b.tif")); }));
}

TEST_F(WatcherTrouble, a_folder_that_had_settings_takes_nothing_without_them_after_a_restart) {
  EXPECT_EQ(run_once().troubled, 0U);  // it sees them
  const std::string file = text_of(in_hot("folder.yaml"));
  for (const bool is_replaced : {false, true}) {
    is_replaced ? take_away() : static_cast<void>(fs::remove(in_hot("folder.yaml")));
    drop("stray.tif", "good");
    for (int start = 0; start < 2; ++start) EXPECT_EQ(run_once().troubled, 1U);
    EXPECT_TRUE(fs::exists(in_hot("stray.tif")));
    EXPECT_FALSE(fs::exists(in_hot("plates")));
    if (is_replaced) {
      bring_back();
    } else {
      folder_.write("hot/folder.yaml", file);
      EXPECT_EQ(run_once().troubled, 0U);
      EXPECT_TRUE(fs::exists(in_hot("done/stray.tif")));
      fs::remove_all(in_hot("plates"));
    }
  }
}

TEST_F(WatcherTrouble, settings_that_are_required_are_waited_for) {
  fs::remove(in_hot("folder.yaml"));
  auto required = options();
  required.needs_settings = true;
  start(required);
  drop("a.tif", "good");
  ASSERT_TRUE(until([&] { return view().ready; }));
  EXPECT_FALSE(view().folders[0].up);
  EXPECT_THAT(view().folders[0].trouble, HasSubstr("the file is missing"));
  settings("");
  EXPECT_TRUE(until([&] { return fs::exists(in_hot("done/a.tif")); }));
  EXPECT_EQ(view().folders[0].trouble, "");
}

TEST_F(WatcherTrouble, a_job_waits_for_its_folder) {
  settings("tries: 1\n");
  start();
  drop("a.tif", "needs 400");
  ASSERT_TRUE(until([&] { return one_works(); }));
  take_away();
  ASSERT_TRUE(until([&] { return view().running[0].state == watch::JobState::kRetrying; }));
  EXPECT_THAT(view().running[0].message, HasSubstr("waits for its folder"));
  pass(1200ms);
  EXPECT_EQ(view().running.size(), 1U);
  EXPECT_TRUE(view().finished.empty());
  bring_back();
  EXPECT_TRUE(until([&] { return fs::exists(in_hot("done/a.tif")); }));
  drop("a.tif", "needs 400");  // its content is known all the same
  ASSERT_TRUE(until([&] { return view().jobs_done == 2; }));
  EXPECT_THAT(view().finished[0].message, HasSubstr("as all of its plates of"));
}

TEST_F(WatcherTrouble, a_job_whose_files_vanish_stays_done) {
  start();
  drop("a.tif", "slow 300");
  ASSERT_TRUE(until([&] { return one_works(); }));
  fs::remove_all(in_hot(".work"));
  ASSERT_TRUE(until([&] { return view().finished.size() == 1; }));
  EXPECT_EQ(view().finished[0].state, watch::JobState::kDone);
  EXPECT_THAT(view().finished[0].message, HasSubstr("taken out"));
  stop();
  start();
  ASSERT_TRUE(until([&] { return view().ready; }));
  ASSERT_EQ(view().finished.size(), 1U);
  EXPECT_EQ(view().finished[0].state, watch::JobState::kDone);
}

TEST_F(WatcherTrouble, a_page_that_changes_while_it_is_made_is_made_again) {
  for (const std::string first : {"slow 400", "torn 400"}) {
    settings("tries: 1\n");
    drop("a.tif", first);
    start();
    ASSERT_TRUE(until([&] { return one_works(); }));
    const std::string id = view().running[0].id;
    std::ofstream(in_hot(".work/" + id + "/files/a.tif")) << "good " << first;
    ASSERT_TRUE(until([&] { return rests(); }));
    ASSERT_TRUE(until([&] { return view().finished.size() == 1; }));
    EXPECT_EQ(view().finished[0].state, watch::JobState::kDone);
    EXPECT_EQ(view().finished[0].tries, 1U);
    const std::string plate = text_of(in_hot("plates/a.tif.plate"));
    EXPECT_TRUE(plate.ends_with("good " + first + "\n")) << plate;
    EXPECT_EQ(text_of(in_hot("done/a.tif")), "good " + first);
    stop();
    for (const char* used : {"done", "plates", "reports"}) fs::remove_all(in_hot(used));
    fs::remove_all(folder_ / "state");
  }
}

TEST_F(WatcherTrouble, a_page_that_is_still_written_when_it_is_made_is_made_again) {
  drop("a.tif", "slow 300");
  start();
  ASSERT_TRUE(until([&] { return one_works(); }));
  const std::string id = view().running[0].id;
  std::ofstream writer(in_hot(".work/" + id + "/files/a.tif"), std::ios::app);
  ASSERT_TRUE(until([&] { return rests(); }));
  pass(500ms);
  EXPECT_EQ(view().running.size(), 1U);
  EXPECT_EQ(text_of(in_hot("plates/a.tif.plate")), "slow 300\n");
  writer << " and more" << std::flush;
  writer.close();
  EXPECT_TRUE(until([&] { return fs::exists(in_hot("done/a.tif")); }));
  EXPECT_EQ(text_of(in_hot("plates/a.tif.plate")), "slow 300\nslow 300 and more\n");
}

TEST_F(WatcherTrouble,
       a_page_that_changes_without_end_can_be_cancelled_or_left_to_the_next_watcher) {
  drop("a.tif", "slow 200");
  start();
  ASSERT_TRUE(until([&] { return one_works(); }));
  const std::string id = view().running[0].id;
  {
    const std::ofstream writer(in_hot(".work/" + id + "/files/a.tif"), std::ios::app);
    ASSERT_TRUE(until([&] { return rests(); }));
    stop();
    EXPECT_FALSE(fs::is_empty(in_hot(".work")));
    start();
    ASSERT_TRUE(until([&] { return rests(); }));
    EXPECT_EQ(query({{"verb", "cancel"}, {"job", id}})["ok"], true);
    ASSERT_TRUE(until([&] { return view().finished.size() == 1; }));
  }
  EXPECT_EQ(view().finished[0].state, watch::JobState::kCancelled);
  EXPECT_TRUE(fs::exists(in_hot("failed/a.tif")));
}

/// In place: the same file, with a content of another size, so that it need not have another time.
void rewrite(const std::string& path, const std::string& text) {
  std::ofstream(path) << text;
}

TEST_F(WatcherTrouble, a_page_that_changes_after_its_end_is_taken_again) {
  drop("a.tif", "good half");
  drop("b.tif", "bad half");
  drop("c.tif", "good c");
  start();
  ASSERT_TRUE(until([&] { return view().finished.size() == 3; }));
  rewrite(in_hot("done/a.tif"), "good whole");
  rewrite(in_hot("failed/b.tif"), "good whole");
  fs::rename(in_hot("done/c.tif"), in_hot("done/c2.tif"));
  folder_.write("hot/done/c.tif", "good other");  // another file: not the page of the job
  ASSERT_TRUE(until([&] { return view().jobs_done == 4; }));
  for (const char* name : {"a", "b"}) {
    EXPECT_EQ(text_of(in_hot("done/" + std::string(name) + ".tif")), "good whole");
    EXPECT_EQ(text_of(in_hot("plates/" + std::string(name) + ".tif.plate")), "good whole\n");
  }
  EXPECT_FALSE(fs::exists(in_hot("failed/b.tif.error.txt")));
  const auto jobs = view().finished;
  const auto first = std::ranges::find_if(
      jobs, [](const watch::JobView& job) { return job.name == "a" && !job.message.empty(); });
  ASSERT_NE(first, jobs.end());
  EXPECT_THAT(first->message, HasSubstr("have changed since, so 1 plate of it"));
  pass(2500ms);
  EXPECT_EQ(view().finished.size(), 4U);  // what failed at first is dealt with
}

TEST_F(WatcherTrouble, a_page_that_changes_while_no_watcher_runs_is_taken_again) {
  drop("a.tif", "good half");
  run_once();
  rewrite(in_hot("done/a.tif"), "good whole");
  start();
  ASSERT_TRUE(until([&] { return view().jobs_done == 1; }));
  EXPECT_EQ(text_of(in_hot("plates/a.tif.plate")), "good whole\n");
}

TEST_F(WatcherTrouble, a_page_that_was_taken_again_is_not_taken_for_the_one_before) {
  drop("a.tif", "good half");
  run_once();
  const watch::StoredJob first = watch::JobStore(folder_ / "state").ended_since({}, 1).at(0);
  rewrite(in_hot("done/a.tif"), "good whole");
  start();
  ASSERT_TRUE(until([&] { return text_of(in_hot("plates/a.tif.plate")) == "good whole\n"; }));
  ASSERT_TRUE(until([&] { return fs::exists(in_hot("done/a.tif")); }));
  stop();
  // As if the watcher had been killed before it entered that the file went back.
  watch::JobStore(folder_ / "state").enter(first);
  start();
  ASSERT_TRUE(until([&] { return view().ready; }));
  pass(2500ms);
  EXPECT_EQ(view().jobs_done, 0U);
}

TEST_F(WatcherTrouble, a_job_with_the_id_of_another_folders_job_is_printed) {
  drop("a.tif", "good");
  run_once();
  start();
  ASSERT_TRUE(until([&] { return view().ready; }));
  const std::string id = view().finished.at(0).id;
  stop();
  const std::string job = "other/.work/" + id;
  folder_.write(job + "/files/x.tif", "good x");
  folder_.write(job + "/files/job.yaml", "mezzotint: 1\n");
  folder_.write(
      job + "/record",
      R"({"end":"failed","files":[{"inode":)" +
          std::to_string(
              files::mark_of(files::FileSystem::real(), folder_ / (job + "/files/x.tif"))->inode) +
          R"(,"inside":"x.tif","name":"x.tif"}],)"
          R"("kind":"pages","manifest":"mezzotint: 1\n","name":"x","reason":"","v":1})");
  folder_.write("other/folder.yaml", kQuick);
  auto both = options();
  both.folders.push_back(folder_ / "other");
  EXPECT_EQ(run(both).failed, 0U);
  EXPECT_EQ(text_of(folder_ / "other/plates/x.tif.plate"), "good x\n");
  EXPECT_TRUE(fs::exists(folder_ / "other/done/x.tif"));
}

TEST_F(WatcherTrouble, refused_files_are_failed_jobs) {
  settings("separations: {inks: [cyan, magenta], wait: 1 s}\n");
  fs::create_symlink("/etc/passwd", in_hot("link.tif"));
  drop("p_cyan.tif", "good");
  EXPECT_EQ(run_once().failed, 2U);
  start();
  ASSERT_TRUE(until([&] { return view().ready; }));
  const auto jobs = view().finished;
  ASSERT_EQ(jobs.size(), 2U);
  const auto set = std::ranges::find(jobs, "p", &watch::JobView::name);
  const auto link = std::ranges::find(jobs, "link.tif", &watch::JobView::name);
  ASSERT_TRUE(set != jobs.end() && link != jobs.end());
  EXPECT_EQ(set->state, watch::JobState::kFailed);
  EXPECT_THAT(set->message, HasSubstr("Missing after 1.0 s: magenta"));
  EXPECT_THAT(link->message, HasSubstr("links are not followed"));
  EXPECT_EQ(query({{"verb", "retry"}, {"job", link->id}})["ok"], true);
  ASSERT_TRUE(until([&] { return view().jobs_failed == 1; }));  // it is still a link
  EXPECT_EQ(query({{"verb", "retry"}, {"job", set->id}})["ok"], true);
  drop("p_magenta.tif", "good");
  EXPECT_TRUE(until([&] { return fs::exists(in_hot("done/p_cyan.tif")); }));
}

TEST_F(WatcherTrouble, mistakes_in_a_ticket_carry_its_name) {
  drop("t5.yaml",
       "mezzotint: 1\njob: five\ndefaults: {output: {path: 'p/{stem}.tif'}}\n"
       "pages:\n- a.tif\n");
  drop("a.tif", "manifest");
  EXPECT_EQ(run_once().failed, 1U);
  const std::string reason = text_of(in_hot("failed/t5.yaml.error.txt"));
  EXPECT_THAT(reason, HasSubstr("t5.yaml:3: no such key"));
  EXPECT_THAT(reason, Not(HasSubstr("job.yaml")));
}

TEST_F(WatcherTrouble, a_ticket_has_no_more_than_the_limits_of_the_folder) {
  settings("limits: {memory: 1 GiB}\n");
  drop("t5.yaml",
       "mezzotint: 1\njob: five\nlimits: {memory: 4 GiB}\n"
       "defaults: {output: {path: 'p/{stem}.tif'}}\npages:\n- a.tif\n");
  drop("a.tif", "at-most 1073741824");
  EXPECT_EQ(run_once().failed, 0U);
  EXPECT_TRUE(fs::exists(in_hot("done/a.tif")));
}

TEST_F(WatcherTrouble, with_once_takes_orphaned_jobs_also_after_a_slow_look) {
  drop("a.tif", "good");
  {
    watch::HotFolder killed(hot());
    for (const int minute : {0, 1, 2}) {
      killed.look(SteadyTime(std::chrono::minutes(minute)));
    }
    ASSERT_TRUE(killed.claim(killed.waiting().front()));
  }
  EXPECT_FALSE(fs::exists(in_hot("a.tif")));
  auto once = options();
  once.once = true;
  start(once);
  // More than the main loop waits for the first look at.
  FakeLane& lane = *machine_.lanes.back();
  lane.hang();
  turn();
  EXPECT_TRUE(lane.is_busy());
  EXPECT_FALSE(watcher().is_over(now()));
  lane.go_on();
  EXPECT_TRUE(until([&] { return watcher().is_over(now()); }));
  EXPECT_EQ(watcher().end(now()).failed, 0U);
  EXPECT_TRUE(fs::exists(in_hot("done/a.tif")));
}

TEST_F(WatcherTrouble, plain_pages_have_no_more_than_the_limits_of_the_folder) {
  settings("limits: {memory: 1 GiB}\n");
  drop("a.tif", "at-most 1073741824");
  EXPECT_EQ(run_once().failed, 0U);
  EXPECT_TRUE(fs::exists(in_hot("done/a.tif")));
}

TEST_F(WatcherTrouble, a_worker_that_cannot_start_for_a_shortage_is_no_try) {
  settings("tries: 1\n");
  machine_.cannot_run = "worker: libc.so: Cannot allocate memory";
  drop("a.tif", "good");
  start();
  ASSERT_TRUE(until([&] {
    const auto running = view().running;
    return running.size() == 1 && running[0].state == watch::JobState::kRetrying;
  }));
  EXPECT_THAT(view().running[0].message, HasSubstr("Cannot allocate memory"));
  EXPECT_EQ(view().running[0].tries, 0U);
  stop();
  machine_.cannot_run.clear();
  start();
  EXPECT_TRUE(until([&] { return fs::exists(in_hot("done/a.tif")); }));
}

TEST_F(WatcherTrouble, a_file_is_no_folder) {
  folder_.write("file");
  auto once = options();
  once.folders = {folder_ / "file"};
  EXPECT_EQ(run(once).troubled, 1U);
  EXPECT_THAT(last_view_.folders[0].trouble, HasSubstr("is a file, not a folder"));
}

TEST_F(WatcherTrouble, a_folder_behind_a_link_takes_no_pages) {
  fs::create_directory(folder_ / "real");
  folder_.write("real/a.tif", "good");
  auto once = options();
  once.folders = {folder_ / "linked"};
  fs::create_directory_symlink(folder_ / "real", folder_ / "linked");
  EXPECT_EQ(run(once).troubled, 1U);
  EXPECT_THAT(last_view_.folders[0].trouble,
              HasSubstr("leads through a link to '" + (folder_ / "real") + "'"));
  EXPECT_TRUE(fs::exists(folder_ / "real/a.tif"));
}

TEST_F(WatcherTrouble, jobs_that_cannot_be_moved_at_their_ends_are_not_held_without_limit) {
  folder_.write("hot/done", "a file, so that no page can go there");
  for (size_t i = 0; i < watch::kMostResting + 30; ++i) {
    drop("page" + std::to_string(i) + ".tif", "good " + std::to_string(i));
  }
  start();
  ASSERT_TRUE(until([&] { return view().running.size() >= watch::kMostResting; }));
  pass(500ms);
  EXPECT_LE(view().running.size(), watch::kMostResting + options().jobs);
  EXPECT_GE(view().waiting.size(), 25U);
  fs::remove(in_hot("done"));
  EXPECT_TRUE(until([&] { return view().jobs_done == watch::kMostResting + 30; }));
}

/// With what is logged meanwhile.
class WatcherLog : public WatcherTrouble {
 public:
  WatcherLog() {
    before_ = log::set_sink([this](log::Level level, std::string_view message) {
      text_ << '[' << log::name_of(level) << "] " << message << '\n';
    });
  }
  ~WatcherLog() override {
    stop();
    log::set_sink(before_);
  }

 protected:
  /// While no watcher runs.
  size_t count(const std::string& part) const {
    const std::string text = text_.str();
    size_t found = 0;
    for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
    return found;
  }

  std::ostringstream text_;
  log::Sink before_;
};

TEST_F(WatcherLog, has_each_failure_once) {
  drop("a.tif", "bad");
  drop("b.tif", "many");
  run_once();
  EXPECT_EQ(count("a.tif: the strip is not right"), 1U) << text_.str();
  for (const char* one : {"one", "three", "five"}) {
    EXPECT_EQ(count(std::string(one) + " is not right"), 1U) << text_.str();
  }
  EXPECT_EQ(count(".work"), 0U) << text_.str();
}

TEST_F(WatcherLog, has_no_error_when_jobs_wait_for_the_next_start) {
  start();
  drop("a.tif", "polite");
  ASSERT_TRUE(until([&] { return one_works(); }));
  stop();
  EXPECT_EQ(count("[error]"), 0U) << text_.str();
}

TEST_F(WatcherLog, is_not_flooded_by_odd_names) {
  start();
  ASSERT_TRUE(until([&] { return view().ready; }));
  for (size_t burst = 0; burst < 8; ++burst) {
    for (int i = 0; i < 15; ++i) {
      folder_.write("hot/odd-" + std::to_string(burst) + "-" + std::to_string(i) + ".txt");
    }
    ASSERT_TRUE(until([&] { return view().folders[0].not_taken == 15 * (burst + 1); }));
  }
  stop();
  EXPECT_GE(count("not taken"), 10U) << text_.str();
  EXPECT_LE(count("odd-"), 20U) << text_.str();
}

TEST_F(WatcherLog, is_not_flooded_by_settings) {
  start();
  ASSERT_TRUE(until([&] { return view().ready; }));
  for (int turn = 0; turn < 30; ++turn) {
    settings(turn % 2 == 0 ? "trys: 3\n" : "");
    ASSERT_TRUE(until([&] { return view().folders[0].trouble.empty() == (turn % 2 == 1); }));
  }
  stop();
  EXPECT_GE(count("'tries'"), 1U) << text_.str();
  EXPECT_GE(count("settings are in force") + count("settings of before stay in force"), 2U)
      << text_.str();
  EXPECT_LE(count("settings are in force") + count("settings of before stay in force"), 10U)
      << text_.str();
}

TEST_F(WatcherLog, tells_cancelled_from_failed) {
  start();
  drop("a.tif", "polite");
  ASSERT_TRUE(until([&] { return one_works(); }));
  query({{"verb", "cancel"}, {"job", view().running[0].id}});
  ASSERT_TRUE(until([&] { return view().finished.size() == 1; }));
  stop();
  EXPECT_EQ(count("a cancelled on request"), 1U) << text_.str();
  EXPECT_EQ(count("failed"), 0U) << text_.str();
  EXPECT_EQ(count("[error]"), 0U) << text_.str();
}

}  // namespace
}  // namespace mezzo::test::watcher_trouble_test
