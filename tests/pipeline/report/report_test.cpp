// The report of a job: what it says, how large it is, and that nobody's text becomes markup.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "pipeline/plan/provenance.h"
#include "pipeline/report/compose.h"
#include "pipeline/report/html_text.h"
#include "pipeline/report/job_report.h"
#include "pipeline/report/page_png.h"
#include "pipeline/report/report_index.h"
#include "pipeline/report/report_json.h"
#include "pipeline/report/report_page.h"
#include "tests/stages/tiff/plate/writer_support.h"
#include "tests/support/effort.h"

namespace mezzo::test::report_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Lt;
using ::testing::Not;

const std::string kHostile = "in/\"><script>alert(1)</script>\xFF\n'.tif";

/// A plan of so many sheets of a page, grey, that can run.
plan::JobPlan plan_of(size_t sheets) {
  plan::JobPlan plan;
  plan.job = "Test";
  plan.threads = 2;
  for (size_t i = 0; i < sheets; ++i) {
    plan::SheetPlan sheet;
    sheet.input = "in/" + std::to_string(i) + ".tif";
    sheet.pages = {0};
    PageInfo info;
    info.width_px = 2000;
    info.height_px = 1500;
    info.inks = {"black"};
    sheet.infos = {info};
    sheet.plates = {{"black", "out.tif"}};
    plan.sheets.push_back(sheet);
  }
  return plan;
}

run::SheetResult good(size_t index) {
  run::SheetResult sheet;
  sheet.index = index;
  sheet.pixels = 3'000'000;
  sheet.seconds = 0.5;
  sheet.begin_seconds = 0.25;
  sheet.stages[1] = 0.125;
  sheet.timeline = {{1, 0.1, 0.3, 0.125}};
  sheet.plates = {{"black", "out.tif", "g4", 1000, "0123456789abcdef", 12.5}};
  return sheet;
}

/// Noise in every picture, which is what codecs like least.
PreviewImages noise(size_t inks) {
  std::mt19937 random(5);
  PreviewImages images;
  const char* names[] = {"cyan", "magenta", "yellow", "black"};
  for (size_t i = 0; i < inks; ++i) {
    PreviewImages::Ink ink{names[i], {256, 192, {}}, {256, 192, {}}, {160, 160, {}}};
    for (size_t k = 0; k < 256 * 192; ++k) {
      ink.contone.coverage.push_back(static_cast<uint8_t>(k / 256 + random() % 16));
      ink.plate.coverage.push_back(static_cast<uint8_t>(k / 256 + random() % 32));
    }
    for (size_t k = 0; k < 160 * 160; ++k) {
      ink.dots.coverage.push_back(random() % 2 == 0 ? 255 : 0);
    }
    images.inks.push_back(ink);
  }
  return images;
}

TEST(Report, JsonSaysWhatBecameOfEverySheet) {
  const plan::JobPlan plan = plan_of(3);
  run::JobResult result;
  result.seconds = 2;
  result.interrupted = true;
  result.sheets = {good(0), {}};
  result.sheets[1].index = 1;
  result.sheets[1].failure = {ErrorKind::kDiskFull, "the disk is full"};
  const json report = json::parse(report::report_json({plan, result, {}, {}, {{}, {}, {}}}));
  EXPECT_EQ(report["v"], 2);
  EXPECT_EQ(report["outcome"], "interrupted");
  EXPECT_EQ(report["finished"], "1970-01-01T00:00:00Z");
  EXPECT_EQ(report["good"], 1);
  EXPECT_EQ(report["failed"], 1);
  EXPECT_EQ(report["not_begun"], 1);
  EXPECT_EQ(report["plate_bytes"], 1000);
  EXPECT_EQ(report["stage_seconds"]["halftone"], 0.125);
  const json& sheets = report["sheets"];
  EXPECT_EQ(sheets[0]["outcome"], "good");
  EXPECT_EQ(sheets[0]["pages"], json::array({1}));
  EXPECT_EQ(sheets[0]["begin_seconds"], 0.25);
  EXPECT_EQ(sheets[0]["timeline"], json::parse("[[1, 0.1, 0.3, 0.125]]"));
  EXPECT_EQ(sheets[0]["plates"][0]["coverage_percent"], 12.5);
  EXPECT_EQ(sheets[1]["outcome"], "failed");
  EXPECT_EQ(sheets[1]["error"]["kind"], "disk-full");
  EXPECT_EQ(sheets[1]["error"]["message"], "the disk is full");
  EXPECT_THAT(sheets[1]["error"]["advice"].get<std::string>(), HasSubstr("Free some disk space"));
  EXPECT_EQ(sheets[2]["outcome"], "not-begun");
}

