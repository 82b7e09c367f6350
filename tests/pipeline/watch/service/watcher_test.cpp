// The watcher on real folders, with workers that behave as they are told, in the time of a made-up machine.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <set>

#include "tests/pipeline/watch/service/watcher_support.h"

namespace mezzo::test::watcher_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::kQuick;
using test::text_of;
using test::WatcherTest;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(WatcherTest, a_page_is_printed) {
  drop("a.tif", "good");
  const watch::WatchEnd end = run_once();
  EXPECT_EQ(end.failed, 0U);
  EXPECT_EQ(text_of(in_hot("plates/a.tif.plate")), "good\n");
  EXPECT_TRUE(fs::exists(in_hot("done/a.tif")));
  EXPECT_FALSE(fs::exists(in_hot("a.tif")));
  EXPECT_TRUE(fs::is_empty(in_hot(".work")));
  EXPECT_TRUE(fs::is_empty(folder_ / "state/journals"));
}

TEST_F(WatcherTest, a_folder_has_a_lane_with_the_usual_patience_and_one_with_none) {
  start();
  std::multiset<std::chrono::milliseconds> patiences;
  for (const FakeLane* lane : machine_.lanes) patiences.insert(lane->patience);
  EXPECT_THAT(patiences, ElementsAre(0ms, watch::ThreadLane::kPatience));
}

TEST_F(WatcherTest, a_gpu_that_is_lost_again_and_again_is_left_alone) {
  settings("tries: 3\n");
  for (const char* name : {"a", "b", "c", "d"}) drop(std::string(name) + ".tif", "gpu");
  EXPECT_EQ(run_once().failed, 0U);
  for (const char* name : {"a", "b", "c", "d"}) {
    EXPECT_TRUE(fs::exists(in_hot("done/" + std::string(name) + ".tif"))) << name;
  }
}

TEST_F(WatcherTest, a_worker_without_a_sign_of_life_is_killed) {
  settings("tries: 1\nstall: 1 s\n");
  drop("a.tif", "hang");
  drop("b.tif", "slow 1500");
  EXPECT_EQ(run_once().failed, 1U);
  EXPECT_THAT(text_of(in_hot("failed/a.tif.error.txt")),
              HasSubstr("the worker reported nothing for 1"));
  EXPECT_TRUE(fs::exists(in_hot("done/b.tif")));
}

TEST_F(WatcherTest, a_worker_that_cannot_be_started_fails_its_job) {
  drop("a.tif", "good");
  machine_.cannot_run = "/nonexistent/worker: No such file or directory";
  EXPECT_EQ(run_once().failed, 1U);
  EXPECT_THAT(text_of(in_hot("failed/a.tif.error.txt")), HasSubstr("No such file"));
}

TEST_F(WatcherTest, files_are_seen_when_they_arrive) {
  start();
  ASSERT_TRUE(until([&] { return view().ready; }));
  pass(5s);
  drop("a.tif", "good");
  const SteadyTime begin = now();
  ASSERT_TRUE(until([&] { return fs::exists(in_hot("done/a.tif")); }));
  // It is complete after 100 ms. Far less than `scan`, which is 10 s.
  EXPECT_LT(now().steady - begin, 400ms);
  const watch::WatchView seen = view();
  EXPECT_EQ(seen.jobs_done, 1U);
  ASSERT_EQ(seen.finished.size(), 1U);
  EXPECT_EQ(seen.finished[0].name, "a");
  EXPECT_EQ(seen.finished[0].state, watch::JobState::kDone);
  ASSERT_EQ(seen.finished[0].plates.size(), 1U);
  EXPECT_EQ(seen.finished[0].plates[0].coverage_percent, 12.5);
}

