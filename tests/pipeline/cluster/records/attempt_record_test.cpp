#include "pipeline/cluster/records/attempt_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>

#include "pipeline/cluster/records/attempt_reader.h"
#include "pipeline/cluster/sheet_status.h"
#include "stages/files/temporary_name.h"
#include "tests/pipeline/cluster/records/record_support.h"
#include "tests/support/read_work.h"

namespace mezzo::test::attempt_record_test {
namespace {

using test::FakeAttempt;
using test::RecordStage;
using testing::ElementsAre;
using testing::StartsWith;

std::map<std::string, std::vector<cluster::SealedPlate>> sealed_of(
    const std::vector<cluster::Attempt>& attempts) {
  std::map<std::string, std::vector<cluster::SealedPlate>> sealed;
  for (const cluster::Attempt& attempt : attempts) {
    for (const auto& [plate, one] : attempt.sealed) sealed[plate].push_back(one);
  }
  return sealed;
}

TEST(AttemptRecord, IsReadBackAsItWasWritten) {
  const RecordStage stage;
  FakeAttempt attempt(stage, 0, "n/1 ü" + std::string(60, 'x'));
  attempt.make(0, "bytes");
  attempt.begin(1);
  attempt.fail(1, ErrorKind::kDiskFull);
  attempt.record.end(75);
  EXPECT_THAT(attempt.record.name(), StartsWith("0-n1" + std::string(38, 'x') + "-"));
  const auto all = cluster::read_attempts(stage.plan);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].name, attempt.record.name());
  EXPECT_EQ(all[0].plan, stage.plan.id);
  EXPECT_EQ(all[0].unit, 0U);
  EXPECT_EQ(all[0].writer, to_string(files::this_process()));
  EXPECT_EQ(all[0].slurm_job, "7_0");
  EXPECT_EQ(all[0].status, 75);
  EXPECT_EQ(all[0].begun.size(), 2U);
  const cluster::SealedPlate& sealed = all[0].sealed.at(stage.plate(0));
  EXPECT_EQ(sealed.file_digest.size(), 5 + 32U);
  EXPECT_EQ(sealed.entry.file.bytes, 5U);
  EXPECT_EQ(sealed.entry.settings, "method=x\n");
  EXPECT_EQ(sealed.entry.coverage_percent, 12.5);
  EXPECT_EQ(all[0].ended.at(0).schedule, "rows");
  EXPECT_EQ(all[0].ended.at(0).result.seconds, 1.5);
  ASSERT_TRUE(all[0].ended.at(1).result.failure);
  EXPECT_EQ(all[0].ended.at(1).result.failure->kind, ErrorKind::kDiskFull);
  EXPECT_LE(all[0].began, all[0].last_heard);
  EXPECT_LT(std::chrono::system_clock::now() - all[0].last_heard, std::chrono::hours(1));
  EXPECT_TRUE(cluster::read_attempts(stage.plan, 1).empty());
}

TEST(AttemptRecord, IsInTheFileBeforeAPlateHasItsName) {
  const RecordStage stage;
  FakeAttempt attempt(stage, 0);
  attempt.seal(0, "bytes");
  EXPECT_EQ(cluster::read_attempts(stage.plan).at(0).sealed.count(stage.plate(0)), 1U);
  resume::JournalEntry gone = attempt.entry(1);
  gone.sealed_path = stage.plate(1) + ".part";
  EXPECT_THROW(attempt.record.enter({&gone, 1}), Error);
}

TEST(AttemptRecord, FindsOnlyWhatStandsThere) {
  const RecordStage stage;
  FakeAttempt(stage, 0).make(0, "bytes");
  FakeAttempt attempt(stage, 0, "n2", sealed_of(cluster::read_attempts(stage.plan)));
  const auto found = attempt.record.find(stage.plate(0));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->file, *files::mark_of(files::FileSystem::real(), stage.plate(0)));
  EXPECT_FALSE(attempt.record.find(stage.plate(1)));
  stage.write_plate(0, "other");  // of the same size
  EXPECT_FALSE(attempt.record.find(stage.plate(0)));
  std::filesystem::remove(stage.plate(0));
  EXPECT_FALSE(attempt.record.find(stage.plate(0)));
  stage.write_plate(0, "bytes");  // another inode, the same content
  EXPECT_TRUE(attempt.record.find(stage.plate(0)));
  attempt.record.forget();
  EXPECT_FALSE(attempt.record.find(stage.plate(0)));
}

