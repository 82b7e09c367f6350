#include "pipeline/watch/job/job_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>

#include "kernels/base/error.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::job_store_test {
namespace {

using test::TempFolder;
using testing::HasSubstr;

watch::StoredJob sample(const std::string& id) {
  watch::StoredJob job;
  job.view = {.id = id,
              .folder = "/hot\xFF",  // need not be UTF-8
              .name = "a",
              .state = watch::JobState::kDone,
              .tries = 2,
              .message = "it's \"so\"",
              .since = WallTime(std::chrono::milliseconds(1234567890123)),
              .seconds = 1.5,
              .pixels = 10,
              .pixels_done = 9,
              .plates = {{"K", "/plates/\xC3\x28.tif", 12.5}},
              .report = "/r"};
  job.digest = "d1";
  job.files = {{"a.tif", "done/a\xFE (2).tif"}};
  return job;
}

TEST(JobStore, remembers_the_next_step_of_failed_jobs) {
  const TempFolder folder;
  watch::StoredJob job = sample("1");
  job.view.folder = "/hot";
  job.view.state = watch::JobState::kFailed;
  job.view.advice = "Drop it again.";
  job.view.can_retry = false;
  job.files = {{"a.tif", "failed/a.tif"}};
  watch::JobStore(folder / "state").enter(job);
  const std::vector<watch::JobView> failed = watch::JobStore(folder / "state").failed(10);
  ASSERT_EQ(failed.size(), 1U);
  EXPECT_EQ(failed[0].advice, "Drop it again.");
  EXPECT_FALSE(failed[0].can_retry);
  EXPECT_EQ(failed[0].files, std::vector<std::string>{"/hot/failed/a.tif"});
}

TEST(JobStore, remembers_over_restarts) {
  const TempFolder folder;
  watch::JobStore(folder / "state").enter(sample("1"));
  watch::JobStore store(folder / "state");
  EXPECT_EQ(store.damage(), "");
  const auto job = store.find("1");
  ASSERT_TRUE(job);
  const watch::JobView& view = job->view;
  EXPECT_EQ(view.folder, "/hot\xFF");
  EXPECT_EQ(view.state, watch::JobState::kDone);
  EXPECT_EQ(view.tries, 2U);
  EXPECT_EQ(view.message, "it's \"so\"");
  EXPECT_EQ(view.since, sample("1").view.since);
  EXPECT_EQ(view.seconds, 1.5);
  EXPECT_EQ(view.pixels_done, 9U);
  ASSERT_EQ(view.plates.size(), 1U);
  EXPECT_EQ(view.plates[0].path, "/plates/\xC3\x28.tif");
  EXPECT_EQ(view.plates[0].coverage_percent, 12.5);
  ASSERT_EQ(job->files.size(), 1U);
  EXPECT_EQ(job->files[0].name, "a.tif");
  EXPECT_EQ(job->files[0].path, "done/a\xFE (2).tif");
  EXPECT_FALSE(store.find("2"));
}

TEST(JobStore, knows_the_files_of_jobs_that_ended_lately) {
  const TempFolder folder;
  watch::JobStore store(folder.path());
  watch::StoredJob job = sample("1");
  const files::FileMark mark{.bytes = 1, .inode = 2, .modified_ns = -3, .changed_ns = 4};
  job.files.push_back({.name = "b.tif", .path = "done/b.tif", .mark = mark});
  store.enter(job);
  const auto minute = std::chrono::minutes(1);
  EXPECT_TRUE(store.ended_since(job.view.since + minute, 10).empty());
  const auto jobs = store.ended_since(job.view.since - minute, 10);
  ASSERT_EQ(jobs.size(), 1U);
  ASSERT_EQ(jobs[0].files.size(), 2U);
  EXPECT_EQ(jobs[0].files[0].mark, files::FileMark());
  EXPECT_EQ(jobs[0].files[1].mark, mark);
  job.files.clear();
  store.enter(job);
  EXPECT_TRUE(store.ended_since(job.view.since - minute, 10).empty());
}

TEST(JobStore, keeps_the_digests_of_files_that_it_knows) {
  const TempFolder folder;
  watch::JobStore store(folder.path());
  watch::StoredJob job = sample("1");
  const files::FileMark mark{.bytes = 1, .inode = 2, .modified_ns = -3, .changed_ns = 4};
  job.files = {
      {"a.tif", "done/a.tif", mark, "0123"}, {"b.tif", "done/b.tif", mark}, {"c", "done/c"}};
  store.enter(job);
  const auto found = store.find("1");
  ASSERT_EQ(found->files.size(), 3U);
  EXPECT_EQ(found->files[0].mark, mark);
  EXPECT_EQ(found->files[0].digest, "0123");
  EXPECT_EQ(found->files[1].mark, mark);
  EXPECT_EQ(found->files[1].digest, "");
  EXPECT_EQ(found->files[2].mark, files::FileMark());
}

TEST(JobStore, keeps_the_marks_of_plates_where_all_are_known) {
  const TempFolder folder;
  watch::JobStore store(folder.path());
  watch::StoredJob job = sample("1");
  store.enter(job);
  EXPECT_TRUE(store.find("1")->plate_marks.empty());
  const files::FileMark mark{.bytes = 1, .inode = 2, .modified_ns = -3, .changed_ns = 4};
  job.plate_marks = {mark};
  store.enter(job);
  EXPECT_EQ(store.find("1")->plate_marks, job.plate_marks);
  EXPECT_EQ(store.find("1")->view.plates[0].path, "/plates/\xC3\x28.tif");
  job.view.plates.push_back({"C", "/c.tif", 1});
  store.enter(job);
  EXPECT_TRUE(store.find("1")->plate_marks.empty());
  EXPECT_EQ(store.find("1")->view.plates.size(), 2U);
}

TEST(JobStore, keeps_lists_in_these_bytes) {
  const TempFolder folder;
  watch::StoredJob job = sample("1");
  job.view.plates.push_back({"\"\n", "\x01\xFF\u00e4", 1.0 / 3});
  watch::JobStore(folder.path()).enter(job);
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "watch.db").c_str(), &database), SQLITE_OK);
  sqlite3_stmt* row = nullptr;
  sqlite3_prepare_v2(database, "SELECT plates, files FROM jobs", -1, &row, nullptr);
  ASSERT_EQ(sqlite3_step(row), SQLITE_ROW);
  const auto text = [&](int column) {
    return std::string(reinterpret_cast<const char*>(sqlite3_column_text(row, column)));
  };
  EXPECT_EQ(text(0),
            R"([{"coverage_percent":12.5,"ink":"K","path":"/plates/Ã(.tif"},)"
            R"({"coverage_percent":0.3333333333333333,"ink":"\"\n","path":"\u0001ÿÃ¤"}])");
  EXPECT_EQ(text(1), R"([["a.tif","done/aþ (2).tif"]])");
  sqlite3_finalize(row);
  sqlite3_close(database);
}

