// Jobs to plans: what a unit's job makes is what the plan says, a sheet that cannot run fails
// alone, and what concerns all is refused.

#include "pipeline/cluster/make_cluster_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <filesystem>
#include <limits>
#include <numeric>

#include "kernels/base/error.h"
#include "pipeline/cluster/plan/plan_file.h"
#include "pipeline/cluster/plan/units.h"
#include "pipeline/cluster/records/attempt_reader.h"
#include "pipeline/cluster/records/attempt_record.h"
#include "tests/pipeline/cluster/pages.h"
#include "tests/support/extra_method.h"
#include "tests/support/toy_search.h"

namespace mezzo::test::make_cluster_plan_test {
namespace {

namespace fs = std::filesystem;
using test::job_page;
using test::TempFolder;
using test::WorkingFolder;
using test::write_pages;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Line work for pages of write_pages().
void write_linework(const std::string& path) {
  RawTiff tiff;
  RawTags tags = plain_tags();
  tags[258] = {1};
  tags[262] = {0};
  tags[273] = {tiff.size()};
  tags[279] = {4};
  tiff.append("\x12\x34\x56\x78");
  tiff.add_directory(tags);
  tiff.save(path);
}

std::vector<std::string> plates_of(const cluster::PlannedSheet& sheet) {
  std::vector<std::string> paths;
  for (const cluster::PlannedPlate& plate : sheet.plates) paths.push_back(plate.path);
  return paths;
}

class ClusterPlans : public testing::Test {
 protected:
  ClusterPlans() { task_.program = "/usr/bin/mezzotint"; }

  /// A job below a folder of its own.
  manifests::Job job(const std::string& name) const {
    manifests::Job result;
    result.name = name;
    result.folder = result.plates_folder = folder_ / name;
    result.manifest = result.folder + "/" + name + ".yaml";
    fs::create_directories(result.folder);
    return result;
  }

  /// Adds a page of a new file to the job.
  static manifests::JobPage& add(manifests::Job& job,
                                 const std::string& input,
                                 const std::string& plate,
                                 uint32_t pages = 1,
                                 uint32_t planes = 1) {
    write_pages(job.folder + "/" + input, pages, planes);
    job.pages.push_back(job_page(job.folder, input, plate));
    return job.pages.back();
  }

  cluster::ClusterPlan make(const std::vector<manifests::Job>& jobs,
                            const cluster::UnitOptions& units = {}) const {
    return cluster::make_cluster_plan(jobs, folder_ / "job.plan", task_, units);
  }

  /// The message of a refusal of this kind; empty when there is none, or of another.
  std::string refusal(const std::vector<manifests::Job>& jobs, ErrorKind kind) const {
    try {
      make(jobs);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      return error.kind() == kind ? error.what() : "";
    }
    return {};
  }

  /// The message of the failure of a plan's sheet, which is the only one and is of this kind.
  static std::string failure(const cluster::ClusterPlan& plan, size_t sheet, ErrorKind kind) {
    for (size_t i = 0; i < plan.sheets.size(); ++i) {
      EXPECT_EQ(plan.sheets[i].failure.has_value(), i == sheet) << "sheet " << i;
    }
    const std::optional<run::Failure>& found = plan.sheets.at(sheet).failure;
    EXPECT_EQ(found.value_or(run::Failure{}).kind, kind);
    return found.value_or(run::Failure{}).message;
  }