TEST(Report, JsonIsTheseBytes) {
  plan::JobPlan plan = plan_of(3);
  plan.job = kHostile;
  plan.memory_bytes = UINT64_MAX;
  plan.sheets[0].pages = {0, 6};
  plan.sheets[0].infos[0].resolution = {300, 254.5};
  plan.sheets[0].infos[0].format = "8 bits, LZW";
  plan.sheets[0].schedule = "rows";
  plan.sheets[0].schedule_reason = "\xFF";
  plan.sheets[1].settings.halftone = {"threshold", Engine::kCpu, "", {{"level", 100.0 / 3}}};
  plan.sheets[2].failure = run::Failure{ErrorKind::kData, "a\nb"};
  run::JobResult result;
  result.seconds = 1234567.8901234;
  result.sheets = {good(0), {}, {}};
  result.sheets[0].node = "n\"1";
  result.sheets[0].notes = {kHostile};
  result.sheets[1].index = 1;
  result.sheets[1].failure = {ErrorKind::kDiskFull, kHostile};
  result.sheets[2].index = 2;
  result.sheets[2].failure = plan.sheets[2].failure;
  const std::chrono::system_clock::time_point finished(std::chrono::milliseconds(1790000000999));
  std::string text = report::report_json({.plan = plan,
                                          .result = result,
                                          .not_started = run::Failure{ErrorKind::kUsage, "no"},
                                          .finished = finished,
                                          .pictures = {{}, {}, {}},
                                          .of_cluster = true});
  text.replace(
      text.find(plan::provenance_software()), plan::provenance_software().size(), "PROGRAM");
  EXPECT_EQ(
      text,
      R"({"v":2,"type":"report","program":"PROGRAM",)"
      R"("job":"in/\"><script>alert(1)</script>�\n'.tif","finished":"2026-09-21T14:13:20Z",)"
      R"("outcome":"not-started","error":{"kind":"usage","message":"no",)"
      R"("advice":"Change what the message names, then try again."},"seconds":1234567.890123,"threads":2,)"
      R"("memory_bytes":18446744073709551615,"pixels":3000000,"plates":1,"plate_bytes":1000,)"
      R"("good":1,"failed":2,"not_begun":0,"open":0,"stages":["read","halftone","GPU","cut",)"
      R"("encode","write","seal"],"stage_seconds":{"read":0.0,"halftone":0.125,"GPU":0.0,)"
      R"("cut":0.0,"encode":0.0,"write":0.0,"seal":0.0},"sheets":[{"input":"in/0.tif",)"
      R"("pages":[1,7],"pixels":3000000,"input_bytes":0,"begin_seconds":0.25,"seconds":0.5,)"
      R"("stage_seconds":{"read":0.0,"halftone":0.125,"GPU":0.0,"cut":0.0,"encode":0.0,)"
      R"("write":0.0,"seal":0.0},"verified":false,"already_done":false,)"
      R"("notes":["in/\"><script>alert(1)</script>�\n'.tif"],"timeline":[[1,0.1,0.3,0.125]],)"
      R"("plates":[{"ink":"black","path":"out.tif","compression":"g4","file_bytes":1000,)"
      R"("content_sum":"0123456789abcdef","coverage_percent":12.5}],"outcome":"good",)"
      R"("node":"n\"1","width_px":2000,"height_px":1500,"x_dpi":300.0,"y_dpi":254.5,)"
      R"("format":"8 bits, LZW","method":"floyd-steinberg","parameters":{},"tone":"identity",)"
      R"("engine":"cpu","schedule":"rows","schedule_reason":"�","compression":"auto"},)"
      R"({"input":"in/1.tif","pages":[1],"pixels":0,"input_bytes":0,"begin_seconds":0.0,)"
      R"("seconds":0.0,"stage_seconds":{"read":0.0,"halftone":0.0,"GPU":0.0,"cut":0.0,)"
      R"("encode":0.0,"write":0.0,"seal":0.0},"verified":false,"already_done":false,)"
      R"("notes":[],"timeline":[],"plates":[],"outcome":"failed","error":{"kind":"disk-full",)"
      R"("message":"in/\"><script>alert(1)</script>�\n'.tif",)"
      R"("advice":"Free some disk space and run the job again."},"width_px":2000,)"
      R"("height_px":1500,"x_dpi":0.0,"y_dpi":0.0,"format":"","method":"threshold",)"
      R"("parameters":{"level":"33.333333333333336"},"tone":"identity","engine":"cpu",)"
      R"("schedule":"","schedule_reason":"","compression":"auto"},{"input":"in/2.tif",)"
      R"("pages":[1],"pixels":0,"input_bytes":0,"begin_seconds":0.0,"seconds":0.0,)"
      R"("stage_seconds":{"read":0.0,"halftone":0.0,"GPU":0.0,"cut":0.0,"encode":0.0,)"
      R"("write":0.0,"seal":0.0},"verified":false,"already_done":false,"notes":[],)"
      R"("timeline":[],"plates":[],"outcome":"failed","error":{"kind":"data",)"
      R"("message":"a\nb",)"
      R"("advice":"Correct what the message names."},"width_px":2000,"height_px":1500,)"
      R"("x_dpi":0.0,"y_dpi":0.0,"format":"","method":"floyd-steinberg","parameters":{},)"
      R"("tone":"identity","engine":"cpu","schedule":"","schedule_reason":"",)"
      "\"compression\":\"auto\"}]}\n");
}