TEST_F(WatcherTest, progress_is_shown) {
  start();
  drop("a.tif", "slow 3000");
  ASSERT_TRUE(until([&] {
    const watch::WatchView seen = view();
    return seen.running.size() == 1 && seen.running[0].pixels_done == 50;
  }));
  const watch::WatchView seen = view();
  EXPECT_EQ(seen.running[0].pixels, 100U);
  EXPECT_EQ(seen.running[0].tries, 1U);
  EXPECT_EQ(seen.folders[0].running, 1U);
}

TEST_F(WatcherTest, a_job_in_work_goes_on_after_a_stop) {
  settings("tries: 1\n");
  drop("a.tif", "slow 700");
  for (int i = 0; i < 2; ++i) {
    start();
    ASSERT_TRUE(until([&] { return one_works(); }));
    stop();
    EXPECT_EQ(end_.failed, 0U);
    EXPECT_FALSE(fs::is_empty(in_hot(".work")));
  }
  // Stopping it was not the job's fault: its one try is still to come.
  EXPECT_EQ(run_once().failed, 0U);
  EXPECT_TRUE(fs::exists(in_hot("done/a.tif")));
}

TEST_F(WatcherTest, a_worker_that_ignores_sigterm_is_killed_after_its_grace) {
  drop("a.tif", "hang");
  start();
  ASSERT_TRUE(until([&] { return one_works(); }));
  const SteadyTime begin = now();
  stop();
  EXPECT_GE(now().steady - begin, 300ms);
  EXPECT_LT(now().steady - begin, 350ms);
  EXPECT_FALSE(fs::is_empty(in_hot(".work")));
}

TEST_F(WatcherTest, what_was_printed_is_not_printed_again) {
  drop("a.tif", "good");
  EXPECT_EQ(run_once().failed, 0U);
  drop("a.tif", "good");  // the same again
  drop("b.tif", "good");  // another name makes another plate
  EXPECT_EQ(run_once().failed, 0U);
  EXPECT_EQ(text_of(in_hot("plates/a.tif.plate")), "good\n");
  EXPECT_EQ(text_of(in_hot("plates/b.tif.plate")), "good\n");
  EXPECT_TRUE(fs::exists(in_hot("done/a (2).tif")));
  start();
  const auto finished = [&] { return view().finished; };
  ASSERT_TRUE(until([&] { return finished().size() == 3; }));
  const auto jobs = finished();
  const auto skipped =
      std::ranges::find_if(jobs, [](const auto& job) { return !job.message.empty(); });
  ASSERT_NE(skipped, jobs.end());
  EXPECT_THAT(skipped->message, HasSubstr("not made again, as all of its plates of 20"));
  EXPECT_THAT(skipped->message, HasSubstr("`mezzotint jobs again " + skipped->id + "`"));
  stop();

  settings("redrops: print\n");
  drop("a.tif", "good");
  const SteadyTime begin = now();
  EXPECT_EQ(run_once().failed, 0U);
  EXPECT_LT(now().steady - begin, 1s);
  EXPECT_EQ(text_of(in_hot("plates/a.tif.plate")), "good\ngood\n");
}

TEST_F(WatcherTest, what_was_printed_is_printed_again_when_its_plate_is_lost) {
  const std::string plate = in_hot("plates/a.tif.plate");
  drop("a.tif", "good");
  run_once();
  drop("a.tif", "good");
  run_once();
  EXPECT_EQ(text_of(plate), "good\n");
  fs::remove(plate);
  drop("a.tif", "good");
  run_once();
  EXPECT_EQ(text_of(plate), "good\n");
  std::ofstream(plate, std::ios::app) << "scratched\n";
  drop("a.tif", "good");
  run_once();
  EXPECT_EQ(text_of(plate), "good\nscratched\ngood\n");
  drop("a.tif", "good");  // the newest plate counts
  run_once();
  EXPECT_EQ(text_of(plate), "good\nscratched\ngood\n");
  start();
  ASSERT_TRUE(until([&] { return view().ready; }));
  const auto jobs = view().finished;
  ASSERT_EQ(jobs.size(), 5U);
  EXPECT_THAT(jobs[0].message, HasSubstr("as all of its plates of 20"));
  EXPECT_THAT(jobs[1].message, HasSubstr("a.tif.plate is not the one that was made"));
  EXPECT_THAT(jobs[2].message, testing::StartsWith("made again after 20"));
  EXPECT_THAT(jobs[2].message, HasSubstr("a.tif.plate is gone"));
}