TEST(AttemptRecord, CopiesWhatItFoundDone) {
  const RecordStage stage;
  std::map<std::string, std::vector<cluster::SealedPlate>> sealed;
  {
    FakeAttempt(stage, 0).make(0, "bytes");
    sealed = sealed_of(cluster::read_attempts(stage.plan));
    std::filesystem::remove(stage.records() + "/" + cluster::read_attempts(stage.plan)[0].name +
                            ".ndjson");
  }
  FakeAttempt attempt(stage, 0, "n2", sealed);
  ASSERT_TRUE(attempt.record.find(stage.plate(0)));
  EXPECT_TRUE(cluster::read_attempts(stage.plan).at(0).sealed.empty());  // found is not yet taken
  run::SheetResult result;
  result.already_done = true;
  attempt.record.sheet_finished(attempt.sheet(0), result);
  EXPECT_EQ(cluster::read_attempts(stage.plan).at(0).sealed.count(stage.plate(0)), 1U);
  EXPECT_EQ(cluster::evaluate_sheets(
                stage.plan, cluster::read_attempts(stage.plan), cluster::VerifyMode::kDigest)[0]
                .state,
            cluster::SheetState::kDone);
}

TEST(AttemptRecord, CutAtAnyByteSaysNothingWrong) {
  const RecordStage stage;
  {
    FakeAttempt attempt(stage, 0);
    attempt.make(0, "bytes");
    attempt.make(1, "more bytes");
    attempt.record.end(0);
  }
  const std::string path =
      stage.records() + "/" + cluster::read_attempts(stage.plan).at(0).name + ".ndjson";
  const std::string whole = test::text_of(path);
  stage.write_plate(1, "MORE BYTES");  // not what was sealed
  const size_t seal_end = whole.find('\n', whole.find("\"type\":\"sealed\""));
  ASSERT_NE(seal_end, std::string::npos);
  size_t done = 0;
  for (size_t bytes = 0; bytes <= whole.size(); ++bytes) {
    std::filesystem::resize_file(path, 0);
    std::ofstream(path, std::ios::binary) << whole.substr(0, bytes);
    const auto all = cluster::evaluate_sheets(
        stage.plan, cluster::read_attempts(stage.plan), cluster::VerifyMode::kDigest);
    ASSERT_EQ(all.size(), 2U);
    ASSERT_EQ(all[0].state == cluster::SheetState::kDone, bytes > seal_end) << bytes;
    ASSERT_EQ(all[1].state, cluster::SheetState::kOpen) << bytes;
    done += all[0].state == cluster::SheetState::kDone;
  }
  EXPECT_EQ(done, whole.size() - seal_end);
}

TEST(AttemptRecord, PassesOverWhatIsNotARecord) {
  const RecordStage stage;
  {
    FakeAttempt attempt(stage, 0);
    attempt.make(0, "bytes");
  }
  const std::string path =
      stage.records() + "/" + cluster::read_attempts(stage.plan).at(0).name + ".ndjson";
  const std::string whole = test::text_of(path);
  const std::string rest = whole.substr(whole.find('\n') + 1);
  std::ofstream(path, std::ios::app) << std::string(4096, '\0') << "\n"
                                     << "garbage\n\n[1]\n{\"v\":1}\n"
                                     << R"({"v":2,"type":"ended","time":1,"status":0})"
                                     << "\n"
                                     << R"({"v":1,"type":"begun","time":1,"sheet":-1})"
                                     << "\n"
                                     << R"({"v":1,"type":"sheet","time":1,"sheet":1})"
                                     << "\n"
                                     << R"({"v":1,"type":"later","time":1})"
                                     << "\n"
                                     << R"({"v":1,"type":"ended","time":"x","status":"y"})"
                                     << "\n"
                                     << R"({"v":1,"type":"begun","time":5,"sheet":1})"
                                     << "\n";
  std::ofstream(stage.records() + "/0-headless-1-2.ndjson") << rest;
  std::ofstream(stage.records() + "/0-empty-1-2.ndjson") << "";
  std::ofstream(stage.records() + "/notes.txt") << "hello";
  std::filesystem::create_directory(stage.records() + "/0-folder.ndjson");
  ASSERT_EQ(::mkfifo((stage.records() + "/0-pipe.ndjson").c_str(), 0600), 0);
  const auto all = cluster::read_attempts(stage.plan);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_FALSE(all[0].status);
  EXPECT_EQ(all[0].begun.size(), 2U);
  EXPECT_EQ(all[0].begun.at(1), WallTime(std::chrono::milliseconds(5)));
  EXPECT_EQ(all[0].ended.size(), 1U);
  EXPECT_EQ(all[0].sealed.size(), 1U);
}

