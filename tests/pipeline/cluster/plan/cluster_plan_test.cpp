// Plans as files: what is written is what is read, and nothing else is read.

#include "pipeline/cluster/plan/cluster_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "kernels/base/error.h"
#include "manifests/curve/curve_file.h"
#include "manifests/settings/setting.h"
#include "pipeline/cluster/plan/plan_check.h"
#include "pipeline/cluster/plan/plan_file.h"
#include "pipeline/cluster/plan/plan_json.h"
#include "pipeline/cluster/plan/plan_lock.h"
#include "stages/files/input_file.h"
#include "stages/files/temporary_name.h"
#include "tests/pipeline/cluster/pages.h"
#include "tests/pipeline/cluster/plan/plan_of_format_1.h"
#include "tests/support/every_setting.h"

namespace mezzo::test::cluster_plan_test {
namespace {

using Json = nlohmann::ordered_json;
using test::TempFolder;
using test::WorkingFolder;
using testing::ElementsAre;
using testing::HasSubstr;

/// A plan of two jobs, five sheets, two of which failed, and two units, with something in every
/// field.
cluster::ClusterPlan some_plan(const std::string& folder) {
  cluster::ClusterPlan plan;
  plan.path = folder;
  plan.id = "0123456789ab";
  plan.program = "mezzotint 9";
  plan.made = std::chrono::system_clock::time_point(std::chrono::milliseconds(1'790'000'000'007));
  plan.pictures = false;
  plan.task = {.engine = cluster::ClusterEngineKind::kLocal,
               .threads = 3,
               .memory_bytes = UINT64_MAX,
               .gpus = 1,
               .tries = 7,
               .at_once = 9,
               .program = "/opt/mezzotint",
               .partition = "night",
               .begin = "now+1hour",
               .sbatch = {"--account=press", "--nice"}};
  plan.jobs = {{"first", "/jobs/first.yaml", "/jobs", {1ULL << 31, 3ULL << 30, 2}},
               {"zweiter ä", "", "/", {}}};
  cluster::PlannedSheet sheet;
  sheet.page.input = "/jobs/in/page.1.tif";
  sheet.page.stem = "page.1";
  sheet.page.pages = {4, 0, 4};
  sheet.page.sha256 = std::string(64, 'a');
  sheet.page.settings.halftone = {"threshold", Engine::kAutomatic, "", {{"level", 100.0 / 3}}};
  sheet.page.settings.tone = {true, 1.0 + 0x1p-52, {{0.1 + 0.2, 0}, {99.999999999999986, 100}}};
  sheet.page.settings.output = {"/plates/..{{page}}/{{{ink}}}.tif", "g4", false};
  sheet.plates = {{"cyan", "/plates/..{page}/{cyan}.tif"},
                  {"black", "/plates/..{page}/{black}.tif"}};
  sheet.pixels = 1ULL << 63;
  plan.sheets.push_back(sheet);
  cluster::PlannedSheet other;
  other.page.input = "/jobs/two.tif";
  other.page.stem = "two";
  other.page.pages = {1};
  other.page.settings.output.path = "/plates/two_{page}.tif";
  other.plates = {{"black", "/plates/two_2.tif"}};
  plan.sheets.push_back(other);
  other.job = 1;
  other.page.settings.output.path = "/plates/three.tif";
  other.plates = {{"black", "/plates/three.tif"}};
  plan.sheets.push_back(other);
  other.failure =
      run::Failure{ErrorKind::kCannotCreate, "/jobs/two.tif: zwei \"gleiche\" Namen, ä"};
  plan.sheets.push_back(other);
  other.page.pages.clear();
  other.plates.clear();
  other.failure = run::Failure{ErrorKind::kData, ""};
  plan.sheets.push_back(other);
  plan.units = {{0, 2}, {2, 3}};
  return plan;
}

void expect_same(const cluster::PlannedSheet& a, const cluster::PlannedSheet& b) {
  EXPECT_EQ(a.job, b.job);
  EXPECT_EQ(a.page.input, b.page.input);
  EXPECT_EQ(a.page.stem, b.page.stem);
  EXPECT_EQ(a.page.pages, b.page.pages);
  EXPECT_EQ(a.page.sha256, b.page.sha256);
  EXPECT_EQ(a.page.ink, b.page.ink);
  EXPECT_EQ(a.page.linework, b.page.linework);
  EXPECT_EQ(a.page.settings, b.page.settings);
  EXPECT_EQ(a.pixels, b.pixels);
  ASSERT_EQ(a.failure.has_value(), b.failure.has_value());
  if (a.failure) {
    EXPECT_EQ(a.failure->kind, b.failure->kind);
    EXPECT_EQ(a.failure->message, b.failure->message);
  }
  ASSERT_EQ(a.plates.size(), b.plates.size());
  for (size_t i = 0; i < a.plates.size(); ++i) {
    EXPECT_EQ(a.plates[i].ink, b.plates[i].ink);
    EXPECT_EQ(a.plates[i].path, b.plates[i].path);
    EXPECT_EQ(a.plates[i].page_ink, b.plates[i].page_ink);
    EXPECT_EQ(a.plates[i].screen, b.plates[i].screen);
    EXPECT_EQ(a.plates[i].numbers, b.plates[i].numbers);
    ASSERT_EQ(a.plates[i].curves.size(), b.plates[i].curves.size());
    for (size_t c = 0; c < a.plates[i].curves.size(); ++c) {
      EXPECT_EQ(*a.plates[i].curves[c].curve, *b.plates[i].curves[c].curve);
      EXPECT_EQ(a.plates[i].curves[c].file, b.plates[i].curves[c].file);
    }
  }
}

void expect_same(const cluster::ClusterPlan& a, const cluster::ClusterPlan& b) {
  EXPECT_EQ(a.path, b.path);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.program, b.program);
  EXPECT_EQ(a.made, b.made);
  EXPECT_EQ(a.pictures, b.pictures);
  EXPECT_EQ(a.task.engine, b.task.engine);
  EXPECT_EQ(a.task.threads, b.task.threads);
  EXPECT_EQ(a.task.memory_bytes, b.task.memory_bytes);
  EXPECT_EQ(a.task.gpus, b.task.gpus);
  EXPECT_EQ(a.task.tries, b.task.tries);
  EXPECT_EQ(a.task.at_once, b.task.at_once);
  EXPECT_EQ(a.task.program, b.task.program);
  EXPECT_EQ(a.task.partition, b.task.partition);
  EXPECT_EQ(a.task.begin, b.task.begin);
  EXPECT_EQ(a.task.sbatch, b.task.sbatch);
  ASSERT_EQ(a.jobs.size(), b.jobs.size());
  for (size_t i = 0; i < a.jobs.size(); ++i) {
    EXPECT_EQ(a.jobs[i].name, b.jobs[i].name);
    EXPECT_EQ(a.jobs[i].manifest, b.jobs[i].manifest);
    EXPECT_EQ(a.jobs[i].folder, b.jobs[i].folder);
    EXPECT_EQ(a.jobs[i].limits, b.jobs[i].limits);
  }
  ASSERT_EQ(a.sheets.size(), b.sheets.size());
  for (size_t i = 0; i < a.sheets.size(); ++i) expect_same(a.sheets[i], b.sheets[i]);
  ASSERT_EQ(a.units.size(), b.units.size());
  for (size_t i = 0; i < a.units.size(); ++i) {
    EXPECT_EQ(a.units[i].first, b.units[i].first);
    EXPECT_EQ(a.units[i].count, b.units[i].count);
  }
}

/// Gives a sheet what few sheets have.
void add_rare_settings(cluster::PlannedSheet& sheet) {
  sheet.page.ink = "PANTONE 185 C";
  sheet.page.linework = {{"/jobs/in/type.tif", "all", std::nullopt, std::string(32, 'b')},
                         {"/jobs/in/marks.tif", "cyan", true, std::string(32, 'c')}};
  sheet.page.settings.extra_channels = "ignore";
  sheet.page.settings.scale = "area";
  sheet.page.settings.protect = {false, true};
  sheet.page.settings.assumed_dpi = 72;
  sheet.page.settings.output.mirror = true;
  sheet.page.settings.output.resolution_dpi = 2400;
  sheet.page.settings.output.negative = true;
  sheet.page.settings.geometry = {.crop = manifests::Crop{1, 2, 3, 4},
                                  .trim = {5, 6, 7, 8},
                                  .rotate_degrees = 90,
                                  .copies = {9, 10, 11}};
  sheet.page.settings.inks = {{.ink = "black",
                               .label = "K",
                               .halftone = {.method = "bayer", .parameters = {{"order", 2}}},
                               .over = {{"tone.invert", false},
                                        {"tone.gamma", 2.0},
                                        {"tone.curve", std::vector<CurvePoint>{{0, 0}, {100, 90}}},
                                        {"protect", "paper"},
                                        {"output.path", "/k/{label}.tif"},
                                        {"output.compression", "g4"}}},
                              {.ink = "gold", .label = {}, .plate = "brass"},
                              {.ink = "white", .label = {}, .is_dropped = true},
                              {.ink = "red", .label = {}, .shares = {{"m", 90}, {"y", 100}}}};
  sheet.page.settings.press = {
      "XL 106, board", std::string(32, 'c'), {{"black", {"PB", "Tiefschwarz"}}, {"spot"}}};
  sheet.plates[0].page_ink = "gold";
  sheet.plates[0].screen = {{"cell_repeats", 5}, {"cell_m", 66}, {"cell_n", 18}};
}

/// With all that plans can have.
cluster::ClusterPlan full_plan() {
  cluster::ClusterPlan plan = some_plan("");
  add_rare_settings(plan.sheets[0]);
  plan.sheets[1].page.settings = every_setting();
  plan.sheets[2].page.settings.halftone.levels =
      LevelSettings{.drops = {0, 40, 100}, .format = LevelFormat::kPlanes};
  plan.sheets[2].page.settings.output.replace = false;
  plan.sheets[2].page.settings.extra_channels = "inks";
  return plan;
}

class PlanFiles : public testing::Test {
 protected:
  std::string file() const { return plan_ + "/plan.json"; }