TEST_F(WatcherTest, what_was_printed_is_printed_again_when_a_tile_of_the_press_changes) {
  const TempFolder presses;
  const std::string tile = presses / "house.tif";
  presses.write("house.tif", "one");
  presses.write("xl.yaml",
                "mezzotint-press: 1\nname: XL\nhalftone: {method: tile, file: " + tile + "}\n");
  settings("press: " + (presses / "xl.yaml") + "\n");
  drop("a.tif", "good");
  run_once();
  drop("a.tif", "good");
  run_once();
  EXPECT_EQ(text_of(in_hot("plates/a.tif.plate")), "good\n");
  presses.write("house.tif", "another");
  drop("a.tif", "good");
  run_once();
  EXPECT_EQ(text_of(in_hot("plates/a.tif.plate")), "good\ngood\n");
}

TEST_F(WatcherTest, what_was_printed_is_printed_again_when_a_curve_of_the_press_changes) {
  const TempFolder presses, curves;
  presses.write("xl.yaml",
                "mezzotint-press: 1\nname: XL\ncurves: {library: " + curves.path() + "}\n");
  settings("press: " + (presses / "xl.yaml") + "\n");
  curves.write("c.yaml", "one");
  for (const char* text : {"one", "another"}) {
    if (std::string(text) != "one") curves.write("c.yaml", text);
    drop("a.tif", "good");
    run_once();
    drop("a.tif", "good");
    run_once();
  }
  EXPECT_EQ(text_of(in_hot("plates/a.tif.plate")), "good\ngood\n");
  curves.write("k.yaml", "new");
  drop("a.tif", "good");
  run_once();
  EXPECT_EQ(text_of(in_hot("plates/a.tif.plate")), "good\ngood\ngood\n");
}

TEST_F(WatcherTest, a_done_job_is_made_again_on_request) {
  start();
  for (const size_t jobs : {2, 4}) {
    drop("a.tif", "good");
    drop("b.tif", "bad");
    ASSERT_TRUE(until([&] { return view().finished.size() == jobs; })) << jobs;
  }
  ASSERT_EQ(view().jobs_done, 2U);
  const auto jobs = view().finished;
  const auto job = std::ranges::find_if(
      jobs, [](const auto& one) { return one.name == "a" && one.message.empty(); });
  const auto failed = std::ranges::find(jobs, "b", &watch::JobView::name);
  ASSERT_TRUE(job != jobs.end() && failed != jobs.end());
  const auto ask = [&](const char* verb, const std::string& id) {
    const nlohmann::json reply = query({{"verb", verb}, {"job", id}});
    return reply["ok"] == true ? std::string() : reply["message"].get<std::string>();
  };
  EXPECT_EQ(text_of(in_hot("plates/a.tif.plate")), "good\n");
  EXPECT_THAT(ask("retry", job->id), HasSubstr("`mezzotint jobs again " + job->id + "` makes"));
  EXPECT_THAT(ask("again", failed->id), HasSubstr("`mezzotint jobs retry " + failed->id + "`"));
  EXPECT_EQ(ask("again", "none"), "there is no ended job none");
  fs::rename(in_hot("done/a.tif"), in_hot("../kept.tif"));
  EXPECT_THAT(ask("again", job->id), HasSubstr("no longer where the job left them"));
  drop("a.tif", "good");  // and is known to be printed all the same
  ASSERT_TRUE(until([&] { return view().jobs_done == 3; }));
  EXPECT_EQ(text_of(in_hot("plates/a.tif.plate")), "good\n");
  fs::rename(in_hot("../kept.tif"), in_hot("done/a.tif"));
  EXPECT_EQ(ask("again", job->id), "");
  EXPECT_THAT(ask("again", job->id), HasSubstr("made again already"));
  ASSERT_TRUE(until([&] { return view().jobs_done == 4; }));
  EXPECT_EQ(text_of(in_hot("plates/a.tif.plate")), "good\ngood\n");
  EXPECT_TRUE(fs::exists(in_hot("done/a.tif")));
  const auto after = view().finished;
  EXPECT_EQ(std::ranges::find(after, job->id, &watch::JobView::id)->message, "made again");
}