TEST(Report, EscapesWhatOthersWrote) {
  EXPECT_EQ(report::escape_foreign("<b>&\"'\xFF\n"),
            "&lt;b&gt;&amp;&quot;&#39;\xEF\xBF\xBD\xEF\xBF\xBD");
  plan::JobPlan plan = plan_of(2);
  plan.job = kHostile;
  for (plan::SheetPlan& sheet : plan.sheets) {
    sheet.input = kHostile;
    sheet.infos[0].format = kHostile;
  }
  run::JobResult result;
  result.seconds = 1;
  result.sheets = {good(0), {}};
  result.sheets[0].notes = {kHostile};
  result.sheets[0].plates[0].ink = kHostile;
  result.sheets[0].plates[0].path = kHostile;
  result.sheets[1].index = 1;
  result.sheets[1].failure = {ErrorKind::kData, kHostile};
  const report::ReportData data{plan, result, {}, {}, {{}, {}}};
  const std::string page = report::report_page(data);
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("\xFF")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_TRUE(json::parse(report::report_json(data)).is_object());
}

TEST(Report, SaysWhatFailedFirst) {
  const plan::JobPlan plan = plan_of(2);
  run::JobResult result;
  result.sheets = {good(0), {}};
  result.sheets[1].index = 1;
  result.sheets[1].failure = {ErrorKind::kChecksum, "another file"};
  const std::string page = report::report_page({plan, result, {}, {}, {{}, {}}});
  EXPECT_THAT(page, HasSubstr("1 of 2 sheets failed"));
  EXPECT_THAT(page, HasSubstr(std::string(report::advice_on(ErrorKind::kChecksum))));
  EXPECT_LT(page.find("another file"), page.find("id=\"overview\""));
}

TEST(Report, BringsWarningsAndNotesToItsHead) {
  plan::JobPlan plan = plan_of(2);
  plan.sheets[1].warnings = {"its colours become one grey plate"};
  run::JobResult result;
  result.sheets = {good(0), good(1)};
  const auto page = [&] { return report::report_page({plan, result, {}, {}, {{}, {}}}); };
  EXPECT_THAT(page(), HasSubstr("All 2 sheets are good, with 1 warning<"));
  for (run::SheetResult& sheet : result.sheets) sheet.notes = {"2 extra channels ignored"};
  EXPECT_THAT(page(), HasSubstr("All 2 sheets are good, with 1 warning and 2 notes<"));
  EXPECT_THAT(page(),
              HasSubstr("<li><bdi>0.tif</bdi>, <bdi>1.tif</bdi>: 2 extra channels ignored</li>"));
  plan.sheets[1].warnings = {};
  EXPECT_THAT(page(), HasSubstr("All 2 sheets are good, with 2 notes<"));
}

TEST(Report, NamesPagesWhereTheirFileHasMore) {
  plan::SheetPlan sheet;
  const auto text = [&](std::vector<uint32_t> pages, uint32_t of_file) {
    sheet.pages = std::move(pages);
    sheet.file_pages = of_file;
    return report::pages_text(sheet);
  };
  EXPECT_EQ(text({0}, 1), "");
  EXPECT_EQ(text({0, 1, 2}, 3), "");
  EXPECT_EQ(text({0}, 3), "page 1");
  EXPECT_EQ(text({2}, 3), "page 3");
  EXPECT_EQ(text({2}, 0), "page 3") << "of a file that cannot be read now";
  EXPECT_EQ(text({0, 1, 2, 4, 8, 9}, 12), "pages 1-3, 5, 9-10");
  EXPECT_EQ(text({0, 2, 4, 6, 8, 10, 12}, 14), "") << "too many to list";
}

