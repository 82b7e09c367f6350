// Reports of earlier runs, where anyone may have written: report.json and, behind a line of %%%%, report.html.
// The next report takes pictures and times over from them, and stays a page without scripts.

#include <algorithm>
#include <filesystem>

#include "manifests/json/value.h"
#include "pipeline/cluster/picture_keeper.h"
#include "pipeline/report/earlier_report.h"
#include "pipeline/report/report_index.h"
#include "pipeline/report/report_json.h"
#include "pipeline/report/report_page.h"
#include "tests/fuzz/json_tokens.h"
#include "tests/fuzz/support.h"

namespace mezzo::fuzz {
namespace {

constexpr std::string_view kTokens[] = {"<script>",
                                        "\"<script>alert(1)</script>\"",
                                        "\"><script>alert(1)</script>",
                                        "javascript:x",
                                        "data:image/png;base64,AAAA",
                                        "data:text/html,x",
                                        "<img src=\"",
                                        "</div>",
                                        "<div class=\"pictures\" ",
                                        "data-page=\"0\"",
                                        "data-plates=\"",
                                        "width=\"4294967296\"",
                                        "data-x=\"1\" data-y=\"2\"",
                                        "\n%%%%\n",
                                        "\"outcome\":\"good\"",
                                        "\"outcome\":\"<script>\"",
                                        "\"seconds\":",
                                        "\"begin_seconds\":",
                                        "\"timeline\":[[1,0.1,0.3,0.125]]",
                                        "\"timeline\":",
                                        "\"sheets\":[",
                                        "\"pixels\":",
                                        "\"made\":",
                                        "\"finished\":\"2026-11-22T09:14:09Z\"",
                                        "\"stage_seconds\":",
                                        "\"plates\":",
                                        "\"already_done\":true",
                                        "\"input\":",
                                        "\"v\":1",
                                        "\"v\":3",
                                        "\"type\":\"report\"",
                                        "\"good\":",
                                        "\"failed\":",
                                        "\"error\":",
                                        "\"advice\":",
                                        "1e-9",
                                        "1e300"};

/// Two sheets, made by an earlier run.
struct Case {
  Case() {
    plan.job = "Test";
    for (size_t i = 0; i < 2; ++i) {
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
      run::SheetResult made;
      made.index = i;
      made.input = sheet.input;
      made.pages = {0};
      made.pixels = 3'000'000;
      made.plates = {{"black", "out.tif", "g4", 1000, std::string(32, 'a'), 12.5}};
      result.sheets.push_back(made);
    }
  }
  report::ReportData data() { return {plan, result, {}, {}, {{}, {}}}; }

  plan::JobPlan plan;
  run::JobResult result;
};

size_t scripts_in(const std::string& page) {
  size_t count = 0;
  for (size_t at = 0; (at = page.find("<script", at)) != std::string::npos; ++at) ++count;
  return count + static_cast<size_t>(page.find("javascript:") != std::string::npos);
}

void check_report(const std::string& folder) {
  Case next;
  for (run::SheetResult& sheet : next.result.sheets) sheet.already_done = true;
  report::ReportData data = next.data();
  report::take_over(folder, 0, next.result, data);
  const std::string page = report::report_page(data);
  demand(scripts_in(page) == 0, "a report has a script");
  passes([&] { json::parse(report::report_json(data)); }) ? void() : found("a report is no JSON");
}

bool check_summary(const std::string& folder) {
  const auto summary = report::read_summary(folder, WallTime{});
  if (!summary) return false;
  report::IndexEntry entry{
      .job = "j", .manifest = "j.yaml", .folder = "j", .state = report::IndexEntry::State::kEnded};
  entry.summary = summary;
  demand(scripts_in(report::index_page({entry}, WallTime{})) == 0, "an index has a script");
  return true;
}

void check_picture(const Bytes& input) {
  static const cluster::ClusterPlan plan = [] {
    cluster::ClusterPlan made;
    made.path = scratch() / "job.plan";
    std::filesystem::create_directories(made.path + "/pictures");
    made.sheets.resize(1);
    made.sheets[0].page.input = "in/0.tif";
    return made;
  }();
  scratch_file("job.plan/pictures/0-0.json", input);
  const auto picture = cluster::kept_picture(plan, 0, 0);
  if (!picture) return;
  Case next;
  report::ReportData data = next.data();
  data.pictures[0].push_back(*picture);
  demand(scripts_in(report::report_page(data)) == 0, "a picture has a script");
}

}  // namespace

std::vector<Bytes> seeds() {
  Case made;
  report::ReportData data = made.data();
  made.result.sheets[0].seconds = 0.5;
  made.result.sheets[1].failure = {ErrorKind::kData, "in/1.tif: the LZW data is damaged"};
  made.result.sheets[0].timeline = {{1, 0.1, 0.3, 0.125}};
  report::PagePicture picture;
  picture.width_px = picture.height_px = picture.dots_width_px = picture.dots_height_px = 8;
  picture.contone = picture.plate = picture.dots = "data:image/png;base64,AAAA";
  data.pictures[0].push_back(picture);
  const std::string json = report::report_json(data);
  return {bytes_of(json + "\n%%%%\n" + report::sheet_section(data, 0)),
          source_file(
              "tests/golden/old/pages/hot/reports/20261122-091410-f536ffd5cdffc763/report.json")};
}

void change(Bytes& input, Random& random) {
  if (random.one_in(8)) return change_bytes(input, random);
  change_json(input, random, kTokens);
}

void mend(Bytes&) {}

bool run(const Bytes& input) {
  static const std::string folder = [] {
    std::filesystem::create_directories(scratch() / "report");
    return scratch() / "report";
  }();
  const std::vector<std::string> texts = texts_of(input, 2);
  scratch_file("report/report.json", bytes_of(texts[0]));
  scratch_file("report/report.html", bytes_of(texts[1]));
  check_report(folder);
  check_picture(bytes_of(texts[0]));
  return check_summary(folder);
}

}  // namespace mezzo::fuzz