  /// Each unit's job, read from the plan's file in another working folder, gives its sheets.
  void expect_units_make_their_sheets(const cluster::ClusterPlan& made) const {
    cluster::save_plan(made);
    const WorkingFolder elsewhere("/");
    const cluster::ClusterPlan plan = cluster::load_plan(made.path);
    for (uint32_t u = 0; u < plan.units.size(); ++u) {
      const plan::JobPlan found = plan::make_plan(cluster::job_of_unit(plan, u));
      ASSERT_EQ(found.sheets.size(), plan.units[u].count) << "unit " << u;
      for (uint32_t i = 0; i < found.sheets.size(); ++i) {
        const plan::SheetPlan& sheet = found.sheets[i];
        const cluster::PlannedSheet& planned = made.sheets[plan.units[u].first + i];
        ASSERT_FALSE(sheet.failure) << sheet.failure->message;
        EXPECT_EQ(sheet.input, planned.page.input);
        EXPECT_EQ(sheet.pages, planned.page.pages);
        EXPECT_EQ(sheet.pixels, planned.pixels);
        EXPECT_EQ(sheet.settings, planned.page.settings);
        EXPECT_EQ(sheet.sha256, planned.page.sha256);
        ASSERT_EQ(sheet.plates.size(), planned.plates.size());
        for (size_t p = 0; p < sheet.plates.size(); ++p) {
          EXPECT_EQ(sheet.plates[p].ink, planned.plates[p].ink);
          EXPECT_EQ(sheet.plates[p].path, planned.plates[p].path);
        }
      }
    }
  }