TEST(Report, HasThePageBesideThePlatesThatItsChainMakes) {
  plan::JobPlan plan = plan_of(3);
  plan.sheets[0].sources = plan.sheets[0].infos;
  plan.sheets[0].infos[0].width_px = 1234;
  plan.sheets[0].stages = {"crop", "scale"};
  plan.sheets[1].stages = {"rotate by 180 degrees clockwise"};  // the size stays as it is
  run::JobResult result;
  result.sheets = {good(0), good(1), good(2)};
  result.sheets[1].index = 1;
  result.sheets[2].index = 2;
  const report::ReportData data{plan, result, {}, {}, {{}, {}, {}}};
  const json sheets = json::parse(report::report_json(data))["sheets"];
  EXPECT_EQ(sheets[0]["page"]["width_px"], 2000);
  EXPECT_EQ(sheets[0]["width_px"], 1234);
  EXPECT_EQ(sheets[0]["chain"], json({"crop", "scale"}));
  EXPECT_EQ(sheets[1]["page"]["width_px"], 2000);
  EXPECT_EQ(sheets[1]["width_px"], 2000);
  EXPECT_FALSE(sheets[2].contains("page"));
  const std::string page = report::report_page(data);
  EXPECT_THAT(page, HasSubstr("crop; scale"));
  EXPECT_THAT(page, HasSubstr("rotate by 180 degrees clockwise"));
}

TEST(Report, SumsProtectionAndLineWorkOverThePlates) {
  plan::JobPlan plan = plan_of(1);
  plan::SheetPlan& sheet = plan.sheets[0];
  sheet.linework.emplace_back().settings.file = "art/<type>.tif";
  run::JobResult result;
  result.sheets = {good(0)};
  result.sheets[0].plates.push_back(result.sheets[0].plates[0]);
  for (run::PlateResult& plate : result.sheets[0].plates) {
    plate.protection = {.paper_px = 40, .solid_px = 30, .mended_px = 5};
    plate.linework = {.printed_px = 600, .knocked_out_px = 70};
  }
  const std::string page = report::report_page({plan, result, {}, {}, {{}}});
  EXPECT_THAT(page, HasSubstr("80&nbsp;px of paper and 60&nbsp;px of solids, 10 of them mended"));
  EXPECT_THAT(page,
              HasSubstr("&lt;type&gt;.tif in black, over the other inks; 1200&nbsp;px printed and "
                        "140&nbsp;px knocked out"));
}

TEST(Report, NamesInksThatHaveNoColourOfTheirOwn) {
  const plan::JobPlan plan = plan_of(1);
  run::JobResult result;
  result.sheets = {good(0)};
  result.sheets[0].plates.push_back({"PANTONE 185 C", "spot.tif", "g4", 1000, "0", 49});
  const std::string page = report::report_page({plan, result, {}, {}, {{}}});
  EXPECT_THAT(page, HasSubstr("<span class=\"spot\">PANTONE 185 C </span>49.0&nbsp;%"));
  EXPECT_THAT(page, HasSubstr("<span class=\"unseen\">black </span>12.5&nbsp;%"));
}