  void write(const std::string& text) const { folder_.write("job.plan/plan.json", text); }

  std::string text() const { return files::read_text(file(), 1 << 20, files::FileSystem::real()); }

  /// Why a text is no plan; empty when it is one. As load_plan() does, without the file.
  static std::string fault(const std::string& text) {
    try {
      cluster::check_plan(cluster::parse_plan(text));
      return {};
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData) << error.what();
      return error.what();
    }
  }

  /// The message with which a plan of this text is refused; empty when it is read. Fails for an
  /// error of another kind, and for one that does not name the file.
  std::string refusal(const std::string& text) const {
    write(text);
    try {
      cluster::load_plan(plan_);
      return {};
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData) << error.what();
      EXPECT_THAT(error.what(), testing::StartsWith(file() + ": "));
      return error.what();
    }
  }

  ErrorKind kind_of_refusal(const std::string& path) const {
    try {
      cluster::load_plan(path);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::kBug;
  }

  TempFolder folder_;
  const std::string plan_ = folder_ / "job.plan";
};

TEST_F(PlanFiles, AreReadAsTheyWereWritten) {
  const cluster::ClusterPlan plan = some_plan(plan_);
  cluster::save_plan(plan);
  expect_same(cluster::load_plan(plan_), plan);
  for (const char* name : {"records", "pictures", "logs", "report"}) {
    EXPECT_TRUE(std::filesystem::is_directory(plan_ + "/" + name)) << name;
  }
  cluster::save_plan(plan);  // over the older one
  expect_same(cluster::load_plan(plan_), plan);
  EXPECT_THAT(folder_.names(), ElementsAre("job.plan"));
}