TEST_F(WatcherTest, a_failed_job_is_dropped_again_on_request) {
  start();
  drop("a.tif", "bad");
  ASSERT_TRUE(until([&] { return view().finished.size() == 1; }));
  const std::string id = view().finished[0].id;
  stop();
  start();  // it is known after a restart
  ASSERT_TRUE(until([&] { return view().ready; }));
  EXPECT_EQ(query({{"verb", "retry"}, {"job", "none"}})["message"], "there is no job none");
  EXPECT_EQ(query({{"verb", "retry"}, {"job", id}})["ok"], true);
  EXPECT_FALSE(fs::exists(in_hot("failed/a.tif.error.txt")));
  EXPECT_EQ(query({{"verb", "retry"}, {"job", id}})["message"],
            "the job was tried again already; its next try is listed as a job of its own");
  ASSERT_TRUE(until([&] { return view().jobs_failed == 1; }));
  EXPECT_TRUE(fs::exists(in_hot("failed/a.tif.error.txt")));
}

TEST_F(WatcherTest, what_is_stuck_is_named) {
  settings("separations: {inks: [cyan, magenta]}\n");
  folder_.write("hot/brochure.pdf", "a PDF");
  drop("milk_cyan.tif", "good");
  start();
  ASSERT_TRUE(until([&] { return view().stuck.size() == 1; }));
  const watch::WatchView seen = view();
  EXPECT_EQ(seen.stuck[0].name, "milk");
  EXPECT_EQ(seen.stuck[0].message, "waits for magenta");
  EXPECT_EQ(seen.stuck[0].missing, std::vector<std::string>{"magenta"});
  const auto left = seen.stuck[0].until - now().wall;
  EXPECT_GT(left, 14min);
  EXPECT_LT(left, 15min);
  ASSERT_EQ(seen.not_taken.size(), 1U);
  EXPECT_EQ(seen.not_taken[0].name, "brochure.pdf");
  EXPECT_EQ(seen.folders[0].stuck, 1U);
  EXPECT_EQ(seen.folders[0].not_taken, 1U);
}

TEST_F(WatcherTest, folders_of_plates_are_known_when_settings_no_longer_ask_for_them) {
  settings("defaults: {output: {path: 'sheets/{stem}.tif'}}\n");
  for (const char* name : {"sheets", "plates", "proofs", "ppf", "other"}) {
    fs::create_directories(in_hot(name));
  }
  start();
  ASSERT_TRUE(until([&] { return !view().not_taken.empty(); }));
  const watch::WatchView seen = view();
  ASSERT_EQ(seen.not_taken.size(), 1U);
  EXPECT_EQ(seen.not_taken[0].name, "other");
}

TEST_F(WatcherTest, a_set_waits_no_longer_for_a_restart) {
  settings("separations: {inks: [cyan, magenta]}\n");
  drop("milk_cyan.tif", "good");
  const auto due = [&] {
    EXPECT_TRUE(until([&] { return view().stuck.size() == 1; }));
    return view().stuck.at(0).until;
  };
  start();
  const WallTime first = due();
  stop();
  machine_.time.advance(500ms);
  start();
  EXPECT_LT(std::chrono::abs(due() - first), 300ms);
  stop();
  drop("milk_cyan.tif", "another");
  start();
  EXPECT_GT(due(), first + 500ms) << "another file";
}

