// Attempts at units, with real pages, and without a cluster.

#include "pipeline/cluster/unit_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <thread>

#include "manifests/curve/curve_file.h"
#include "pipeline/cluster/make_cluster_plan.h"
#include "pipeline/cluster/plan/plan_file.h"
#include "pipeline/cluster/plan/units.h"
#include "pipeline/cluster/records/attempt_reader.h"
#include "pipeline/cluster/sheet_status.h"
#include "pipeline/exit_status.h"
#include "stages/tiff/plate/plate_reader.h"
#include "tests/pipeline/cluster/pages.h"

namespace mezzo::test::unit_run_test {
namespace {

namespace fs = std::filesystem;
using test::job_page;
using test::write_pages;
using ::testing::ElementsAre;

/// A plan of one unit: three grey pages and one of four inks.
class UnitRun : public ::testing::Test {
 protected:
  UnitRun() {
    for (const std::string name : {"a", "b", "c", "d"}) {
      write_pages(folder_ / (name + ".tif"), 1, name == "d" ? 4 : 1);
    }
    make_plan_anew();
  }

  void make_plan_anew(const std::function<void(manifests::PageSettings&)>& change = {}) {
    manifests::Job job;
    job.name = "job";
    job.folder = folder_.path();
    for (const std::string name : {"a", "b", "c", "d"}) {
      job.pages.push_back(job_page(folder_.path(), name + ".tif", "out/{stem}_{ink}.tif"));
      if (change) change(job.pages.back().settings);
    }
    cluster::TaskSettings task;
    task.program = "/usr/bin/mezzotint";
    task.tries = 3;
    cluster::UnitOptions units;
    units.sheets_per_unit = 4;
    plan_ = cluster::make_cluster_plan({job}, folder_ / "job.plan", task, units);
    cluster::save_plan(plan_);
  }

  int run(const std::string& node = "n1") {
    cluster::Allocation allocation;
    allocation.node = node;
    run::JobObserver nobody;
    return cluster::run_unit(plan_, 0, allocation, nobody, stop_);
  }

  std::vector<cluster::SheetStatus> look() {
    return cluster::evaluate_sheets(
        plan_, cluster::read_attempts(plan_), cluster::VerifyMode::kDigest);
  }

  /// {plate: inode}: another one when it was made again.
  std::map<std::string, uint64_t> plates() {
    std::map<std::string, uint64_t> found;
    for (const auto& entry : fs::directory_iterator(folder_ / "out")) {
      const auto mark = files::mark_of(files::FileSystem::real(), entry.path().string());
      found[entry.path().filename().string()] = mark ? mark->inode : 0;
    }
    return found;
  }