TEST(AttemptRecord, ReadsEachOfManyFilesOnce) {
  const RecordStage stage(8, 8);
  {
    FakeAttempt attempt(stage, 0);
    for (uint32_t i = 0; i < 6; ++i) attempt.make(i, "bytes");
    attempt.record.end(0);
  }
  const std::string text = test::text_of(stage.records() + "/" +
                                         cluster::read_attempts(stage.plan).at(0).name + ".ndjson");
  ASSERT_EQ(std::count(text.begin(), text.end(), '\n'), 20);
  for (int i = 1; i < 1000; ++i) {
    std::ofstream(stage.records() + "/0-n1-" + std::to_string(i) + "-00.ndjson") << text;
  }
  const ReadCount read;
  EXPECT_EQ(cluster::read_attempts(stage.plan).size(), 1000U);
  EXPECT_LT(read.done().bytes, 3 * 1000 * text.size()) << "each file a few times at most";
  EXPECT_LT(read.done().calls, 20U * 1000);
}

TEST(AttemptRecord, NeedsAFolder) {
  const RecordStage stage;
  std::filesystem::remove_all(stage.records());
  EXPECT_TRUE(cluster::read_attempts(stage.plan).empty());
  EXPECT_TRUE(cluster::read_earlier(stage.plan).empty());
  try {
    FakeAttempt attempt(stage, 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kCannotCreate);
  }
}

TEST(CompactRecords, KeepsThePlatesOfEarlierSubmissions) {
  RecordStage stage;
  FakeAttempt(stage, 0).make(0, "first");
  cluster::compact_records(stage.plan, false);
  EXPECT_TRUE(cluster::read_attempts(stage.plan).empty());
  ASSERT_EQ(cluster::read_earlier(stage.plan).size(), 1U);
  stage.plan.id = "ba9876543210";
  {
    FakeAttempt later(stage, 0);
    later.seal(0, "never published");
    later.make(1, "second");
  }
  cluster::compact_records(stage.plan, false);
  const auto earlier = cluster::read_earlier(stage.plan);
  ASSERT_EQ(earlier.size(), 2U);
  EXPECT_EQ(earlier.at(stage.plate(0)).entry.file.bytes, 5U);  // that which stands there
  FakeAttempt again(stage, 0, "n3", {{stage.plate(0), {earlier.at(stage.plate(0))}}});
  EXPECT_TRUE(again.record.find(stage.plate(0)));
  cluster::compact_records(stage.plan, true);
  EXPECT_TRUE(cluster::read_attempts(stage.plan).empty());
  // To be made again, and still ours to replace.
  const auto forgotten = cluster::read_earlier(stage.plan);
  ASSERT_EQ(forgotten.size(), 2U);
  EXPECT_EQ(forgotten.at(stage.plate(0)).entry.settings, "");
  FakeAttempt afresh(stage, 0, "n3", {{stage.plate(0), {forgotten.at(stage.plate(0))}}});
  EXPECT_TRUE(afresh.record.find(stage.plate(0)));
}

TEST(CompactRecords, EndsAttemptsThatAreStillAlive) {
  RecordStage stage;
  FakeAttempt lost(stage, 0);
  lost.begin(0);
  cluster::compact_records(stage.plan, false);  // a later submission, perhaps of other settings
  try {
    lost.seal(0, "bytes");  // or it would get the plate's name next
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBusy);
  }
}

TEST(CompactRecords, HasNothingToForgetInANewFolder) {
  RecordStage stage;
  stage.plan.path += "/none";
  cluster::compact_records(stage.plan, true);
  EXPECT_FALSE(std::filesystem::exists(stage.plan.path));
}

TEST(AttemptRecord, LeavesItsWriterKnownWhenItWasKilled) {
  const RecordStage stage;
  {
    FakeAttempt ended(stage, 0);
    ended.record.end(0);
  }
  cluster::compact_records(stage.plan, false);
  EXPECT_TRUE(cluster::read_earlier_writers(stage.plan).empty()) << "it has removed its own files";
  { const FakeAttempt killed(stage, 0); }
  EXPECT_TRUE(cluster::read_earlier_writers(stage.plan).empty());
  for (const bool forget : {false, false, true, true}) {
    cluster::compact_records(stage.plan, forget);
    EXPECT_THAT(cluster::read_earlier_writers(stage.plan),
                ElementsAre(to_string(files::this_process())));
  }
}

}  // namespace
}  // namespace mezzo::test::attempt_record_test