TEST(JobStore, leaves_out_what_is_damaged_in_lists) {
  const TempFolder folder;
  watch::JobStore(folder.path()).enter(sample("1"));
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "watch.db").c_str(), &database), SQLITE_OK);
  const char* damage =
      R"(UPDATE jobs SET files='["a",["b"],["c","d"],["e",1]]', plates='[1,{"ink":"k"},)"
      R"({"ink":"k","path":"p","coverage_percent":"1"},)"
      R"({"ink":"k","path":"p","coverage_percent":1,"more":[]}]')";
  ASSERT_EQ(sqlite3_exec(database, damage, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(database);
  const auto job = watch::JobStore(folder.path()).find("1");
  ASSERT_TRUE(job);
  ASSERT_EQ(job->view.plates.size(), 1U);
  EXPECT_EQ(job->view.plates[0].path, "p");
  ASSERT_EQ(job->files.size(), 1U);
  EXPECT_EQ(job->files[0].path, "d");
}

TEST(JobStore, finds_what_was_done_with_the_same_content) {
  const TempFolder folder;
  watch::JobStore store(folder.path());
  watch::StoredJob job = sample("1");
  store.enter(job);
  EXPECT_TRUE(store.find_done(job.view.folder, "d1"));
  EXPECT_FALSE(store.find_done("/other", "d1"));
  EXPECT_FALSE(store.find_done(job.view.folder, "d2"));
  EXPECT_FALSE(store.find_done(job.view.folder, ""));
  job.view.state = watch::JobState::kFailed;
  store.enter(job);
  EXPECT_FALSE(store.find_done(job.view.folder, "d1"));
  EXPECT_EQ(store.failed(100).size(), 1U);
}

TEST(JobStore, keeps_failed_jobs_apart_until_they_are_dismissed) {
  const TempFolder folder;
  watch::StoredJob job = sample("1");
  job.view.state = watch::JobState::kFailed;
  watch::JobStore(folder.path()).enter(job);
  watch::JobStore(folder.path()).enter(sample("2"));
  watch::JobStore store(folder.path());
  EXPECT_EQ(store.latest(100).size(), 1U);
  ASSERT_EQ(store.failed(100).size(), 1U);
  EXPECT_EQ(store.failed(100)[0].id, "1");
  store.dismiss("1");
  EXPECT_TRUE(store.failed(100).empty());
  EXPECT_TRUE(watch::JobStore(folder.path()).failed(100).empty());
}

TEST(JobStore, shows_the_latest_first) {
  const TempFolder folder;
  watch::JobStore store(folder.path());
  for (const char* id : {"1", "2", "3"}) store.enter(sample(id));
  const auto jobs = store.latest(2);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].id, "3");
  EXPECT_EQ(jobs[1].id, "2");
}

