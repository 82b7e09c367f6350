// One report of a plan: each sheet once, from whatever attempts made it.

#include "pipeline/cluster/merged_report.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "kernels/registry.h"
#include "pipeline/cluster/picture_keeper.h"
#include "pipeline/report/report_page.h"
#include "stages/files/temporary_name.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tests/stages/tiff/plate/writer_support.h"
#include "tools/synth/page.h"

namespace mezzo::test::merged_report_test {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

const WallTime kBegin = WallTime(std::chrono::seconds(1'800'000'000));

void write_page(const std::string& path, uint64_t seed) {
  const synth::SynthPage page({.width_px = 400, .height_px = 500, .planes = 4, .seed = seed});
  tiff::ContoneOptions options;
  options.width_px = 400;
  options.height_px = 500;
  options.planes = 4;
  options.dpi = 300;
  const auto writer = tiff::ContoneWriter::create(path, options);
  std::vector<std::byte> row(page.row_bytes());
  for (uint32_t y = 0; y < 500; ++y) {
    page.render_rows(y, 1, row.data());
    writer->write_rows(row.data(), 1);
  }
  writer->finish();
}

/// How often `text` has `part`.
size_t count_of(const std::string& text, const std::string& part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

class MergedReport : public ::testing::Test {
 protected:
  MergedReport() {
    plan_.path = folder_ / "job.plan";
    plan_.task.threads = 1;
    plan_.jobs.push_back({.name = "Atlas", .manifest = "", .folder = folder_.path(), .limits = {}});
  }

  /// Adds a sheet of one page, colour.
  void add(const std::string& name) {
    cluster::PlannedSheet sheet;
    sheet.page.input = folder_ / (name + ".tif");
    sheet.page.pages = {0};
    sheet.page.settings.output.path = folder_ / ("plates/" + name + "_{ink}.tif");
    sheet.page.settings.halftone.engine = Engine::kCpu;
    for (const std::string ink : {"cyan", "magenta", "yellow", "black"}) {
      sheet.plates.push_back(
          {ink, manifests::plate_path(sheet.page.settings.output.path, 0, {ink})});
    }
    write_page(sheet.page.input, plan_.sheets.size() + 1);
    plan_.sheets.push_back(sheet);
    statuses_.emplace_back();
  }

  /// Makes these sheets as an attempt does, its first `after` seconds after the first attempt's.
  void attempt(const std::string& node, double after, const std::vector<uint32_t>& sheets) {
    manifests::Job job;
    job.limits.threads = plan_.task.threads;
    for (const uint32_t sheet : sheets) job.pages.push_back(plan_.sheets[sheet].page);
    const plan::JobPlan job_plan = plan::make_plan(job);
    cluster::PictureKeeper keeper(plan_, "attempt-on-" + node);
    keeper.set_job_plan(job_plan, sheets);
    run::RunOptions options;
    options.pictures = &keeper;
    run::JobObserver nobody;
    const std::atomic<bool> stop{false};
    const run::JobResult result = run::run_job(job_plan, options, nobody, stop);
    for (size_t i = 0; i < sheets.size(); ++i) {
      cluster::SheetStatus& status = statuses_[sheets[i]];
      status.state =
          result.sheets[i].failure ? cluster::SheetState::kFailed : cluster::SheetState::kDone;
      status.result = result.sheets[i];
      status.node = node;
      status.engine = to_string(job_plan.sheets[i].engine);
      status.schedule = job_plan.sheets[i].schedule;
      status.schedule_reason = job_plan.sheets[i].schedule_reason;
      status.began = kBegin + std::chrono::milliseconds(static_cast<int64_t>(1000 * after));
      status.failure = result.sheets[i].failure;
      status.result.seconds = 2;
    }
  }

  /// A sheet that was tried and is not made.
  void mark(uint32_t sheet, cluster::SheetState how, ErrorKind kind, const std::string& message) {
    statuses_[sheet].state = how;
    statuses_[sheet].failure = {kind, plan_.sheets[sheet].page.input + ": " + message};
    statuses_[sheet].tries = 2;
    statuses_[sheet].node = "n3";
    statuses_[sheet].began = kBegin;
  }

  void write() { cluster::write_merged_report(plan_, statuses_); }
  json report() const { return json::parse(content_of(folder_ / "job.plan/report/report.json")); }
  std::string page() const { return content_of(folder_ / "job.plan/report/report.html"); }

  std::vector<std::string> pictures() const {
    std::vector<std::string> names;
    std::error_code missing;
    for (const auto& entry :
         std::filesystem::directory_iterator(folder_ / "job.plan/pictures", missing)) {
      names.push_back(entry.path().filename());
    }
    return names;
  }

  TempFolder folder_;
  cluster::ClusterPlan plan_;
  std::vector<cluster::SheetStatus> statuses_;
};

TEST_F(MergedReport, HasEachSheetOnceThoughTwoAttemptsMadeIt) {
  for (const char* name : {"a", "b", "c"}) add(name);
  attempt("n2", 5, {2});
  attempt("n1", 0, {0, 1});
  attempt("n2", 1, {0, 1});  // n1 was thought dead
  statuses_[1].tries = 1;
  write();
  const json found = report();
  EXPECT_EQ(found["outcome"], "good");
  EXPECT_EQ(found["job"], "Atlas");
  EXPECT_EQ(found["good"], 3);
  EXPECT_EQ(found["open"], 0);
  EXPECT_EQ(found["plates"], 12);
  ASSERT_EQ(found["sheets"].size(), 3);
  for (size_t i = 0; i < 3; ++i) {
    const json& sheet = found["sheets"][i];
    EXPECT_EQ(sheet["input"], plan_.sheets[i].page.input);
    EXPECT_EQ(sheet["outcome"], "good");
    EXPECT_EQ(sheet["node"], "n2");
    EXPECT_EQ(sheet["engine"], "cpu");
    EXPECT_EQ(sheet["width_px"], 400);
    EXPECT_EQ(sheet["schedule"], statuses_[i].schedule);
    EXPECT_EQ(sheet["plates"].size(), 4);
    EXPECT_FALSE(sheet.contains("error"));
  }
  EXPECT_EQ(found["sheets"][1]["notes"], json::array({"made at try 2"}));

  const std::string html = page();
  EXPECT_THAT(html, HasSubstr("All 3 sheets are good"));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(count_of(html, "<article class=\"sheet\" id=\"" + report::sheet_id(i) + "\">"), 1);
  }
  EXPECT_EQ(count_of(html, "<article class=\"sheet\""), 3);
  EXPECT_EQ(count_of(html, "<dt>Node</dt><dd>n2</dd>"), 3);
  EXPECT_EQ(count_of(html, "alt=\"Contone of "), 3);
  EXPECT_EQ(count_of(html, "alt=\"Dots at full size of "), 3);
  EXPECT_THAT(pictures(), UnorderedElementsAre("0-0.json", "1-0.json", "2-0.json"));
}

TEST_F(MergedReport, CountsTimesFromTheFirstBegin) {
  for (const char* name : {"a", "b"}) add(name);
  attempt("n1", 7.5, {0});
  attempt("n2", 0.5, {1});
  statuses_[0].result.begin_seconds = 40;  // after its attempt's, which is of no use here
  const run::JobResult result = cluster::merged_result(plan_, statuses_);
  ASSERT_EQ(result.sheets.size(), 2);
  EXPECT_DOUBLE_EQ(result.sheets[0].begin_seconds, 7);
  EXPECT_DOUBLE_EQ(result.sheets[1].begin_seconds, 0);
  EXPECT_DOUBLE_EQ(result.seconds, 9);
  EXPECT_EQ(result.sheets[1].index, 1);
  write();
  EXPECT_EQ(report()["finished"], "2027-01-15T08:00:09Z");
  // A sheet that was found made already: no record of this submission tells when it was begun.
  statuses_[1].began.reset();
  const run::JobResult again = cluster::merged_result(plan_, statuses_);
  EXPECT_DOUBLE_EQ(again.sheets[0].begin_seconds, 0);
  EXPECT_DOUBLE_EQ(again.sheets[1].begin_seconds, 0);
  EXPECT_DOUBLE_EQ(again.seconds, 2);
}

TEST_F(MergedReport, TellsWhatFailedFromWhatIsStillToBeMade) {
  for (const char* name : {"a", "b", "c", "d"}) add(name);
  attempt("n1", 0, {0});
  mark(1, cluster::SheetState::kFailed, ErrorKind::kData, "strip 3 ends early");
  mark(2, cluster::SheetState::kOpen, ErrorKind::kIo, "the share went away");
  const run::JobResult result = cluster::merged_result(plan_, statuses_);
  EXPECT_TRUE(result.out_of_time);
  EXPECT_FALSE(result.all_good());
  ASSERT_EQ(result.sheets.size(), 2);
  write();
  json found = report();
  EXPECT_EQ(found["outcome"], "open");
  EXPECT_EQ(found["good"], 1);
  EXPECT_EQ(found["failed"], 1);
  EXPECT_EQ(found["open"], 2);
  EXPECT_EQ(found["not_begun"], 0);
  EXPECT_EQ(found["sheets"][1]["outcome"], "failed");
  EXPECT_EQ(found["sheets"][1]["error"]["kind"], "data");
  EXPECT_EQ(found["sheets"][1]["node"], "n3");
  EXPECT_EQ(found["sheets"][1]["notes"], json::array({"given up after 2 tries"}));
  EXPECT_EQ(found["sheets"][2]["outcome"], "open");
  EXPECT_EQ(found["sheets"][2]["error"]["kind"], "io");
  EXPECT_FALSE(found["sheets"][2].contains("node"));
  EXPECT_EQ(found["sheets"][3]["outcome"], "open");
  EXPECT_FALSE(found["sheets"][3].contains("error"));
  EXPECT_THAT(page(), HasSubstr("2 of 4 sheets still to be made, 1 failed"));
  EXPECT_THAT(page(), HasSubstr("b.tif: strip 3 ends early"));
  EXPECT_THAT(page(), HasSubstr("c.tif: the share went away"));
  EXPECT_EQ(count_of(page(), "Should it fail again."), 1);
  EXPECT_THAT(page(), Not(HasSubstr("Finished ")));

  attempt("n2", 3, {2, 3});
  write();
  found = report();
  EXPECT_EQ(found["outcome"], "failed");
  EXPECT_EQ(found["open"], 0);
  EXPECT_THAT(page(), HasSubstr("1 of 4 sheets failed"));
  EXPECT_THAT(page(), Not(HasSubstr("the share went away")));
}

TEST_F(MergedReport, KeepsPicturesInTheseBytes) {
  add("a\"\u00e4");
  attempt("n\t1", 0, {0});
  const auto picture = cluster::kept_picture(plan_, 0, 0);
  ASSERT_TRUE(picture);
  EXPECT_EQ(content_of(folder_ / "job.plan/pictures/0-0.json"),
            fmt::format(R"({{"v":1,"type":"picture","input":"{}/a\"ä.tif","page":0,)"
                        R"("width_px":{},"height_px":{},"contone":"{}","plate":"{}",)"
                        R"("dots_width_px":{},"dots_height_px":{},"dots_x":{},"dots_y":{},)"
                        R"("dots":"{}","attempt":"attempt-on-n\t1"}})"
                        "\n",
                        folder_.path(),
                        picture->width_px,
                        picture->height_px,
                        picture->contone,
                        picture->plate,
                        picture->dots_width_px,
                        picture->dots_height_px,
                        picture->dots_x,
                        picture->dots_y,
                        picture->dots));
}

TEST_F(MergedReport, DoesWithoutInputsThatAreGoneAndPicturesThatAreDamaged) {
  for (const char* name : {"a", "b", "c"}) add(name);
  attempt("n1", 0, {0, 1, 2});
  std::filesystem::remove(folder_ / "a.tif");
  // A picture of another page, and one that would be markup.
  json picture = json::parse(content_of(folder_ / "job.plan/pictures/1-0.json"));
  folder_.write("job.plan/pictures/0-0.json", picture.dump());
  picture["plate"] = "data:image/png;base64,\"><script>";
  folder_.write("job.plan/pictures/1-0.json", picture.dump());
  folder_.write("job.plan/pictures/2-0.json", "{\"v\":1,");
  write();
  const json found = report();
  EXPECT_EQ(found["outcome"], "good");
  EXPECT_EQ(found["sheets"][0]["outcome"], "good");
  EXPECT_FALSE(found["sheets"][0].contains("width_px"));
  EXPECT_EQ(found["sheets"][1]["width_px"], 400);
  EXPECT_THAT(page(), Not(HasSubstr("<img")));
  EXPECT_THAT(page(), Not(HasSubstr("<script")));
}

TEST_F(MergedReport, KeepsPicturesOnlyWhereTheyAreWantedAndShown) {
  add("a");
  plan_.pictures = false;
  attempt("n1", 0, {0});
  EXPECT_THAT(pictures(), IsEmpty());
  plan_.pictures = true;
  attempt("n1", 0, {0});
  EXPECT_THAT(pictures(), ElementsAre("0-0.json"));
  ASSERT_TRUE(cluster::kept_picture(plan_, 0, 0));
  EXPECT_THAT(cluster::kept_picture(plan_, 0, 0)->dots, HasSubstr("data:image/png;base64,"));
  EXPECT_FALSE(cluster::kept_picture(plan_, 0, 1));
  plan_.pictures = false;
  write();
  EXPECT_THAT(page(), Not(HasSubstr("<img")));

  // In a long plan they are small, and sheets that have no section of their own need none.
  plan_.pictures = true;
  plan_.sheets.resize(report::kMostSections + 1, plan_.sheets.front());
  statuses_.resize(plan_.sheets.size());
  attempt("n1", 0, {0});
  EXPECT_EQ(cluster::kept_picture(plan_, 0, 0)->dots, "");
  attempt("n1", 0, {report::kMostSections});
  EXPECT_THAT(pictures(), ElementsAre("0-0.json"));
}

TEST_F(MergedReport, IsMadeWithoutPicturesThatCannotBeKept) {
  add("a");
  folder_.write("job.plan/pictures");  // a file where the folder should be
  attempt("n1", 0, {0});
  EXPECT_EQ(statuses_[0].state, cluster::SheetState::kDone);
  write();
  EXPECT_EQ(report()["outcome"], "good");
}

TEST_F(MergedReport, RemovesTemporaryFilesOfItsPlatesAndAttemptsAlone) {
  add("a");
  attempt("n1", 0, {0});
  const files::Writer here{1, files::this_process().machine};  // process 1 is alive
  const files::Writer elsewhere{7, "0123456789abcdef"}, stranger{7, "0123456789abcdee"};
  const files::Writer earlier{8, "0123456789abcdef"};
  cluster::Attempt killed, other;
  killed.writer = to_string(here);
  other.writer = to_string(elsewhere);
  folder_.write("job.plan/records/earlier.ndjson",
                "{\"v\": 1, \"type\": \"killed\", \"writer\": \"8-0123456789abcdef\"}\n");
  const auto temporary = [](const std::string& plate, const files::Writer& writer) {
    return "." + plate + files::temporary_tail(writer, 0x0123abcd);
  };
  for (const files::Writer& writer : {here, elsewhere, earlier, stranger}) {
    folder_.write("plates/" + temporary("a_cyan.tif", writer));
  }
  folder_.write("plates/" + temporary("b_cyan.tif", elsewhere));
  folder_.write("plates/.a_cyan.tif.7-0123abcd.part");  // of which machine, nobody knows
  folder_.write("plates/.a_cyan.tif.part");
  const cluster::Attempt unknown;  // of an older record
  cluster::remove_temporaries(plan_, {killed, other, unknown});
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "plates")) {
    names.push_back(entry.path().filename());
  }
  EXPECT_THAT(names,
              UnorderedElementsAre("a_cyan.tif",
                                   "a_magenta.tif",
                                   "a_yellow.tif",
                                   "a_black.tif",
                                   temporary("a_cyan.tif", stranger),
                                   temporary("b_cyan.tif", elsewhere),
                                   ".a_cyan.tif.7-0123abcd.part",
                                   ".a_cyan.tif.part"));
}

}  // namespace
}  // namespace mezzo::test::merged_report_test