  test::TempFolder folder_;
  cluster::ClusterPlan plan_;
  std::atomic<bool> stop_{false};
};

TEST_F(UnitRun, MakesItsPlatesOnce) {
  EXPECT_EQ(run(), kExitGood);
  const auto made = plates();
  EXPECT_EQ(made.size(), 7U);
  EXPECT_EQ(run("n2"), kExitGood);
  EXPECT_EQ(plates(), made);
  for (const cluster::SheetStatus& sheet : look()) {
    EXPECT_EQ(sheet.state, cluster::SheetState::kDone);
    EXPECT_EQ(sheet.node, "n1");
    EXPECT_FALSE(sheet.result.already_done);
  }
}

TEST_F(UnitRun, MakesAgainWhatIsGoneOrAnother) {
  ASSERT_EQ(run(), kExitGood);
  const auto before = plates();
  fs::remove(folder_ / "out/a_black.tif");
  std::ofstream(folder_ / "out/d_cyan.tif", std::ios::app) << "more";
  EXPECT_EQ(look()[0].state, cluster::SheetState::kOpen);
  EXPECT_EQ(look()[3].state, cluster::SheetState::kOpen);
  EXPECT_EQ(run("n2"), kExitGood);
  const auto after = plates();
  EXPECT_EQ(after.size(), 7U);
  EXPECT_EQ(after.at("b_black.tif"), before.at("b_black.tif"));
  EXPECT_NE(after.at("d_cyan.tif"), before.at("d_cyan.tif"));
  EXPECT_EQ(look()[0].node, "n2");
}

TEST_F(UnitRun, LeavesAPageThatIsWrongToOthersNever) {
  std::ofstream(folder_ / "b.tif") << "no TIFF";
  EXPECT_EQ(run(), kExitData);
  EXPECT_EQ(look()[1].state, cluster::SheetState::kFailed);
  EXPECT_EQ(plates().size(), 6U);
  EXPECT_EQ(run(), kExitData);
  EXPECT_EQ(look()[1].tries, 1U) << "it was tried again";
}

TEST_F(UnitRun, LeavesOutWhatWasWrongInThePlan) {
  fs::remove(folder_ / "b.tif");
  make_plan_anew();
  write_pages(folder_ / "b.tif", 1);  // there meanwhile
  EXPECT_EQ(run(), kExitData);
  EXPECT_EQ(plates().size(), 6U);
  EXPECT_EQ(look()[1].state, cluster::SheetState::kFailed);
  EXPECT_EQ(look()[1].failure->kind, ErrorKind::kMissing);
  for (const size_t other : {0, 2, 3})
    EXPECT_EQ(look()[other].state, cluster::SheetState::kDone) << other;
  EXPECT_FALSE(cluster::read_attempts(plan_).at(0).begun.contains(1));
}

TEST_F(UnitRun, EndsWhenAllWasWrongInThePlan) {
  for (const std::string name : {"a", "b", "c", "d"}) fs::remove(folder_ / (name + ".tif"));
  make_plan_anew();
  EXPECT_EQ(run(), kExitData);
  EXPECT_EQ(cluster::read_attempts(plan_).at(0).status, kExitData);
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

TEST_F(UnitRun, TriesWhatMayBeThereOnAnotherNode) {
  fs::rename(folder_ / "b.tif", folder_ / "elsewhere.tif");
  EXPECT_EQ(run("n1"), kExitTryAgain);
  EXPECT_EQ(look()[1].state, cluster::SheetState::kOpen);
  EXPECT_EQ(run("n1"), kExitTryAgain);
  fs::rename(folder_ / "elsewhere.tif", folder_ / "b.tif");
  EXPECT_EQ(run("n2"), kExitGood);
  EXPECT_EQ(look()[1].node, "n2");
}

TEST_F(UnitRun, GivesUpAfterSoManyTries) {
  fs::remove(folder_ / "b.tif");
  EXPECT_EQ(run(), kExitTryAgain);
  EXPECT_EQ(run(), kExitTryAgain);
  EXPECT_EQ(run(), kExitData);
  EXPECT_EQ(look()[1].state, cluster::SheetState::kFailed);
  EXPECT_EQ(look()[1].failure->kind, ErrorKind::kMissing);
}

TEST_F(UnitRun, IsAskedToStopWithoutATryLost) {
  stop_ = true;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run(), kExitTryAgain);
  stop_ = false;
  EXPECT_EQ(run(), kExitGood);
}

TEST_F(UnitRun, MayRunTwiceAtOnce) {
  for (int round = 0; round < 10; ++round) {
    fs::remove_all(folder_ / "out");
    int one = -1;
    {
      std::jthread other([&] { one = run("n1"); });
      EXPECT_EQ(run("n2"), kExitGood);
    }
    EXPECT_EQ(one, kExitGood);
    EXPECT_EQ(plates().size(), 7U) << "something is left beside the plates";
    for (const cluster::SheetStatus& sheet : look()) {
      EXPECT_EQ(sheet.state, cluster::SheetState::kDone);
      EXPECT_THAT(sheet.warnings, ElementsAre());
    }
  }
}

TEST_F(UnitRun, CountsWhatAnEarlierSubmissionMade) {
  ASSERT_EQ(run(), kExitGood);
  const auto made = plates();
  const auto submit_again = [this](bool fresh) {
    plan_.id = plan_.id == "111111111111" ? "222222222222" : "111111111111";
    cluster::compact_records(plan_, fresh);
    cluster::save_plan(plan_);
    return cluster::adopt_made_sheets(plan_);
  };
  EXPECT_EQ(submit_again(false), 4U);
  for (const cluster::SheetStatus& sheet : look())
    EXPECT_EQ(sheet.state, cluster::SheetState::kDone);
  EXPECT_EQ(plates(), made);

  fs::remove(folder_ / "out/d_cyan.tif");
  plan_.sheets[1].page.settings.tone.gamma = 2;
  EXPECT_EQ(submit_again(false), 2U);
  EXPECT_EQ(look()[0].state, cluster::SheetState::kDone);
  EXPECT_EQ(look()[1].state, cluster::SheetState::kOpen);
  EXPECT_EQ(look()[3].state, cluster::SheetState::kOpen);
  EXPECT_EQ(submit_again(true), 0U);
}

TEST_F(UnitRun, RefusesAPlanOfAnotherVersion) {
  plan_.program = "mezzotint 0.0.9";
  EXPECT_THROW(run(), Error);
  EXPECT_FALSE(fs::exists(folder_ / "out"));
}

/// Variables for a while.
class Variables {
 public:
  explicit Variables(std::map<std::string, std::string> values) : values_(std::move(values)) {
    for (const auto& [name, value] : values_) ::setenv(name.c_str(), value.c_str(), 1);
  }
  ~Variables() {
    for (const auto& [name, value] : values_) ::unsetenv(name.c_str());
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;

 private:
  const std::map<std::string, std::string> values_;
};

TEST(Allocations, AreAsSlurmSays) {
  const Variables given({{"SLURMD_NODENAME", "n7"},
                         {"SLURM_ARRAY_JOB_ID", "12"},
                         {"SLURM_ARRAY_TASK_ID", "3"},
                         {"SLURM_CPUS_PER_TASK", "5"},
                         {"SLURM_MEM_PER_CPU", "10"},
                         {"CUDA_VISIBLE_DEVICES", "2"}});
  cluster::TaskSettings task;
  task.gpus = 1;
  const cluster::Allocation found = cluster::find_allocation(task);
  EXPECT_EQ(found.node, "n7");
  EXPECT_EQ(found.slurm_job, "12_3");
  EXPECT_EQ(found.threads, 5U);
  EXPECT_EQ(found.memory_bytes, 50ULL << 20);
  EXPECT_EQ(found.gpus, "2");
}

TEST(Allocations, HaveNoGpusThatWereNotAskedFor) {
  const Variables given(std::map<std::string, std::string>{{"CUDA_VISIBLE_DEVICES", "0,1"}});
  EXPECT_EQ(cluster::find_allocation({}).gpus, "");
  EXPECT_STREQ(std::getenv("CUDA_VISIBLE_DEVICES"), "0,1") << "the environment is the program's";
}

TEST(Allocations, OfAnotherEngineAreNotSlurms) {
  const Variables given({{"SLURM_CPUS_PER_TASK", "64"}, {"SLURMD_NODENAME", "n7"}});
  cluster::TaskSettings task;
  task.engine = cluster::ClusterEngineKind::kLocal;
  task.threads = 2;
  EXPECT_EQ(cluster::find_allocation(task).threads, 2U);
  EXPECT_NE(cluster::find_allocation(task).node, "n7");
}

/// What a node whose C library rounds otherwise would find.
TEST_F(UnitRun, RefusesNumbersThatAreNotThePlans) {
  const auto refusal = [&](const auto& change) {
    make_plan_anew([](manifests::PageSettings& settings) {
      settings.halftone = {.method = "dbs"};
      settings.tone.gamma = 1.3;
    });
    change(plan_.sheets[1].plates[0].numbers);
    try {
      run();
      return std::string("made");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kDevice);
      return std::string(error.what());
    }
  };
  const std::string page = (folder_ / "b.tif");
  EXPECT_THAT(refusal([](plan::LibraryNumbers& numbers) { numbers.tones[0] ^= 1; }),
              testing::HasSubstr(page + ": the tones of black are not the plan's"));
  EXPECT_THAT(
      refusal([](plan::LibraryNumbers& numbers) { numbers.method[0] ^= 1; }),
      testing::HasSubstr(page + ": the weights of method 'dbs' of black are not the plan's"));
  EXPECT_FALSE(fs::exists(folder_ / "out"));
  EXPECT_EQ(refusal([](plan::LibraryNumbers& numbers) { numbers = {}; }), "made")
      << "older plans have none";
}

TEST_F(UnitRun, HasTheCurvesOfThePlanAndLooksNothingUp) {
  const std::string library = folder_ / "curves";
  fs::create_directory(library);
  curve::CurveFile file;
  file.press = "XL 106";
  file.ink = "black";
  file.screen = "bayer order=3";
  file.dpi = 300;
  file.curve.points = {{0, 0}, {50, 10}, {100, 100}};
  std::ofstream(library + "/k.yaml") << curve_file_text(file);
  const auto settings = [&](manifests::PageSettings& page) {
    page.halftone = {.method = "bayer"};
    page.assumed_dpi = 300;
    page.press = {.name = "XL 106", .xxh3 = std::string(32, 'a'), .inks = {}};
    page.curves = {.library = library, .paper = {}, .has_plate = false};
  };
  make_plan_anew(settings);
  ASSERT_EQ(plan_.sheets[0].plates[0].curves.size(), 1U);
  fs::remove_all(library);
  plan_ = cluster::load_plan(plan_.path);
  ASSERT_EQ(plan_.sheets[0].plates[0].curves.size(), 1U);
  EXPECT_EQ(run(), kExitGood);
  const tiff::PlateReader plate((folder_ / "out/a_black.tif"));
  EXPECT_THAT(plate.page(0).description,
              testing::HasSubstr("; curves=press " + curve::digest_of(file.curve) + "; press="));
}

}  // namespace
}  // namespace mezzo::test::unit_run_test