TEST_F(WatcherTest, a_set_whose_time_was_up_before_the_start_is_incomplete) {
  settings("separations: {inks: [cyan, magenta]}\n");
  drop("milk_cyan.tif", "good");
  const WallTime seen = now().wall - 16min;
  watch::JobStore(folder_ / "state")
      .set_arrived(hot(),
                   {{"milk_cyan.tif",
                     files::mark_of(files::FileSystem::real(), in_hot("milk_cyan.tif")).value(),
                     seen}});
  start();
  EXPECT_TRUE(until([&] { return fs::exists(in_hot("incomplete/milk_cyan.tif")); }));
}

TEST_F(WatcherTest, a_job_without_space_waits_and_names_the_disk) {
  drop("a.tif", "asks");
  start();
  ASSERT_TRUE(until([&] { return !view().waiting.empty() && !view().waiting[0].id.empty(); }));
  const watch::WatchView seen = view();
  EXPECT_TRUE(seen.running.empty());
  EXPECT_EQ(seen.waiting[0].state, watch::JobState::kWaiting);
  ASSERT_FALSE(seen.disks.empty());
  EXPECT_GT(seen.disks[0].missing_bytes, 0U);
  EXPECT_TRUE(hot().starts_with(seen.disks[0].path)) << seen.disks[0].path;
  EXPECT_EQ(seen.disks[0].folder, hot());
  EXPECT_THAT(seen.waiting[0].message, HasSubstr("waits for space on " + seen.disks[0].path));
  EXPECT_EQ(seen.folders[0].waiting, 1U);
  EXPECT_EQ(seen.folders[0].running, 0U);
  EXPECT_EQ(seen.folders[0].oldest, seen.waiting[0].since);
}

TEST_F(WatcherTest, a_failed_job_says_what_to_do) {
  drop("a.tif", "bad");
  fs::create_symlink(in_hot("elsewhere"), in_hot("link.tif"));
  for (int round = 0; round < 2; ++round) {  // the second time from the history
    start();
    ASSERT_TRUE(until([&] { return view().jobs_failed == 2; }));
    const watch::WatchView seen = view();
    for (const watch::JobView& job : seen.finished) {
      const bool is_link = job.name == "link.tif";
      EXPECT_EQ(job.can_retry, !is_link) << job.name;
      EXPECT_EQ(job.advice, is_link ? "" : "Make it right.");
      EXPECT_EQ(job.files,
                std::vector<std::string>{in_hot(is_link ? "failed/link.tif" : "failed/a.tif")});
    }
    stop();
  }
}

TEST_F(WatcherTest, a_failed_job_is_listed_until_it_is_dealt_with) {
  for (const char* name : {"a.tif", "b.tif"}) drop(name, "bad");
  EXPECT_EQ(run_once().failed, 2U);
  {
    watch::JobHistory history(folder_ / "state");
    for (size_t i = 0; i < watch::JobHistory::kShown + 50; ++i) {
      watch::StoredJob job;
      job.view.id = "done-" + std::to_string(i);
      job.view.folder = hot();
      job.view.state = watch::JobState::kDone;
      job.view.since = now().wall;
      history.enter(job);
      history.add_ended(job.view);
    }
    EXPECT_EQ(history.counts().failed_shown, 2U);
    EXPECT_EQ(history.ended().size(), watch::JobHistory::kShown + 2);
  }
  const auto failed = [&] {
    std::vector<watch::JobView> jobs = view().finished;
    std::erase_if(jobs, [](const auto& job) { return job.state != watch::JobState::kFailed; });
    EXPECT_EQ(view().jobs_failed, jobs.size());
    return jobs;
  };
  start();
  ASSERT_TRUE(until([&] { return view().ready; }));
  ASSERT_EQ(failed().size(), 2U);
  const std::string first = failed()[0].id;
  EXPECT_EQ(query({{"verb", "dismiss"}, {"job", first}})["ok"], true);
  EXPECT_EQ(query({{"verb", "dismiss"}, {"job", first}})["message"],
            "no failed job " + first + " is listed");
  ASSERT_EQ(failed().size(), 1U);
  const std::string name = failed()[0].name + ".tif";
  folder_.write("new/" + name, "good");
  fs::rename(folder_ / ("new/" + name), in_hot("failed/" + name));
  EXPECT_EQ(query({{"verb", "retry"}, {"job", failed()[0].id}})["ok"], true);
  ASSERT_TRUE(until([&] { return fs::exists(in_hot("done/" + name)); }));
  EXPECT_TRUE(failed().empty());
  stop();
  start();
  ASSERT_TRUE(until([&] { return view().ready; }));
  EXPECT_TRUE(failed().empty());
}