TEST_F(PlanFiles, KeepWhatFewSheetsHave) {
  const cluster::ClusterPlan plan = full_plan();
  expect_same(cluster::parse_plan(cluster::plan_text(plan)), plan);
}

TEST_F(PlanFiles, AreReadInFormat1) {
  const cluster::ClusterPlan plan = cluster::parse_plan(kPlanOfFormat1);
  expect_same(plan, full_plan());
  EXPECT_EQ(cluster::plan_text(plan), cluster::plan_text(full_plan()));
}

TEST_F(PlanFiles, KeepEverySetting) {
  cluster::ClusterPlan plan = some_plan(plan_);
  cluster::PlannedSheet& sheet = plan.sheets[0];
  sheet.page.settings = every_setting();
  expect_same(cluster::parse_plan(cluster::plan_text(plan)).sheets.at(0), sheet);
}

TEST_F(PlanFiles, KeepTilesByFileAndDigest) {
  cluster::ClusterPlan plan = some_plan(plan_);
  cluster::PlannedSheet& sheet = plan.sheets[0];
  const TileFile tile{.path = "/screens/house.tif", .digest = std::string(32, 'd')};
  sheet.page.settings.halftone = {.method = "tile", .parameters = {{"shift", 3}}, .tile = tile};
  sheet.page.settings.inks = {
      {.ink = "black", .label = {}, .halftone = {.method = {}, .tile = {"/k.tif", tile.digest}}}};
  const std::string text = cluster::plan_text(plan);
  EXPECT_THAT(text, HasSubstr(R"("tile":"/screens/house.tif","tile_xxh3":"dddd)"));
  expect_same(cluster::parse_plan(text).sheets.at(0), sheet);
  EXPECT_EQ(cluster::parse_plan(text).sheets[0].page.settings.halftone.tile, tile);
}

TEST_F(PlanFiles, KeepEachCurveOnce) {
  cluster::ClusterPlan plan = some_plan(plan_);
  cluster::PlannedSheet& sheet = plan.sheets[0];
  curve::PressCurve press{.points = {{0, 0}, {1.0 / 3, 0.1}, {100, 98}}, .cut_off_percent = 2};
  press.digest = curve::digest_of(press);
  curve::PressCurve plate{.kind = curve::PressCurve::Kind::kPlate,
                          .points = {{0, 0}, {100, 100}},
                          .bump_from_percent = 0.5,
                          .bump_to_percent = 3};
  plate.digest = curve::digest_of(plate);
  const auto shared_plate = std::make_shared<const curve::PressCurve>(plate);
  sheet.plates[0].curves = {{std::make_shared<const curve::PressCurve>(press), "c.yaml"},
                            {shared_plate, "setter.yaml"}};
  sheet.plates[1].curves = {{shared_plate, "setter.yaml"}};
  sheet.plates[0].numbers = {std::string(32, '1'), std::string(32, '2')};
  const std::string text = cluster::plan_text(plan);
  EXPECT_THAT(text, HasSubstr(R"("points":[[0.0,0.0],[0.3333333333333333,0.1],[100.0,98.0]])"));
  const cluster::ClusterPlan read = cluster::parse_plan(text);
  expect_same(read.sheets.at(0), sheet);
  EXPECT_EQ(read.sheets[0].plates[0].curves[1].curve, read.sheets[0].plates[1].curves[0].curve);
  EXPECT_EQ(text.find(plate.digest, text.find("\"curves\":[{\"xxh3\"")), text.rfind(plate.digest));
  std::string wrong = text;
  wrong.replace(wrong.rfind(plate.digest), 4, "zzzz");
  EXPECT_THROW(cluster::parse_plan(wrong), Error);
}

TEST_F(PlanFiles, RefuseACurveWithTheDigestOfAnother) {
  cluster::ClusterPlan plan = some_plan(plan_);
  curve::PressCurve press{.points = {{0, 0}, {50, 40}, {100, 100}}};
  press.digest = std::string(32, '0');
  plan.sheets[0].plates[0].curves = {{std::make_shared<const curve::PressCurve>(press), "c.yaml"}};
  try {
    cluster::check_plan(plan);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the curve 'c.yaml' of "));
    EXPECT_THAT(error.what(), HasSubstr("has another digest than its points"));
  }
}

TEST_F(PlanFiles, AreWrittenInTheseBytes) {
  cluster::ClusterPlan plan = some_plan("/plan");
  plan.sheets[3].failure->message = "\x01\"\\/\n\xFF\u2028";
  plan.sheets[1].page.settings.halftone.parameters = {{"b", 1e-7}, {"a", 1e300}};
  EXPECT_EQ(
      cluster::plan_text(plan),
      R"({"v":2,"type":"plan","id":"0123456789ab","program":"mezzotint 9",)"
      R"("made":"2026-09-21T14:13:20.007Z","pictures":false,"task":{"engine":"local",)"
      R"("threads":3,"memory_bytes":18446744073709551615,"gpus":1,"tries":7,"at_once":9,)"
      R"("program":"/opt/mezzotint","partition":"night","begin":"now+1hour",)"
      R"("sbatch":["--account=press","--nice"]},"jobs":[{"name":"first",)"
      R"("manifest":"/jobs/first.yaml","folder":"/jobs","memory_bytes":2147483648,)"
      R"("device_memory_bytes":3221225472,"threads":2},{"name":"zweiter ä","manifest":"",)"
      R"("folder":"/","memory_bytes":1073741824,"device_memory_bytes":0,"threads":0}],)"
      R"("sheets":[{"job":0,"input":"/jobs/in/page.1.tif","pages":[5,1,5],)"
      R"("sha256":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",)"
      R"("pixels":9223372036854775808,"plates":[{"ink":"cyan",)"
      R"("path":"/plates/..{page}/{cyan}.tif"},{"ink":"black",)"
      R"("path":"/plates/..{page}/{black}.tif"}],"method":"threshold","engine":"auto",)"
      R"("schedule":"","parameters":{"level":33.333333333333336},"settings":{"tone.invert":true,)"
      R"("tone.gamma":1.0000000000000002,"tone.curve":[[0.30000000000000004,0.0],)"
      R"([99.99999999999999,100.0]],"output.path":"/plates/..{{page}}/{{{ink}}}.tif",)"
      R"("output.compression":"g4","output.existing":"refuse"}},{"job":0,"input":"/jobs/two.tif","pages":[2],"pixels":0,)"
      R"("plates":[{"ink":"black","path":"/plates/two_2.tif"}],"method":"floyd-steinberg",)"
      R"("engine":"auto","schedule":"","parameters":{"a":1e+300,"b":1e-07},)"
      R"("settings":{"output.path":"/plates/two_{page}.tif"}},)"
      R"({"job":1,"input":"/jobs/two.tif","pages":[2],"pixels":0,"plates":[{"ink":"black",)"
      R"("path":"/plates/three.tif"}],"method":"floyd-steinberg","engine":"auto",)"
      R"("schedule":"","parameters":{},"settings":{"output.path":"/plates/three.tif"}},{"job":1,)"
      R"("input":"/jobs/two.tif","pages":[2],"pixels":0,"plates":[{"ink":"black",)"
      R"("path":"/plates/three.tif"}],"method":"floyd-steinberg","engine":"auto",)"
      R"("schedule":"","parameters":{},"settings":{"output.path":"/plates/three.tif"},)"
      "\"failure\":{\"kind\":\"cannot-create\",\"message\":\"\\u0001\\\"\\\\/"
      "\\n�\u2028\",\"advice\":\"\",\"place\":\"\"}},{\"job\":1,"
      R"("input":"/jobs/two.tif","pages":[],"pixels":0,"plates":[],)"
      R"("method":"floyd-steinberg","engine":"auto","schedule":"","parameters":{},)"
      R"("settings":{"output.path":"/plates/three.tif"},)"
      R"("failure":{"kind":"data","message":"","advice":"","place":""}}],"units":[{"first":0,"count":2},{"first":2,)"
      "\"count\":3}]}\n");
}