TEST(Report, IsSmallEnoughToMail) {
  // Pictures of a page, colour and noisy, and a job of many.
  const test::TempFolder folder;
  // Of more than 160 pages pictures are smaller.
  for (const size_t sheets : {size_t{1}, effort::choose<size_t>(170, 1000)}) {
    const plan::JobPlan plan = plan_of(sheets);
    report::JobReport report(plan, folder / std::to_string(sheets));
    run::JobResult result;
    result.seconds = 10;
    const PreviewImages pictures = noise(4);
    for (size_t i = 0; i < sheets; ++i) {
      report.page_seen(plan.sheets[i], 0, pictures);
      result.sheets.push_back(good(i));
    }
    report.write(result);
    const std::string page = content_of(folder / std::to_string(sheets) + "/report.html");
    EXPECT_THAT(page, HasSubstr("data:image/jpeg;base64,"));
    EXPECT_THAT(page.size(), Lt(sheets == 1 ? 75U << 10 : 10'000 * sheets)) << sheets << " sheets";
  }
}

TEST(Report, HasTheFirstGoodSheetAsItsThumbnail) {
  const test::TempFolder folder;
  const plan::JobPlan plan = plan_of(3);
  report::JobReport report(plan, folder.path());
  for (const plan::SheetPlan& sheet : plan.sheets) report.page_seen(sheet, 0, noise(1));
  run::JobResult result;
  for (size_t i = 0; i < 3; ++i) result.sheets.push_back(good(i));
  result.sheets[0].failure = {ErrorKind::kIo, "torn"};
  report.write(result);
  const std::string picture = content_of(folder / "thumbnail.jpg");
  ASSERT_THAT(picture, testing::StartsWith("\xff\xd8\xff"));
  const std::string page = content_of(folder / "report.html");
  EXPECT_EQ(page.find("data:image/jpeg;base64,"), page.find(report::base64(picture)) - 23)
      << "the first picture of the page";
  report::JobReport(plan, folder.path()).write({});
  EXPECT_FALSE(std::filesystem::exists(folder / "thumbnail.jpg")) << "of an earlier report";
}

/// A result whose sheets an earlier run made.
run::JobResult made_before(size_t sheets) {
  run::JobResult result;
  result.seconds = 0.000'01;
  for (size_t i = 0; i < sheets; ++i) {
    run::SheetResult sheet;
    sheet.index = i;
    sheet.input = "in/" + std::to_string(i) + ".tif";
    sheet.pages = {0};
    sheet.pixels = 3'000'000;
    sheet.already_done = true;
    sheet.plates = {{"black", "out.tif", "g4", 1000, "0123456789abcde" + std::to_string(i), 12.5}};
    result.sheets.push_back(sheet);
  }
  return result;
}

/// The same sheets in the run that makes them.
run::JobResult made_now(size_t sheets) {
  run::JobResult result = made_before(sheets);
  result.seconds = 2;
  for (run::SheetResult& sheet : result.sheets) {
    sheet.already_done = false;
    sheet.input_bytes = 5000;
    sheet.seconds = 0.5;
    sheet.begin_seconds = 0.25;
    sheet.stages[1] = 0.125;
    sheet.timeline = {{1, 0.1, 0.3, 0.125}};
  }
  return result;
}

class Rerun : public testing::Test {
 public:
  Rerun() { plan.sheets[0].infos[0].notes = {"RGB becomes grey"}; }

  /// A run that makes the sheets, with pictures of them.
  void run_first(const plan::JobPlan& of_first) const {
    report::JobReport first(of_first, folder.path());
    for (const plan::SheetPlan& sheet : of_first.sheets) first.page_seen(sheet, 0, noise(4));
    first.write(made_now(of_first.sheets.size()));
  }
  void run_again() const {
    report::JobReport(plan, folder.path()).write(made_before(plan.sheets.size()));
  }
  std::string page() const { return content_of(folder / "report.html"); }
  json data() const { return json::parse(content_of(folder / "report.json")); }
  static size_t count(const std::string& text, const std::string& part) {
    size_t found = 0;
    for (size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
    return found;
  }

  const test::TempFolder folder;
  plan::JobPlan plan = plan_of(2);
};

TEST_F(Rerun, KeepsWhatTheFirstRunSaid) {
  run_first(plan);
  const std::string first = page();
  const std::string finished = data()["finished"];
  for (int i = 0; i < 2; ++i) {
    run_again();
    EXPECT_EQ(data()["made"],
              json({{"finished", finished}, {"seconds", 2.0}, {"pixels", 6'000'000}}));
    EXPECT_EQ(data()["sheets"][0]["seconds"], 0.5);
    EXPECT_EQ(data()["sheets"][0]["input_bytes"], 5000);
    EXPECT_EQ(data()["sheets"][0]["notes"], json::array({"RGB becomes grey"}));
    EXPECT_THAT(page(), HasSubstr("<dt>Time</dt><dd>2.0 s</dd>"));
    EXPECT_THAT(page(), HasSubstr("<dt>Speed</dt><dd>3 Mpx/s</dd>"));
    EXPECT_THAT(page(), HasSubstr("found unchanged"));
    EXPECT_THAT(page(), HasSubstr("<dt>Made before</dt><dd>2</dd>"));
    EXPECT_EQ(count(page(), "good</span><div class=\"when\">made before</div>"), 2U);
    EXPECT_EQ(count(page(), "data:image/"), 6U) << "pictures of two sheets";
    EXPECT_THAT(page(), HasSubstr("id=\"timeline\""));
    const size_t pictures = first.find("<div class=\"pictures\"");
    EXPECT_THAT(page(),
                HasSubstr(first.substr(pictures, first.find("</div>", pictures) - pictures)));
    EXPECT_TRUE(std::filesystem::exists(folder / "thumbnail.jpg"));
  }
}

TEST_F(Rerun, TellsSheetsOfOneInputApartByTheirPlates) {
  const auto with_twins = [](run::JobResult result) {
    for (size_t i = 0; i < 2; ++i) {
      result.sheets[i].input = "in/0.tif";
      result.sheets[i].plates[0].content_sum = "0123456789abcdef";
      result.sheets[i].plates[0].path = "out/" + std::to_string(i) + ".tif";
    }
    return result;
  };
  plan.sheets[1].input = plan.sheets[0].input;
  run::JobResult first = with_twins(made_now(2));
  first.sheets[0].verified = tiff::VerifyLevel::kRecompute;
  first.sheets[1].verified = tiff::VerifyLevel::kBytes;
  report::JobReport(plan, folder.path()).write(first);
  report::JobReport(plan, folder.path()).write(with_twins(made_before(2)));
  EXPECT_EQ(data()["sheets"][0]["verified_by"], "recompute");
  EXPECT_EQ(data()["sheets"][1]["verified_by"], "bytes");
}

TEST_F(Rerun, ShowsItsOwnTimesWhenItMadeASheet) {
  run_first(plan_of(1));
  run::JobResult result = made_before(2);
  result.sheets[1] = made_now(2).sheets[1];
  result.seconds = 1;
  report::JobReport second(plan, folder.path());
  second.page_seen(plan.sheets[1], 0, noise(4));
  second.write(result);
  EXPECT_FALSE(data().contains("made"));
  EXPECT_EQ(data()["sheets"][0]["seconds"], 0.5);
  EXPECT_EQ(data()["sheets"][0]["timeline"], json::array());
  EXPECT_EQ(data()["stage_seconds"]["halftone"], 0.125) << "of this run";
  EXPECT_THAT(page(), HasSubstr("<dt>Made before</dt><dd>1</dd>"));
  EXPECT_EQ(count(page(), "good</span><div class=\"when\">made before</div>"), 1U);
  EXPECT_THAT(page(), HasSubstr("<dt>Speed</dt><dd>3 Mpx/s</dd>"));
  EXPECT_EQ(count(page(), "data:image/"), 6U);
}

TEST_F(Rerun, PromisesNothingWithoutTheFirstReport) {
  run_again();
  EXPECT_THAT(page(), Not(HasSubstr("<dt>Time</dt><dd>0 ms")));
  EXPECT_THAT(page(), Not(HasSubstr("<dt>Speed</dt>")));
  EXPECT_THAT(page(), Not(HasSubstr("dots at full size")));
  EXPECT_THAT(page(), HasSubstr("shown without pictures"));
  EXPECT_THAT(page(), HasSubstr("RGB becomes grey"));
}

TEST_F(Rerun, TakesNothingButImagesFromAPage) {
  run_first(plan);
  std::string text = page();
  const size_t uri = text.find("data:image/jpeg;base64,");
  text.replace(uri, 22, "https://example.org/a?");
  folder.write("report.html", text);
  run_again();
  EXPECT_THAT(page(), Not(HasSubstr("example.org")));
  for (const std::string& damaged :
       {text.substr(0, uri + 10), std::string("<html>"), std::string()}) {
    folder.write("report.html", damaged);
    run_again();
    EXPECT_THAT(page(), HasSubstr("<dt>Time</dt><dd>2.0 s</dd>"));
    EXPECT_EQ(count(page(), "data:image/"), 0U);
  }
  folder.write("report.json", "{\"v\":1,\"type\":\"report\",\"sheets\":[{}]}");
  run_again();
  EXPECT_THAT(page(), Not(HasSubstr("<dt>Speed</dt>")));
}

TEST_F(Rerun, KeepsTheTimesOfALargeReport) {
  run_first(plan);
  json report = data();
  const json sheet = report["sheets"][1];
  report["sheets"][1] = sheet;
  for (int i = 0; i < 100; ++i) {
    json& other = report["sheets"].emplace_back(sheet);
    other["input"] = "other.tif";
    other["more"] = std::string(200'000, 'x');
  }
  std::swap(report["sheets"][1], report["sheets"].back());
  folder.write("report.json", report.dump());
  run_again();
  EXPECT_EQ(data()["sheets"][0]["seconds"], 0.5);
  EXPECT_EQ(data()["sheets"][1]["seconds"], 0.5);
  EXPECT_EQ(data()["made"]["seconds"], 2.0);
}

TEST_F(Rerun, TakesNoTimesThatNoRunTakes) {
  run_first(plan);
  const json first = data();
  const auto again_with = [&](const json& changed) {
    folder.write("report.json", changed.dump());
    run_again();
    return data();
  };
  for (const double seconds : {-1.0, 1e300, 1e-300}) {
    json report = first;
    report["sheets"][0]["seconds"] = seconds;
    report["sheets"][1]["timeline"][0][2] = seconds;
    EXPECT_EQ(again_with(report)["sheets"][0]["seconds"], 0.0) << seconds;
    EXPECT_FALSE(data().contains("made")) << seconds;
    report = first;
    report["seconds"] = seconds;
    EXPECT_EQ(again_with(report)["sheets"][0]["seconds"], 0.5) << seconds;
    EXPECT_FALSE(data().contains("made")) << seconds;
  }
  json report = first;
  report["finished"] = "soon";
  EXPECT_FALSE(again_with(report).contains("made"));
  report = first;
  for (int i = 0; i < 1000; ++i) report["sheets"][0]["timeline"].push_back({1, i, i + 1, 1});
  EXPECT_EQ(again_with(report)["sheets"][0]["timeline"], json::array());
  EXPECT_EQ(data()["sheets"][1]["timeline"].size(), 1U);
  report = first;
  report["more"] = std::vector<int>(1'000'000);
  EXPECT_EQ(again_with(report)["sheets"][0]["seconds"], 0.0) << "which would take much memory";
}

TEST(ReportIndex, CountsWhatTheReportsSay) {
  const test::TempFolder folder;
  plan::JobPlan plan = plan_of(2);
  plan.sheets[0].warnings = {"a"};
  run::JobResult result;
  result.seconds = 2;
  result.sheets = {good(0), {}};
  result.sheets[0].notes = {"b", "c"};
  result.sheets[1].index = 1;
  result.sheets[1].failure = {ErrorKind::kData, "torn"};
  const auto begin = std::chrono::system_clock::now();
  report::JobReport(plan, folder.path()).write(result);
  EXPECT_FALSE(report::read_summary(folder.path(), begin + std::chrono::seconds(5)))
      << "the report of an earlier night";
  const auto summary = report::read_summary(folder.path(), begin);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->outcome, "failed");
  EXPECT_EQ(summary->good, 1U);
  EXPECT_EQ(summary->failed, 1U);
  EXPECT_EQ(summary->plates, 1U);
  EXPECT_EQ(summary->warnings, 1U);
  EXPECT_EQ(summary->notes, 2U);
  EXPECT_EQ(summary->seconds, 2);
  EXPECT_EQ(summary->made_before, 0U);
  EXPECT_EQ(summary->problem, "in/1.tif: torn");
  folder.write("report.json", "{");
  EXPECT_FALSE(report::read_summary(folder.path(), begin));
}

/// What the index says of a job of `plan`, whose run came to `result`.
report::ReportSummary summary_of(const plan::JobPlan& plan,
                                 const run::JobResult& result,
                                 const std::optional<run::Failure>& not_started = {}) {
  const test::TempFolder folder;
  report::JobReport(plan, folder.path()).write(result, not_started);
  return report::read_summary(folder.path(), {}).value();
}

TEST(ReportIndex, SaysWhyAJobFailed) {
  plan::JobPlan plan = plan_of(3);
  plan.folder = "/jobs/labels";
  for (plan::SheetPlan& sheet : plan.sheets) sheet.input = plan.folder + "/" + sheet.input;
  plan.sheets[1].failure = run::Failure{ErrorKind::kData, plan.sheets[1].input + " is damaged"};
  run::JobResult result;
  result.sheets = {good(0), {}};
  result.sheets[1].index = 1;
  result.sheets[1].failure = plan.sheets[1].failure;
  EXPECT_EQ(summary_of(plan, result).problem, "in/1.tif is damaged");
  plan.sheets[2].failure = run::Failure{ErrorKind::kIo, "no disk"};
  EXPECT_EQ(summary_of(plan, result).problem, "in/1.tif is damaged (and 1 more failed sheet)");
  EXPECT_EQ(summary_of(plan, {}, run::Failure{ErrorKind::kBusy, "another run"}).problem,
            "another run");
}

TEST(ReportIndex, SaysWhatWasMadeBefore) {
  const plan::JobPlan plan = plan_of(2);
  run::JobResult result = made_before(2);
  EXPECT_EQ(summary_of(plan, result).made_before, 2U);
  result.sheets[1].already_done = false;
  EXPECT_EQ(summary_of(plan, result).made_before, 1U);
  report::ReportSummary summary{"good", 65, 14, 0, 0, 20, 0, 0, 14};
  const auto page = [&] {
    return report::index_page(
        {{"Labels", "a.yaml", "a", report::IndexEntry::State::kEnded, "", summary}}, {});
  };
  EXPECT_THAT(page(), HasSubstr("<td>14 sheets<div class=\"when\">all made before</div></td>"));
  summary.made_before = 3;
  EXPECT_THAT(page(), HasSubstr("<td>14 sheets<div class=\"when\">3 made before</div></td>"));
  summary.good = summary.made_before = 1;
  EXPECT_THAT(page(), HasSubstr("<td>1 sheet<div class=\"when\">made before</div></td>"));
}

TEST(ReportIndex, ListsEveryManifest) {
  using State = report::IndexEntry::State;
  const report::ReportSummary good{"good", 65, 14, 0, 0, 20, 1, 2};
  const report::ReportSummary bad{"failed", 1, 1, 1, 0, 2, 0, 0, 0, "in/1.tif is damaged"};
  std::vector<report::IndexEntry> entries = {
      {"Labels", "a.yaml", "Labels & more", State::kEnded, "", good},
      {"Boxes", "b.yaml", "Boxes", State::kEnded, "", bad},
      {"Cups", "c.yaml", "Cups", State::kEnded, "the disk is full"},
      {kHostile, kHostile, kHostile, State::kRunning},
      {"", "e.yaml", "", State::kRefused, "line 3: unknown key"}};
  const std::string page = report::index_page(entries, {});
  EXPECT_THAT(page,
              HasSubstr("1 of 5 jobs good: 1 failed, 1 did not start, 1 running, 1 refused<"));
  EXPECT_THAT(page, HasSubstr("<a href=\"./Labels%20%26%20more/report.html\"><bdi>Labels</bdi>"));
  EXPECT_THAT(page, HasSubstr("<td>14 sheets</td><td>20 plates</td><td>1 warning, 2 notes</td>"));
  EXPECT_THAT(page, HasSubstr("<td>1 of 2 sheets good, 1 failed</td>"));
  EXPECT_THAT(page, HasSubstr("<div class=\"message\">in/1.tif is damaged</div>"));
  EXPECT_THAT(page, HasSubstr("line 3: unknown key"));
  EXPECT_THAT(page, HasSubstr("As of "));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  entries.resize(1);
  EXPECT_THAT(report::index_page(entries, {}), HasSubstr("The job is good"));
}

TEST(Compose, PutsInksOverEachOther) {
  PreviewImages::Ink cyan{"cyan", {2, 1, {255, 0}}, {}, {2, 1, {255, 0}}};
  PreviewImages::Ink yellow{"yellow", {2, 1, {255, 0}}, {}, {2, 1, {255, 255}}};
  const proof::PrintColours colours{
      {100, 0, 0}, {{55, -37, -50}, {89, -5, 93}}, {{3, {50, -65, 27}}}};
  const auto shown = [](const proof::Lab& lab) { return proof::srgb_of(proof::xyz_of(lab)); };
  const report::ColourImage both =
      report::compose({cyan, yellow}, &PreviewImages::Ink::contone, colours);
  EXPECT_EQ(both.pixels[0], shown({50, -65, 27}));
  EXPECT_EQ(both.pixels[1], (report::Rgb{255, 255, 255}));
  const report::IndexedImage dots = report::compose_dots({cyan, yellow}, colours);
  EXPECT_EQ(dots.palette[dots.pixels[0]], shown({50, -65, 27}));
  EXPECT_EQ(dots.palette[dots.pixels[1]], shown({89, -5, 93}));
}

TEST(Compose, ShowsALoneInkAsBlack) {
  PreviewImages::Ink spot{"PANTONE 185", {2, 1, {255, 51}}, {}, {}};
  const proof::PrintColours colours =
      report::shown_colours({{95, 0, -2}, {{50, 0, 0}}, {}}, {"PANTONE 185"});
  const report::ColourImage image = report::compose({spot}, &PreviewImages::Ink::contone, colours);
  EXPECT_EQ(image.pixels[0], (report::Rgb{0, 0, 0}));
  EXPECT_NEAR(image.pixels[1][0], 209, 1);  // 0.8^2 of the light
}

}  // namespace
}  // namespace mezzo::test::report_test