TEST_F(WatcherTest, a_job_is_cancelled_on_request) {
  start();
  drop("a.tif", "hang");
  ASSERT_TRUE(until([&] { return one_works(); }));
  EXPECT_EQ(query({{"verb", "cancel"}, {"job", view().running[0].id}})["ok"], true);
  ASSERT_TRUE(until([&] { return view().finished.size() == 1; }));
  EXPECT_EQ(view().finished[0].state, watch::JobState::kCancelled);
  EXPECT_TRUE(fs::exists(in_hot("failed/a.tif")));
  EXPECT_EQ(query({{"verb", "cancel"}, {"job", "x"}})["message"], "no job x is running");
}

TEST_F(WatcherTest, a_paused_folder_begins_nothing) {
  start();
  ASSERT_TRUE(until([&] { return view().ready; }));
  EXPECT_EQ(query({{"verb", "pause"}, {"folder", hot()}})["ok"], true);
  EXPECT_EQ(query({{"verb", "pause"}, {"folder", "/other"}})["ok"], false);
  drop("a.tif", "good");
  ASSERT_TRUE(until([&] { return view().waiting.size() == 1; }));
  EXPECT_EQ(view().waiting[0].message, "paused");
  EXPECT_TRUE(view().folders[0].paused);
  EXPECT_EQ(query({{"verb", "resume"}})["ok"], true);
  EXPECT_TRUE(until([&] { return fs::exists(in_hot("done/a.tif")); }));
}

TEST_F(WatcherTest, jobs_wait_for_their_hours_and_for_space) {
  // A window of one minute, twelve hours from now.
  const std::time_t later = std::chrono::system_clock::to_time_t(now().wall + 12h);
  std::tm parts{};
  ::localtime_r(&later, &parts);
  char window[16];
  std::strftime(window, sizeof window, "%H:%M", &parts);
  const std::string hours = std::string(window) + "-" + window;
  fs::create_directories(folder_ / "full");
  folder_.write(
      "full/folder.yaml",
      "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\nreserve: 1000 TiB\n");
  // The same end as the beginning is a whole day; so the minute after.
  parts.tm_min += 1;
  parts.tm_isdst = -1;
  std::mktime(&parts);
  char end[16];
  std::strftime(end, sizeof end, "%H:%M", &parts);
  settings("hours: [\"" + std::string(window) + "-" + end + "\"]\n");
  drop("a.tif", "good");
  folder_.write("full/b.tif", "good");
  auto both = options();
  both.folders.push_back(folder_ / "full");
  start(both);
  ASSERT_TRUE(until([&] { return view().waiting.size() == 2; }));
  EXPECT_THAT(view().waiting[0].message, HasSubstr("outside its hours: " + std::string(window)));
  EXPECT_THAT(view().waiting[1].message, HasSubstr("waits for space on /"));
  EXPECT_THAT(view().folders[1].trouble, HasSubstr("waits for space on /"));
  EXPECT_GT(view().disks[0].missing_bytes, 0U);
  EXPECT_EQ(view().disks[0].folder, folder_ / "full");
  settings("");
  ASSERT_TRUE(until([&] { return fs::exists(in_hot("done/a.tif")); }));
  EXPECT_TRUE(fs::exists(folder_ / "full/b.tif"));
}