  TempFolder folder_;
  cluster::TaskSettings task_;
};

TEST_F(ClusterPlans, FreezeEverySheetOfSeveralJobs) {
  manifests::Job first = job("first");
  add(first, "three.tif", "plates/{stem}.tif", 3);
  add(first, "each.tif", "plates/{stem}_{page}.tif", 3);
  add(first, "some.tif", "plates/{stem}_{page}.tif", 4).pages = {3, 1};
  add(first, "last.tif", "plates/{stem}.tif", 4).pages = {3};
  manifests::JobPage& twice = add(first, "alike.tif", "plates/{stem}_{page}.tif", 2);
  twice.pages = {0};
  manifests::JobPage other = twice;
  other.pages = {1};
  other.settings.tone.gamma = 1.5;
  other.sha256 = std::string(64, '0');
  first.pages.push_back(other);
  manifests::Job second = job("se{co}nd");
  add(second, "three.tif", "{ink}/{stem}.tif", 1, 4);
  second.pages.back().settings.output.compression = "g4";
  second.limits.memory_bytes = 100ULL << 20;

  const cluster::ClusterPlan plan = make({first, second}, {.sheets_per_unit = 2});
  ASSERT_EQ(plan.sheets.size(), 10U);
  const auto plates = [&](size_t i) { return plates_of(plan.sheets[i]); };
  EXPECT_THAT(plates(0), ElementsAre(folder_ / "first/plates/three.tif"));
  EXPECT_THAT(plan.sheets[0].page.pages, ElementsAre(0, 1, 2));
  EXPECT_EQ(plan.sheets[0].pixels, 3U * 32);
  EXPECT_THAT(plates(3), ElementsAre(folder_ / "first/plates/each_3.tif"));
  EXPECT_THAT(plates(4), ElementsAre(folder_ / "first/plates/some_4.tif"));
  EXPECT_THAT(plates(5), ElementsAre(folder_ / "first/plates/some_2.tif"));
  EXPECT_THAT(plan.sheets[6].page.pages, ElementsAre(3));
  EXPECT_EQ(plan.sheets[8].page.settings.tone.gamma, 1.5);
  EXPECT_EQ(plan.sheets[9].job, 1U);
  EXPECT_THAT(plates(9),
              ElementsAre(folder_ / "se{co}nd/cyan/three.tif",
                          folder_ / "se{co}nd/magenta/three.tif",
                          folder_ / "se{co}nd/yellow/three.tif",
                          folder_ / "se{co}nd/black/three.tif"));
  for (const cluster::PlannedSheet& sheet : plan.sheets)
    EXPECT_EQ(sheet.page.place, manifests::Place());
  ASSERT_EQ(plan.jobs.size(), 2U);
  EXPECT_EQ(plan.jobs[1].name, "se{co}nd");
  EXPECT_EQ(plan.jobs[1].manifest, second.manifest);
  EXPECT_EQ(plan.jobs[1].limits, second.limits);
  EXPECT_EQ(plan.units.size(), 6U);
  EXPECT_EQ(plan.id.size(), 12U);
  EXPECT_NE(plan.id, make({first, second}).id);
  expect_units_make_their_sheets(plan);
}

TEST_F(ClusterPlans, DoNotChangeWhenFilesGetMorePages) {
  manifests::Job all = job("all");
  add(all, "page.tif", "{stem}_plate.tif", 2);
  const cluster::ClusterPlan plan = make({all});
  write_pages(folder_ / "all/page.tif", 3);
  expect_units_make_their_sheets(plan);
}

TEST_F(ClusterPlans, HoldPathsThatAreGoodInAnyFolder) {
  fs::create_directories(folder_ / "a{b}c/in");
  fs::create_directories(folder_ / "a{b}c/below/deeper");
  fs::create_directory_symlink(folder_ / "a{b}c/below/deeper", folder_ / "a{b}c/link");
  write_pages(folder_ / "a{b}c/in/page.tif", 1);
  write_pages(folder_ / "a{b}c/below/through.tif", 1);
  write_linework(folder_ / "a{b}c/in/type_black.tif");
  cluster::ClusterPlan plan;
  {
    const WorkingFolder here(folder_ / "a{b}c");
    manifests::Job relative;
    relative.name = "relative";
    relative.folder = ".";
    relative.manifest = "./job.yaml";
    relative.pages = {job_page(".", "in/../in//page.tif", "{ink}.tif"),
                      job_page(".", "link/../through.tif", "through.tif")};
    relative.pages[0].linework = {
        {.file = manifests::resolve_ink_template("in/type_{ink}.tif", "."),
         .overprint = {},
         .xxh3 = {},
         .is_of_each_ink = true}};
    plan = cluster::make_cluster_plan({relative}, "x.plan/", task_, {});
  }
  EXPECT_EQ(plan.path, folder_ / "a{b}c/x.plan");
  EXPECT_EQ(plan.jobs[0].folder, folder_ / "a{b}c");
  EXPECT_EQ(plan.jobs[0].manifest, folder_ / "a{b}c/job.yaml");
  EXPECT_EQ(plan.sheets[0].page.input, folder_ / "a{b}c/in/page.tif");
  EXPECT_THAT(plates_of(plan.sheets[0]), ElementsAre(folder_ / "a{b}c/black.tif"));
  ASSERT_EQ(plan.sheets[0].page.linework.size(), 1U);
  EXPECT_EQ(plan.sheets[0].page.linework[0].file, folder_ / "a{b}c/in/type_black.tif");
  EXPECT_EQ(plan.sheets[0].page.linework[0].ink, "black");
  EXPECT_TRUE(fs::equivalent(plan.sheets[1].page.input, folder_ / "a{b}c/below/through.tif"));
  expect_units_make_their_sheets(plan);
}

TEST_F(ClusterPlans, KeepEnginesThatTasksHave) {
  manifests::Job pages = job("pages");
  const auto add_engine = [&](const std::string& name, Engine engine, std::string schedule) {
    HalftoneSettings& halftone = add(pages, name + ".tif", "{stem}.png.tif").settings.halftone;
    halftone.engine = engine;
    halftone.schedule = std::move(schedule);
  };
  const MethodInfo& method = *find_method("floyd-steinberg");
  const auto gpu = std::ranges::find(method.schedules, Engine::kGpu, &ScheduleInfo::engine);
  ASSERT_NE(gpu, method.schedules.end());
  add_engine("auto", Engine::kAutomatic, "");
  add_engine("cpu", Engine::kCpu, std::string(method.schedules.front().name));
  EXPECT_EQ(make({pages}).sheets[0].page.settings.halftone.engine, Engine::kCpu);
  add_engine("gpu", Engine::kGpu, std::string(gpu->name));
  EXPECT_THAT(refusal({pages}, ErrorKind::kUsage),
              AllOf(HasSubstr("gpu.tif"), HasSubstr("engine 'gpu' needs a GPU")));
  pages.pages.back().settings.halftone.engine = Engine::kAutomatic;
  const std::string schedule = "schedule '" + std::string(gpu->name) + "'";
  const bool is_named_once =
      find_schedule(method, gpu->name, Engine::kAutomatic)->engine == Engine::kGpu;
  if (is_named_once) {
    EXPECT_THAT(refusal({pages}, ErrorKind::kUsage), HasSubstr(schedule + " needs a GPU"));
  }

  task_.gpus = 1;
  const cluster::ClusterPlan plan = make({pages});
  for (size_t i = 0; i < pages.pages.size(); ++i) {
    EXPECT_EQ(plan.sheets[i].page.settings.halftone, pages.pages[i].settings.halftone) << i;
  }
  cluster::save_plan(plan);
  EXPECT_EQ(cluster::load_plan(plan.path).sheets.size(), 3U);

  pages.pages.back().settings.halftone = {"threshold", Engine::kHybrid, "", {}};
  EXPECT_THAT(refusal({pages}, ErrorKind::kUsage),
              HasSubstr("method 'threshold' has no schedule for engine 'hybrid'"));
}

TEST_F(ClusterPlans, HoldWhatIsWrongWithASheet) {
  manifests::Job good = job("good");
  add(good, "page.tif", "{stem}_plate.tif");
  add(good, "other.tif", "{stem}_plate.tif", 2);
  manifests::Job bad = good;
  bad.pages[0].input = folder_ / "good/none.tif";
  const cluster::ClusterPlan plan = make({bad});
  EXPECT_THAT(failure(plan, 0, ErrorKind::kMissing), HasSubstr("good/none.tif"));
  EXPECT_THAT(plan.sheets[0].page.pages, IsEmpty());
  EXPECT_THAT(plates_of(plan.sheets[0]), IsEmpty());
  EXPECT_THAT(plates_of(plan.sheets[1]), ElementsAre(folder_ / "good/other_plate.tif"));
  bad = good;
  bad.pages[0].pages = {1};
  EXPECT_THAT(failure(make({bad}), 0, ErrorKind::kData), HasSubstr("page 2 was asked for"));
  folder_.write("good/text.tif");
  bad = good;
  bad.pages[0].input = folder_ / "good/text.tif";
  EXPECT_THAT(failure(make({bad}), 0, ErrorKind::kData), HasSubstr("good/text.tif"));
}

TEST_F(ClusterPlans, AreOfWrongSheetsAloneIfNeedBe) {
  manifests::Job bad = job("bad");
  add(bad, "page.tif", "{stem}_plate.tif");
  bad.limits.memory_bytes = 1 << 20;
  const cluster::ClusterPlan plan = make({bad});
  EXPECT_THAT(failure(plan, 0, ErrorKind::kLimit), HasSubstr("the memory limit is"));
  EXPECT_EQ(plan.units.size(), 1U);
  cluster::save_plan(plan);
  const cluster::ClusterPlan read = cluster::load_plan(plan.path);
  EXPECT_EQ(failure(read, 0, ErrorKind::kLimit), plan.sheets[0].failure->message);
  EXPECT_EQ(cluster::job_of_unit(read, 0).pages.size(), 1U);
}

TEST_F(ClusterPlans, TakeNoTimeForAWrongSheet) {
  const ExtraMethod toy(test::kToySearch);
  task_.gpus = 1;
  manifests::Job pages = job("pages");
  // Each would be a unit of its own.
  for (const char* name : {"a", "b", "c", "d"}) {
    manifests::JobPage& page = add(pages, std::string(name) + ".tif", "{stem}_p.tif");
    page.settings.halftone = {"toy-search", Engine::kAutomatic, "", {}};
  }
  ASSERT_EQ(make({pages}).units.size(), 4U);
  pages.pages[1].input = folder_ / "pages/none.tif";
  EXPECT_EQ(make({pages}).units.size(), 3U) << "it was found when its file was opened";
  pages.pages[2].settings.output.replace = false;
  folder_.write("pages/c_p.tif");
  EXPECT_EQ(make({pages}).units.size(), 2U) << "it was found when all plates were known";
}

TEST_F(ClusterPlans, AreNotMadeOfSettingsThatRunNowhere) {
  manifests::Job good = job("good");
  add(good, "page.tif", "{stem}_plate.tif");
  manifests::Job bad = good;
  bad.pages[0].settings.halftone.method = "none";
  EXPECT_THAT(refusal({bad}, ErrorKind::kUsage), HasSubstr("page.tif: there is no halftoning"));
  bad.pages.clear();
  EXPECT_THAT(refusal({bad}, ErrorKind::kUsage), HasSubstr("no pages to submit"));
  EXPECT_THAT(refusal({}, ErrorKind::kUsage), HasSubstr("no pages to submit"));
  EXPECT_EQ(folder_.names().size(), 1U) << "nothing is written";
}

TEST_F(ClusterPlans, RefusePlatesThatTakeOthersPlaces) {
  manifests::Job first = job("first"), second = job("second");
  add(first, "page.tif", "{stem}_plate.tif");
  add(second, "other.tif", "plate.tif");
  ASSERT_EQ(make({first, second}).sheets.size(), 2U);

  fs::create_directory_symlink(folder_ / "first", folder_ / "alias");
  second.pages[0].settings.output.path = folder_ / "alias/page_plate.tif";
  EXPECT_THAT(refusal({first, second}, ErrorKind::kData),
              AllOf(HasSubstr("second/other.tif: two plates would be"),
                    HasSubstr("first/page.tif of job 'first' has that name already")));
  manifests::Job replaced = first;  // whatever else is wrong with one of them
  folder_.write("first/page_plate.tif");
  replaced.pages[0].settings.output.replace = false;
  EXPECT_THAT(refusal({replaced, second}, ErrorKind::kData), HasSubstr("of job 'first'"));
  fs::remove(folder_ / "first/page_plate.tif");
  second.pages[0].settings.output.path = folder_ / "alias/page.tif";
  EXPECT_THAT(failure(make({first, second}), 1, ErrorKind::kCannotCreate),
              HasSubstr("would replace an input"));
}

TEST_F(ClusterPlans, GiveTheNameOfAPlateToTheFirstSheetOfAJobThatWantsIt) {
  manifests::Job pages = job("pages");
  add(pages, "page.tif", "{stem}_plate.tif");
  pages.pages.push_back(pages.pages[0]);
  const cluster::ClusterPlan plan = make({pages});
  EXPECT_THAT(failure(plan, 1, ErrorKind::kData),
              HasSubstr("pages/page.tif has that name already"));
  EXPECT_EQ(plates_of(plan.sheets[1]), plates_of(plan.sheets[0]));
  cluster::save_plan(plan);
  EXPECT_EQ(cluster::load_plan(plan.path).sheets.size(), 2U);

  // One that cannot be made takes no name away, neither in its job nor from another.
  pages.pages[1].settings.output.path = folder_ / "pages/{ink}.tif";
  write_pages(folder_ / "pages/page.tif", 1, 4);
  pages.pages[0].settings.output.path = folder_ / "pages/plate.tif";
  manifests::Job other = job("other");
  add(other, "grey.tif", "grey.tif");
  other.pages[0].settings.output.path = folder_ / "pages/plate.tif";
  EXPECT_THAT(failure(make({pages, other}), 0, ErrorKind::kData), HasSubstr("it has 4 inks"));
}

TEST_F(ClusterPlans, FindOneNameForTwoInksOfASheet) {
  manifests::Job pages = job("pages");
  add(pages, "cmyk.tif", "{ink}/plate.tif", 1, 4);
  fs::create_directory(folder_ / "pages/cyan");
  fs::create_directory_symlink(folder_ / "pages/cyan", folder_ / "pages/black");
  EXPECT_THAT(failure(make({pages}), 0, ErrorKind::kData),
              HasSubstr("two plates would be " + folder_ / "pages/black/plate.tif"));
}

TEST_F(ClusterPlans, LeaveFilesAloneThatMustNotBeReplaced) {
  manifests::Job pages = job("pages");
  add(pages, "page.tif", "plate.tif").settings.output.replace = false;
  ASSERT_FALSE(make({pages}).sheets.at(0).failure);
  folder_.write("pages/plate.tif");
  EXPECT_THAT(failure(make({pages}), 0, ErrorKind::kCannotCreate),
              AllOf(HasSubstr("pages/page.tif: the plate"), HasSubstr("exists already")));
  manifests::Job replacing = pages;
  replacing.pages[0].settings.output.replace = true;
  const cluster::ClusterPlan plan = make({replacing});
  cluster::save_plan(plan);

  // An earlier submission of the folder made it: its attempt says so, and then the summary.
  const plan::SheetPlan sheet = plan::make_plan(replacing).sheets.at(0);
  {
    cluster::AttemptRecord record(plan, {.node = "n1", .slurm_job = "", .gpus = ""}, {});
    resume::JournalEntry entry;
    entry.plate = entry.sealed_path = sheet.plates[0].path;
    entry.input = sheet.input;
    entry.ink = "black";
    record.enter({&entry, 1});
  }
  EXPECT_FALSE(make({pages}).sheets.at(0).failure);
  cluster::compact_records(plan, false);
  EXPECT_FALSE(make({pages}).sheets.at(0).failure);
  cluster::compact_records(plan, true);  // to be made again, but still the plan's own
  EXPECT_FALSE(make({pages}).sheets.at(0).failure);
}

TEST_F(ClusterPlans, KnowWhatSheetsCost) {
  manifests::Job pages = job("pages");
  add(pages, "small.tif", "{stem}_plate.tif");
  add(pages, "large.tif", "{stem}_plate.tif", 8);
  plan::JobPlan plan = plan::make_plan(pages);
  std::vector<double> seconds = cluster::estimate_sheet_seconds(plan, task_);
  ASSERT_EQ(seconds.size(), 2U);
  EXPECT_GT(seconds[0], 0);
  EXPECT_DOUBLE_EQ(seconds[1], 8 * seconds[0]);
  task_.threads = 4;
  EXPECT_DOUBLE_EQ(cluster::estimate_sheet_seconds(plan, task_)[0], seconds[0] / 4);
  task_.threads = 1;
  task_.gpus = 1;
  plan.sheets[0].settings.halftone.engine = Engine::kGpu;
  EXPECT_LT(cluster::estimate_sheet_seconds(plan, task_)[0], seconds[0]) << "halftoning is free";
}

TEST_F(ClusterPlans, AddUpWhatTheInksOfASheetCost) {
  const auto seconds_of = [&](uint32_t planes, std::vector<manifests::InkSettings> inks) {
    manifests::Job pages = job("pages");
    manifests::PageSettings& settings =
        add(pages, "page.tif", "{stem}_{ink}.tif", 1, planes).settings;
    settings.halftone.method = "bayer";
    settings.inks = std::move(inks);
    return cluster::estimate_sheet_seconds(plan::make_plan(pages), task_).at(0);
  };
  const auto with_method = [](const std::string& ink, const std::string& method) {
    return manifests::InkSettings{.ink = ink, .label = {}, .halftone = {.method = method}};
  };
  const double bayer = seconds_of(1, {});
  const double diffusion = seconds_of(1, {with_method("black", "floyd-steinberg")});
  EXPECT_NE(diffusion, bayer);
  EXPECT_NEAR(seconds_of(4, {}), 4 * bayer, 1e-9 * bayer);
  const auto black = with_method("K", "floyd-steinberg");
  const auto yellow = with_method("yellow", "floyd-steinberg");
  EXPECT_NEAR(seconds_of(4, {black, yellow}), 2 * bayer + 2 * diffusion, 1e-9 * diffusion);
  const manifests::InkSettings dropped{.ink = "cyan", .label = {}, .is_dropped = true};
  EXPECT_NEAR(seconds_of(4, {dropped, black}), 2 * bayer + diffusion, 1e-9 * diffusion);
  const ExtraMethod toy(test::kToySearch);
  auto unknown = with_method("magenta", "toy-search");
  unknown.halftone.engine = Engine::kCpu;
  unknown.halftone.parameters = {{"rounds", 100'000}, {"pause", 5}};
  EXPECT_EQ(seconds_of(4, {unknown}), std::numeric_limits<double>::infinity());
}

TEST_F(ClusterPlans, GiveASearchOfUnknownCostAUnitOfItsOwn) {
  const ExtraMethod toy(test::kToySearch);
  manifests::Job pages = job("pages");
  for (const char* name : {"a", "b", "c"}) add(pages, std::string(name) + ".tif", "{stem}_p.tif");
  pages.pages[1].settings.halftone = {"toy-search", Engine::kAutomatic, "", {}};
  EXPECT_EQ(make({pages}).units.size(), 1U);
  task_.gpus = 1;
  const cluster::ClusterPlan plan = make({pages});
  ASSERT_EQ(plan.units.size(), 1U) << "what is left of a job is not worth a unit";
  EXPECT_EQ(plan.sheets[1].page.settings.halftone.engine, Engine::kAutomatic);
  pages.pages.push_back(pages.pages[1]);
  pages.pages.back().settings.output.path = folder_ / "pages/fourth.tif";
  EXPECT_EQ(make({pages}).units.size(), 2U);
}

// ---- Cutting -----------------------------------------------------------------------------------

std::vector<uint32_t> counts(const std::vector<cluster::Unit>& units) {
  std::vector<uint32_t> found;
  for (const cluster::Unit& unit : units) found.push_back(unit.count);
  return found;
}

TEST(Units, AreCutWhenTheyAreLongEnough) {
  const std::vector<uint32_t> one_job(7, 0);
  const std::vector<double> seconds = {4, 4, 4, 30, 1, 9, 4};
  EXPECT_THAT(counts(cluster::partition_sheets(seconds, one_job, {})), ElementsAre(3, 1, 3));
  EXPECT_THAT(counts(cluster::partition_sheets({1, 1, 1}, {0, 0, 0}, {})), ElementsAre(3));
  const std::vector<double> alike(15, 2);
  EXPECT_THAT(counts(cluster::partition_sheets(alike, std::vector<uint32_t>(15), {})),
              ElementsAre(5, 5, 5));
  EXPECT_THAT(
      counts(cluster::partition_sheets({6, 6, 6, 6, 6, 6, 6}, std::vector<uint32_t>(7), {})),
      ElementsAre(3, 2, 2))
      << "2, 2 and 3, but not 2, 2, 2 and 1";
  EXPECT_THAT(counts(cluster::partition_sheets({1, 1, 1}, {0, 1, 1}, {})), ElementsAre(1, 2));
  EXPECT_THAT(counts(cluster::partition_sheets({kInfinite, kInfinite, 1}, {0, 0, 0}, {})),
              ElementsAre(1, 2));
  EXPECT_THAT(counts(cluster::partition_sheets(seconds, one_job, {.unit_seconds = 0})), Each(1));
  EXPECT_THAT(counts(cluster::partition_sheets(seconds, one_job, {.sheets_per_unit = 3})),
              ElementsAre(3, 3, 1));
  EXPECT_THAT(cluster::partition_sheets({}, {}, {}), IsEmpty());
}

TEST(Units, GetLongerWhenThereWouldBeTooMany) {
  const std::vector<double> nothing(100, 0.0);
  const std::vector<uint32_t> one_job(100, 0);
  EXPECT_THAT(
      counts(cluster::partition_sheets(nothing, one_job, {.unit_seconds = 0, .most_units = 10})),
      ElementsAre(10, 10, 10, 10, 10, 10, 10, 10, 10, 10));
  EXPECT_THAT(
      counts(cluster::partition_sheets(nothing, one_job, {.sheets_per_unit = 1, .most_units = 3})),
      ElementsAre(34, 34, 32));
  const std::vector<double> long_ones(100, 1000.0);
  EXPECT_THAT(counts(cluster::partition_sheets(long_ones, one_job, {.most_units = 4})),
              ElementsAre(25, 25, 25, 25));
}

struct Sheets {
  std::vector<double> seconds;
  std::vector<uint32_t> job_of;
  size_t jobs = 0;
};

Sheets any_sheets() {
  Sheets sheets;
  sheets.jobs = *rc::gen::inRange<size_t>(1, 6);
  for (uint32_t job = 0; job < sheets.jobs; ++job) {
    const auto tenths =
        *rc::gen::nonEmpty(rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 300)));
    for (const int t : tenths) {
      sheets.seconds.push_back(t == 299 ? kInfinite : t / 10.0);
      sheets.job_of.push_back(job);
    }
  }
  return sheets;
}

cluster::UnitOptions any_options() {
  return {.sheets_per_unit = *rc::gen::weightedElement<uint32_t>({{3, 0}, {1, 1}, {1, 7}}),
          .unit_seconds = *rc::gen::element(0.0, 0.5, 10.0, 60.0, 1e6),
          .most_units = *rc::gen::element(1U, 2U, 5U, 20U, 1000U)};
}

RC_GTEST_PROP(AnyUnits, AreAllSheetsInOrderEachOfOneJob, ()) {
  const Sheets sheets = any_sheets();
  const cluster::UnitOptions options = any_options();
  const std::vector<cluster::Unit> units =
      cluster::partition_sheets(sheets.seconds, sheets.job_of, options);
  uint32_t next = 0;
  for (const cluster::Unit& unit : units) {
    RC_ASSERT(unit.first == next);
    RC_ASSERT(unit.count > 0U);
    next += unit.count;
    RC_ASSERT(next <= sheets.job_of.size());
    RC_ASSERT(sheets.job_of[unit.first] == sheets.job_of[next - 1]);
  }
  RC_ASSERT(next == sheets.job_of.size());
  RC_ASSERT(units.size() <= std::max<size_t>(options.most_units, sheets.jobs));
}

RC_GTEST_PROP(AnyUnits, AreLongEnoughAndNoLongerThanTheyNeedBe, ()) {
  Sheets sheets = any_sheets();
  cluster::UnitOptions options = any_options();
  options.sheets_per_unit = 0;
  const std::vector<cluster::Unit> units =
      cluster::partition_sheets(sheets.seconds, sheets.job_of, options);
  // What rounding and the least cost of a sheet may differ by.
  constexpr double kSlack = 1e-3;
  const bool has_room = options.most_units >= sheets.seconds.size();
  for (double& s : sheets.seconds) s = s == kInfinite ? options.unit_seconds : s;
  const auto sum = [&](uint32_t first, uint32_t count) {
    return std::accumulate(
        sheets.seconds.begin() + first, sheets.seconds.begin() + first + count, 0.0);
  };
  for (size_t i = 0; i < units.size(); ++i) {
    const auto [first, count] = units[i];
    const auto is_of_job = [&](size_t other) {
      return other < units.size() && sheets.job_of[units[other].first] == sheets.job_of[first];
    };
    const bool is_only = !is_of_job(i - 1) && !is_of_job(i + 1);
    if (!is_only) RC_ASSERT(sum(first, count) >= options.unit_seconds - kSlack);
    if (!has_room) continue;
    double longest = 0;
    for (size_t k = 0; k < sheets.seconds.size(); ++k) {
      if (sheets.job_of[k] == sheets.job_of[first]) longest = std::max(longest, sheets.seconds[k]);
    }
    RC_ASSERT(sum(first, count) < 2 * (options.unit_seconds + longest) + kSlack);
  }
}

}  // namespace
}  // namespace mezzo::test::make_cluster_plan_test