TEST(JobStore, an_entry_keeps_its_place) {
  const TempFolder folder;
  watch::JobStore store(folder.path());
  for (const char* id : {"1", "2", "1"}) store.enter(sample(id));
  const auto jobs = store.latest(10);
  ASSERT_EQ(jobs.size(), 2U);
  EXPECT_EQ(jobs[0].id, "2");
  EXPECT_EQ(jobs[1].id, "1");
}

TEST(JobStore, keeps_the_files_that_wait) {
  const TempFolder folder;
  const WallTime seen{std::chrono::milliseconds(1790000000999)};
  const std::string name = "\xFF caf\xE9_cyan.tif";
  const watch::ArrivedFile file{name, {1, 2, 3, 4}, seen};
  watch::JobStore(folder.path()).set_arrived("/hot", {file, file});
  {
    watch::JobStore store(folder.path());
    store.set_arrived("/other", {{"b.tif", {5, 6, 7, 8}, seen}});
    const std::vector<watch::ArrivedFile> files = store.arrived("/hot");
    ASSERT_EQ(files.size(), 1U);
    EXPECT_EQ(files[0].name, name);
    EXPECT_EQ(files[0].mark, file.mark);
    EXPECT_EQ(files[0].seen, seen);
    store.set_arrived("/hot", {});
  }
  EXPECT_TRUE(watch::JobStore(folder.path()).arrived("/hot").empty());
  EXPECT_EQ(watch::JobStore(folder.path()).arrived("/other").size(), 1U);
}

TEST(JobStore, remembers_which_folders_had_settings) {
  const TempFolder folder;
  {
    watch::JobStore store(folder.path());
    EXPECT_FALSE(store.had_settings("/hot\xFF"));
    store.set_had_settings("/hot\xFF");
    store.set_had_settings("/hot\xFF");
  }
  EXPECT_TRUE(watch::JobStore(folder.path()).had_settings("/hot\xFF"));
  EXPECT_FALSE(watch::JobStore(folder.path()).had_settings("/hot"));
}

TEST(JobStore, reads_a_history_that_knows_nothing_of_settings) {
  const TempFolder folder;
  watch::JobStore(folder.path()).enter(sample("1"));
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open((folder / "watch.db").c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, "DROP TABLE had_settings", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  watch::JobStore store(folder.path());
  EXPECT_EQ(store.damage(), "");
  EXPECT_TRUE(store.find("1"));
  EXPECT_FALSE(store.had_settings("/hot"));
}

TEST(JobStore, sets_a_damaged_history_aside) {
  const TempFolder folder;
  folder.write("watch.db", std::string(5000, 'x'));
  EXPECT_THAT(watch::JobStore(folder.path()).damage(), HasSubstr("watch.db.bad-1"));
  EXPECT_TRUE(std::filesystem::exists(folder / "watch.db.bad-1"));
  watch::JobStore store(folder.path());
  EXPECT_EQ(store.damage(), "");
  store.enter(sample("1"));
  EXPECT_EQ(store.latest(100).size(), 1U);
}

}  // namespace
}  // namespace mezzo::test::job_store_test