TEST_F(WatcherTest, with_once_says_that_pages_wait_for_space) {
  settings("");
  EXPECT_EQ(run_once().short_of_space, 0U);
  folder_.write(
      "hot/folder.yaml",
      "mezzotint: 1\nstability: {looks: 2, every: 100 ms, age: 0 s}\nreserve: 1000 TiB\n");
  EXPECT_EQ(run_once().short_of_space, 0U) << "nothing is there";
  drop("a.tif", "good");
  EXPECT_EQ(run_once().short_of_space, 1U);
  EXPECT_TRUE(fs::exists(in_hot("a.tif")));
}

TEST_F(WatcherTest, priority_then_turns_decide_between_folders) {
  fs::create_directories(folder_ / "urgent");
  folder_.write("urgent/folder.yaml", kQuick + std::string("priority: 90\n"));
  auto both = options();
  both.folders.push_back(folder_ / "urgent");
  both.jobs = 1;
  start(both);
  folder_.write("urgent/first.tif", "slow 1500");
  ASSERT_TRUE(until([&] { return view().running.size() == 1; }));
  drop("a.tif", "good");
  for (const char* name : {"x.tif", "y.tif"}) folder_.write(std::string("urgent/") + name, "good");
  ASSERT_TRUE(until([&] { return view().waiting.size() == 3; })) << "while the first one runs";
  ASSERT_TRUE(until([&] { return view().finished.size() == 4; }));
  std::vector<std::string> names;
  for (const watch::JobView& job : view().finished) names.push_back(job.name);
  EXPECT_THAT(names, testing::ElementsAre("a", "y", "x", "first"));  // newest first
}

TEST_F(WatcherTest, a_folder_that_is_gone_is_watched_again_when_it_is_back) {
  start();
  ASSERT_TRUE(until([&] { return view().ready; }));
  for (int cycle = 0; cycle < 2; ++cycle) {
    fs::rename(hot(), folder_ / "away");
    ASSERT_TRUE(until([&] { return !view().folders[0].trouble.empty(); }));
    fs::rename(folder_ / "away", hot());
    ASSERT_TRUE(until([&] { return view().folders[0].trouble.empty(); }));
  }
  drop("a.tif", "good");
  EXPECT_TRUE(until([&] { return fs::exists(in_hot("done/a.tif")); }));
}

TEST_F(WatcherTest, a_name_in_work_waits_for_its_turn) {
  auto slow = options();
  slow.jobs = 4;
  start(slow);
  drop("a.tif", "slow 600");
  ASSERT_TRUE(until([&] { return view().running.size() == 1; }));
  drop("a.tif", "good");
  ASSERT_TRUE(until([&] { return view().jobs_done == 2; }));
  // The newer page, dropped last, is the one that was printed last.
  EXPECT_EQ(text_of(in_hot("plates/a.tif.plate")), "slow 600\ngood\n");
}

TEST_F(WatcherTest, a_name_in_work_waits_for_its_turn_also_in_another_watcher) {
  auto one = options();
  one.state = folder_ / "one";
  Turning other(one);
  others_ = {&other};
  const auto others = [&] { return other.watcher.view(now()); };
  drop("a.tif", "slow 900");
  EXPECT_TRUE(until([&] { return others().running.size() == 1; }));
  start();
  drop("a.tif", "good");
  EXPECT_TRUE(until([&] { return view().jobs_done + others().jobs_done == 2; }));
  EXPECT_EQ(text_of(in_hot("plates/a.tif.plate")), "slow 900\ngood\n");
  stop();
  others_.clear();
}

}  // namespace
}  // namespace mezzo::test::watcher_test