TEST_F(PlanFiles, AreFoundByTheNamesOfFolderAndFile) {
  cluster::save_plan(some_plan(plan_));
  const WorkingFolder here(folder_.path());
  for (const std::string& name :
       {plan_ + "/", file(), std::string("job.plan"), std::string("./job.plan/plan.json")}) {
    EXPECT_EQ(cluster::load_plan(name).path, plan_) << name;
  }
}

std::string refusal_to_run(const std::string& plan) {
  try {
    cluster::load_own_plan(plan);
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
}

TEST_F(PlanFiles, RunForTheirOwnerAlone) {
  cluster::save_plan(some_plan(plan_));
  EXPECT_EQ(refusal_to_run(plan_), "");
  ASSERT_EQ(::chmod(file().c_str(), 0664), 0);
  EXPECT_THAT(refusal_to_run(plan_), testing::StartsWith(file() + ": other users may write"));
  EXPECT_NO_THROW(cluster::load_plan(plan_));  // to look at
  ASSERT_EQ(::chmod(file().c_str(), 0644), 0);
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  constexpr uid_t kStranger = 1001;
  ASSERT_EQ(::chown(file().c_str(), kStranger, kStranger), 0);
  EXPECT_THAT(refusal_to_run(plan_), testing::StartsWith(file() + ": it belongs to another user"));
  ASSERT_EQ(::chown(file().c_str(), 0, 0), 0);
  ASSERT_EQ(::chown(plan_.c_str(), kStranger, kStranger), 0);
  EXPECT_THAT(refusal_to_run(plan_), testing::StartsWith(plan_ + ": it belongs to another user"));
}

TEST_F(PlanFiles, LieInFoldersThatNobodyElseMayWriteTo) {
  cluster::save_plan(some_plan(plan_));
  for (const std::string& folder : {plan_, plan_ + "/records", plan_ + "/report"}) {
    ASSERT_EQ(::chmod(folder.c_str(), 0775), 0);
    EXPECT_THAT(refusal_to_run(plan_), testing::StartsWith(folder + ": other users may write"));
    EXPECT_THROW(cluster::PlanLock lock(plan_), Error);
    EXPECT_THROW(cluster::save_plan(some_plan(plan_)), Error);
    ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
    EXPECT_EQ(refusal_to_run(plan_), "");
  }
  std::filesystem::remove(plan_ + "/report");
  EXPECT_EQ(refusal_to_run(plan_), "");
  std::filesystem::create_directory(folder_ / "elsewhere");
  std::filesystem::create_directory_symlink(folder_ / "elsewhere", plan_ + "/report");
  EXPECT_THAT(refusal_to_run(plan_), testing::StartsWith(plan_ + "/report: expected a folder"));
  EXPECT_THROW(cluster::PlanLock lock(plan_), Error);
}

TEST_F(PlanFiles, AreNoLinkToThePlanOfAnother) {
  cluster::save_plan(some_plan(plan_));
  std::filesystem::rename(file(), folder_ / "other.json");
  std::filesystem::create_symlink(folder_ / "other.json", file());
  EXPECT_THROW(cluster::load_own_plan(plan_), Error);
}

TEST_F(PlanFiles, AreWrittenForTheirOwnerAlone) {
  const mode_t before = ::umask(0002);
  cluster::save_plan(some_plan(plan_));
  EXPECT_EQ(::umask(before), 0002U);
  struct stat found {};
  ASSERT_EQ(::stat(file().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0644U);
  for (const char* name : {"", "/records", "/pictures", "/logs", "/report"}) {
    ASSERT_EQ(::stat((plan_ + name).c_str(), &found), 0);
    EXPECT_EQ(found.st_mode & 0777U, 0755U) << name;
  }
}

TEST_F(PlanFiles, AreLockedInAFolderForTheirOwnerAlone) {
  const mode_t before = ::umask(0002);
  const cluster::PlanLock lock(plan_);
  ::umask(before);
  struct stat found {};
  ASSERT_EQ(::stat(plan_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777U, 0755U);
}

TEST_F(PlanFiles, MayBeWrittenAgainAfterAStopBeforeThem) {
  namespace fs = std::filesystem;
  cluster::save_plan(some_plan(plan_));
  const cluster::PlanLock lock(plan_);
  fs::rename(plan_ + "/plan.json", plan_ + "/.plan.json" + files::temporary_tail({}, 1));
  const auto is_unfinished = [](const fs::directory_entry& entry) {
    return cluster::is_of_unfinished_plan(entry);
  };
  EXPECT_TRUE(std::ranges::all_of(fs::directory_iterator(plan_), is_unfinished));
  folder_.write("strange/logs/log", "");  // another program's
  folder_.write("strange/page.tif", "");
  EXPECT_TRUE(std::ranges::none_of(fs::directory_iterator(folder_ / "strange"), is_unfinished));
}

TEST_F(PlanFiles, AreRefusedWhenCutOffAnywhere) {
  const std::string whole = cluster::plan_text(some_plan(plan_));
  ASSERT_EQ(refusal(whole), "");
  for (size_t size = 0; size + 1 < whole.size(); ++size) {  // the last is the line's end
    ASSERT_NE(fault(whole.substr(0, size)), "") << size << " bytes";
  }
  EXPECT_THAT(refusal(whole.substr(0, whole.size() / 2)), HasSubstr("not whole, or damaged"));
}

TEST_F(PlanFiles, AreReadOrRefusedButNeverHalfRightWhenAByteIsAnother) {
  const std::string whole = cluster::plan_text(some_plan(plan_));
  size_t refused = 0;
  for (size_t i = 0; i + 1 < whole.size(); ++i) {
    for (const char byte : {'\0', '"', '9', '-', '{', ',', '\xC3', 'x'}) {
      std::string damaged = whole;
      damaged[i] = byte;
      if (!fault(damaged).empty()) {
        ++refused;
        continue;
      }
      const cluster::ClusterPlan read = cluster::parse_plan(damaged);
      for (uint32_t unit = 0; unit < read.units.size(); ++unit) cluster::job_of_unit(read, unit);
      cluster::job_of_plan(read);
    }
  }
  EXPECT_GT(refused, whole.size());
}

/// Calls `use` with each member of each object in `json`.
void for_each_member(Json& json, const std::function<void(Json& object, std::string key)>& use) {
  if (json.is_object()) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : json.items()) keys.push_back(key);
    for (const std::string& key : keys) {
      use(json, key);
      for_each_member(json[key], use);
    }
  } else if (json.is_array()) {
    for (Json& item : json) for_each_member(item, use);
  }
}

bool is_setting(const std::string& key) {
  return std::ranges::any_of(manifests::setting_groups(), [&](const auto* group) {
    return std::ranges::any_of(group->rows,
                               [&](const auto& row) { return key_of(*group, row) == key; });
  });
}

TEST_F(PlanFiles, AreRefusedWhenAMemberIsMissingOrUnknownOrOfAnotherType) {
  Json whole = Json::parse(cluster::plan_text(some_plan(plan_)));
  size_t members = 0;
  for_each_member(whole, [&](Json& object, const std::string& key) {
    ++members;
    const Json before = object;
    // Older plans have neither advice nor place.
    const bool may_be_missing =
        key == "sha256" || key == "level" || key == "advice" || key == "place" ||
        (is_setting(key) && key != "output.path");  // which the names of the plates contradict
    object.erase(key);
    EXPECT_EQ(fault(whole.dump()).empty(), may_be_missing) << key << " is missing";
    object = before;
    const Json others[] = {nullptr, -1, 0.5, "text", Json::array({1}), {{"a", 1}}};
    for (const Json& other : others) {
      const Json& value = before[key];
      if (other.type() == value.type() || (value.is_number_float() && other.is_number())) continue;
      object[key] = other;
      EXPECT_NE(fault(whole.dump()), "") << key << " is " << other;
    }
    object = before;
    object[key + "x"] = 1;
    EXPECT_NE(fault(whole.dump()), "") << key << " has a neighbour";
    object = before;
  });
  EXPECT_GT(members, 70U);
  EXPECT_EQ(fault(whole.dump()), "");
}

/// What is done to a good plan, and what is said about it then.
struct Contradiction {
  std::function<void(cluster::ClusterPlan&)> make;
  std::string says;
};

bool is_read(const Json& json) {
  try {
    cluster::parse_plan(json.dump());
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return false;
  }
}

TEST_F(PlanFiles, AreRefusedForAnySettingOfAnotherTypeOrWithANeighbour) {
  for (const std::string& text : {cluster::plan_text(full_plan()), std::string(kPlanOfFormat1)}) {
    Json whole = Json::parse(text);
    const auto has_any_names = [](const std::string& key) {
      return key == "parameters" || key == "screen";
    };
    for_each_member(whole, [&](Json& object, const std::string& key) {
      if (has_any_names(key)) object[key] = Json::object();
    });
    ASSERT_TRUE(is_read(whole));
    size_t members = 0;
    for_each_member(whole["sheets"], [&](Json& object, const std::string& key) {
      if (has_any_names(key)) return;
      ++members;
      const Json before = object;
      object[key] = {{"none", 1}};
      EXPECT_FALSE(is_read(whole)) << key << " is a map";
      object = before;
      object[key + "x"] = before[key];
      EXPECT_FALSE(is_read(whole)) << key << " has a neighbour";
      object = before;
    });
    EXPECT_GT(members, 150U);
  }
}

TEST_F(PlanFiles, AreRefusedWhenTheyContradictThemselves) {
  const std::vector<Contradiction> contradictions = {
      {[](cluster::ClusterPlan& p) { p.id = "0123456789aB"; }, "12 hexadecimal digits"},
      {[](cluster::ClusterPlan& p) { p.task.threads = 0; }, "task.threads is 0"},
      {[](cluster::ClusterPlan& p) { p.task.threads = UINT32_MAX; }, "task.threads is 4294967295"},
      {[](cluster::ClusterPlan& p) { p.task.tries = 0; }, "task.tries is 0"},
      {[](cluster::ClusterPlan& p) { p.task.program = ""; }, "task.program is empty"},
      {[](cluster::ClusterPlan& p) { p.task.begin = "a\nb"; }, "control characters"},
      {[](cluster::ClusterPlan& p) { p.task.sbatch[1] = std::string("a\0b", 3); },
       "control characters"},
      {[](cluster::ClusterPlan& p) { p.jobs[0].folder = "jobs"; },
       "jobs[0].folder is 'jobs', not an absolute"},
      {[](cluster::ClusterPlan& p) { p.jobs[0].manifest = "a.yaml"; },
       "jobs[0].manifest is 'a.yaml', no"},
      {[](cluster::ClusterPlan& p) { p.jobs[1].limits.threads = UINT32_MAX; },
       "jobs[1].threads is"},
      {[](cluster::ClusterPlan& p) { p.sheets[1].job = 2; },
       "sheets[1] is of job 2, and there are 2"},
      {[](cluster::ClusterPlan& p) { p.sheets[0].page.input = "in.tif"; },
       "sheets[0].input is 'in.tif'"},
      {[](cluster::ClusterPlan& p) { p.sheets[0].page.sha256 = "abc"; },
       "not 64 hexadecimal digits"},
      {[](cluster::ClusterPlan& p) { p.sheets[0].page.ink = "a\nb"; }, "sheets[0].ink"},
      {[](cluster::ClusterPlan& p) { p.sheets[0].page.pages.clear(); }, "sheets[0] has no page"},
      {[](cluster::ClusterPlan& p) { p.sheets[3].page.pages.clear(); },
       "sheets[3] has plates of no page"},
      {[](cluster::ClusterPlan& p) { p.sheets[3].failure.reset(); },
       "sheets[3]: the plate '/plates/three"},
      {[](cluster::ClusterPlan& p) { p.sheets[3].plates[0].path = "/plates/four.tif"; },
       "does not have the name"},
      {[](cluster::ClusterPlan& p) { p.sheets[4].failure.reset(); }, "sheets[4] has no page"},
      {[](cluster::ClusterPlan& p) {
         p.sheets[1].page.pages = {1, 2};
       },
       "sheets[1] has several pages"},
      {[](cluster::ClusterPlan& p) { p.sheets[1].page.pages = {2}; },
       "does not have the name that"},
      {[](cluster::ClusterPlan& p) { p.sheets[0].plates.clear(); }, "sheets[0] has no plate"},
      {[](cluster::ClusterPlan& p) { p.sheets[0].plates[1] = p.sheets[0].plates[0]; },
       "is there twice"},
      {[](cluster::ClusterPlan& p) {
         p.sheets[2].page.settings.output.path = "/plates/two_2.tif";
         p.sheets[2].plates[0].path = "/plates/two_2.tif";
       },
       "sheets[2]: the plate '/plates/two_2.tif' is there twice"},
      {[](cluster::ClusterPlan& p) { p.sheets[0].page.settings.halftone.method = "floyd"; },
       "sheets[0]: there is no halftoning method 'floyd'"},
      {[](cluster::ClusterPlan& p) {
         p.sheets[0].page.settings.halftone.parameters["level"] = 101;
       },
       "parameter 'level' must be"},
      {[](cluster::ClusterPlan& p) { p.sheets[0].page.settings.halftone.parameters["lever"] = 1; },
       "no parameter 'lever'"},
      {[](cluster::ClusterPlan& p) { p.sheets[0].page.settings.halftone.schedule = "fast"; },
       "no schedule 'fast' for engine 'auto'"},
      {[](cluster::ClusterPlan& p) { p.sheets[0].page.settings.halftone.engine = Engine::kHybrid; },
       "no schedule '' for engine 'hybrid'"},
      {[](cluster::ClusterPlan& p) { p.sheets[0].page.settings.tone.gamma = 11; },
       "sheets[0].settings.tone.gamma must be a number from 0.1 to 10, found 11"},
      {[](cluster::ClusterPlan& p) { p.sheets[0].page.settings.tone.points[1].in_percent = 0; },
       "must rise"},
      {[](cluster::ClusterPlan& p) { p.sheets[0].page.settings.geometry.rotate_degrees = 45; },
       "sheets[0].settings.rotate must be 0, 90, 180 or 270, found 45"},
      {[](cluster::ClusterPlan& p) { p.sheets[0].page.settings.geometry.copies.across = 0; },
       "sheets[0].settings.copies.across must be a whole number from 1 to 1000, found 0"},
      {[](cluster::ClusterPlan& p) { p.sheets[0].page.settings.geometry.copies.down = 1001; },
       "sheets[0].settings.copies.down must be a whole number from 1 to 1000, found 1001"},
      {[](cluster::ClusterPlan& p) {
         p.sheets[0].page.settings.geometry.copies.gap_um = 1'000'001;
       },
       "sheets[0].settings.copies.gap must be a length from 0 mm to 1000 mm, found \"1000.001 "
       "mm\""},
      {[](cluster::ClusterPlan& p) { p.sheets[0].page.settings.output.compression = "zip"; },
       "sheets[0].settings.output.compression must be "},
      {[](cluster::ClusterPlan& p) {
         p.sheets[0].page.settings.inks = {
             {.ink = "black", .label = {}, .over = {{"protect", "nothing"}}}};
       },
       "sheets[0].inks[0].settings.protect must be "},
      {[](cluster::ClusterPlan& p) {
         p.sheets[0].page.settings.halftone = {.method = "am", .parameters = {{"ruling", 60}}};
       },
       "sheets[0]: method 'am' needs dpi"},
      {[](cluster::ClusterPlan& p) { p.sheets[2].page.settings.output.path = "three.tif"; },
       "not an absolute"},
      {[](cluster::ClusterPlan& p) { p.sheets[2].page.settings.output.path = "/a//three.tif"; },
       "not a plain"},
      {[](cluster::ClusterPlan& p) { p.sheets[2].page.settings.output.path = "/a/../three.tif"; },
       "not a plain"},
      {[](cluster::ClusterPlan& p) { p.sheets[2].page.settings.output.path = "/plates/"; },
       "not a plain"},
      {[](cluster::ClusterPlan& p) { p.sheets.clear(); }, "no sheets"},
      {[](cluster::ClusterPlan& p) { p.units.pop_back(); }, "3 of 5 sheets are in no unit"},
      {[](cluster::ClusterPlan& p) { p.units[0].count = 1; }, "units[1] is of 3 sheets from 2"},
      {[](cluster::ClusterPlan& p) { p.units[1].first = 1; }, "units[1] is of 3 sheets from 1"},
      {[](cluster::ClusterPlan& p) { p.units[1].count = UINT32_MAX; }, "units[1] is of 4294967295"},
      {[](cluster::ClusterPlan& p) {
         p.units.push_back({5, 0});
       },
       "units[2] is of 0 sheets"},
      {[](cluster::ClusterPlan& p) {
         p.units = {{0, 1}, {1, 4}};
       },
       "units[1] has sheets of several jobs"},
  };
  for (const Contradiction& contradiction : contradictions) {
    cluster::ClusterPlan plan = some_plan(plan_);
    contradiction.make(plan);
    EXPECT_THAT(refusal(cluster::plan_text(plan)), HasSubstr(contradiction.says));
    std::filesystem::remove_all(plan_);
    EXPECT_THROW(cluster::save_plan(plan), Error) << contradiction.says;
    EXPECT_FALSE(std::filesystem::exists(plan_)) << "nothing is written: " << contradiction.says;
  }
}

TEST_F(PlanFiles, AreNotWrittenWithPathsThatAreNotUtf8) {
  cluster::ClusterPlan plan = some_plan(plan_);
  plan.sheets[0].page.input = "/jobs/\xFF.tif";
  try {
    cluster::save_plan(plan);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_THAT(error.what(), HasSubstr("sheets[0].input"));
    EXPECT_THAT(error.what(), HasSubstr("not UTF-8"));
  }
  plan = some_plan(folder_ / "\xFF.plan");
  EXPECT_THROW(cluster::save_plan(plan), Error);
  EXPECT_THAT(folder_.names(), testing::IsEmpty());
}

TEST_F(PlanFiles, AreWrittenWhateverAFailureSays) {
  cluster::ClusterPlan plan = some_plan(plan_);
  plan.sheets[3].failure->message = "tag \xFF\n";
  cluster::save_plan(plan);
  EXPECT_EQ(cluster::load_plan(plan_).sheets[3].failure->message, "tag \xEF\xBF\xBD\n");
}

TEST_F(PlanFiles, AreRefusedForAFailureOfNoKind) {
  Json json = Json::parse(cluster::plan_text(some_plan(plan_)));
  for (int i = 0; i <= static_cast<int>(ErrorKind::kBug); ++i) {
    json["sheets"][4]["failure"]["kind"] = name_of(static_cast<ErrorKind>(i));
    EXPECT_EQ(refusal(json.dump()), "");
    EXPECT_EQ(static_cast<int>(cluster::load_plan(plan_).sheets[4].failure->kind), i);
  }
  json["sheets"][4]["failure"]["kind"] = "none";
  EXPECT_THAT(refusal(json.dump()), HasSubstr("sheets[4].failure.kind cannot be 'none'"));
}

TEST_F(PlanFiles, AreRefusedWhenTheyAreSomethingElse) {
  Json json = Json::parse(cluster::plan_text(some_plan(plan_)));
  json["v"] = 3;
  EXPECT_THAT(refusal(json.dump()), HasSubstr("it is of version 3"));
  json["v"] = 2;
  json["type"] = "report";
  EXPECT_THAT(refusal(json.dump()), HasSubstr("its type is not 'plan'"));
  json["type"] = "plan";
  for (const char* time : {"",
                           "2026-02-30T00:00:00.000Z",
                           "2026-02-01T00:61:00.000Z",
                           "2026-02-01T00:00:00Z",
                           "9999-12-31T00:00:00.000Z"}) {
    json["made"] = time;
    EXPECT_THAT(refusal(json.dump()), HasSubstr("'made' is not a time")) << time;
  }
  EXPECT_THAT(refusal("[]"), HasSubstr("is not an object"));
  EXPECT_NE(refusal(""), "");
  EXPECT_THAT(refusal(std::string(1 << 20, '[')), HasSubstr("nested too deeply"));
  EXPECT_NE(refusal("{\"v\":1e999}"), "");
}

TEST_F(PlanFiles, AreNotReadWithoutEnd) {
  EXPECT_EQ(kind_of_refusal(plan_), ErrorKind::kMissing);
  write("");
  std::filesystem::resize_file(file(), (64ULL << 20) + 1);
  EXPECT_EQ(kind_of_refusal(plan_), ErrorKind::kData);
  std::filesystem::remove(file());
  ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
  EXPECT_EQ(kind_of_refusal(plan_), ErrorKind::kData);
}

TEST_F(PlanFiles, GiveTheirUnitsAndThemselvesAsJobs) {
  const cluster::ClusterPlan plan = some_plan(plan_);
  const manifests::Job first = cluster::job_of_unit(plan, 0);
  EXPECT_EQ(first.name, "first");
  EXPECT_EQ(first.manifest, "/jobs/first.yaml");
  EXPECT_EQ(first.folder, "/jobs");
  EXPECT_EQ(first.limits, plan.jobs[0].limits);
  ASSERT_EQ(first.pages.size(), 2U);
  EXPECT_EQ(first.pages[1].input, "/jobs/two.tif");
  EXPECT_EQ(cluster::job_of_unit(plan, 1).pages.at(0).settings.output.path, "/plates/three.tif");

  const manifests::Job all = cluster::job_of_plan(plan);
  EXPECT_EQ(all.name, "2 jobs");
  EXPECT_EQ(all.folder, "/jobs");
  EXPECT_EQ(all.pages.size(), 5U);
  EXPECT_EQ(all.limits.memory_bytes, 1ULL << 31);
  cluster::ClusterPlan one = plan;
  one.jobs.pop_back();
  one.sheets.pop_back();
  EXPECT_EQ(cluster::job_of_plan(one).name, "first");
  one.sheets[0].page.input = "/elsewhere/page.tif";
  EXPECT_EQ(cluster::job_of_plan(one).folder, "/");
}

}  // namespace
}  // namespace mezzo::test::cluster_plan_test
