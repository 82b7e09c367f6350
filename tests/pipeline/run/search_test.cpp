// Methods that search: on bands of their own, in rounds, for long.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <random>

#include "pipeline/run/job_runner.h"
#include "stages/tiff/plate/contone_writer.h"
#include "stages/tiff/plate/plate_reader.h"
#include "tests/stages/tiff/plate/writer_support.h"
#include "tests/support/extra_method.h"
#include "tests/support/toy_search.h"

namespace mezzo::test::search_test {
namespace {

using test::kToySearch;
using test::toy_log;
using test::ToyLog;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Jobs of pages of noise for the toy.
class Searches : public ::testing::Test {
 protected:
  static constexpr uint32_t kWidth = 150, kHeight = 101;

  manifests::JobPage& add(const std::map<std::string, double, std::less<>>& parameters = {},
                          uint32_t inks = 1,
                          uint32_t width = kWidth,
                          uint32_t height = kHeight) {
    tiff::ContoneOptions options;
    options.width_px = width;
    options.height_px = height;
    options.planes = inks;
    const std::string name = "page" + std::to_string(job_.pages.size());
    const auto writer = tiff::ContoneWriter::create(folder_ / (name + ".tif"), options);
    std::mt19937 random(1);
    std::vector<std::byte> row(size_t{width} * inks);
    for (uint32_t y = 0; y < height; ++y) {
      for (std::byte& byte : row) byte = static_cast<std::byte>(random() & 0xFF);
      writer->write_rows(row.data(), 1);
    }
    writer->finish();
    manifests::JobPage page;
    page.input = folder_ / (name + ".tif");
    page.settings.halftone = {
        .method = "toy-search", .engine = Engine::kCpu, .parameters = parameters};
    page.settings.output = {.path = folder_ / (name + "_{ink}.tif"), .compression = "packbits"};
    job_.pages.push_back(page);
    return job_.pages.back();
  }

  run::JobResult run(const run::RunOptions& options = {}, const plan::PlanOptions& plan = {}) {
    run::JobObserver nobody;
    toy_log().clear();
    return run::run_job(plan::make_plan(job_, plan), options, nobody, stop_);
  }

  std::string refusal(const plan::PlanOptions& options = {}) {
    const plan::JobPlan plan = plan::make_plan(job_, options);
    return plan.sheets.at(0).failure ? plan.sheets[0].failure->text() : "none";
  }

  const ExtraMethod listed_{kToySearch};
  TempFolder folder_;
  manifests::Job job_;
  std::atomic<bool> stop_{false};
};

const plan::PlanOptions kRecompute{.verify = tiff::VerifyLevel::kRecompute};
const run::RunOptions kGraph{.simple = false, .shuffle_seed = std::nullopt};
const run::RunOptions kSimple{.simple = true, .shuffle_seed = std::nullopt};

TEST_F(Searches, GetTheWholePlaneOrSlabsWhateverThePlanIsBentBy) {
  add();
  for (const run::RunOptions& options : {kGraph, kSimple}) {
    const run::JobResult result = run(options, {.band_rows = 16});
    ASSERT_TRUE(result.all_good()) << result.sheets.at(0).failure->text();
    EXPECT_THAT(toy_log().runs, ElementsAre(ToyLog::Run{kWidth, 0, kHeight, 0, 0}));
  }
  job_.pages[0].settings.halftone.parameters = {{"slab_rows", 40}};
  for (const run::RunOptions& options : {kGraph, kSimple}) {
    const run::JobResult result = run(options, {.band_rows = 16});
    ASSERT_TRUE(result.all_good()) << result.sheets.at(0).failure->text();
    EXPECT_THAT(toy_log().runs,
                ElementsAre(ToyLog::Run{kWidth, 0, 40, 0, 5},
                            ToyLog::Run{kWidth, 40, 40, 5, 5},
                            ToyLog::Run{kWidth, 80, 21, 5, 0}));
  }
}

TEST_F(Searches, ThatDoNotFitAreRefusedBeforeTheJobStarts) {
  // 2 Mpx, 100 bytes each.
  add({{"bytes", 100}}, 1, 2000, 1000);
  job_.limits.memory_bytes = 128 << 20;
  EXPECT_THAT(refusal(),
              HasSubstr("page 1 needs at least 236 MiB of memory, as its method works on all of it "
                        "at once, the limit is 128 MiB; raise limits.memory or --memory, or set "
                        "slab_rows to halftone so many rows at a time"));
  job_.limits.memory_bytes = 256 << 20;
  EXPECT_EQ(refusal(), "none");
  job_.limits.memory_bytes = 128 << 20;
  job_.pages[0].settings.halftone.parameters["slab_rows"] = 600;
  EXPECT_THAT(refusal(),
              AllOf(HasSubstr("raise limits.memory or --memory, or lower slab_rows"),
                    Not(HasSubstr("all of it"))));
  job_.pages[0].settings.halftone.parameters["slab_rows"] = 300;
  EXPECT_EQ(refusal(), "none");
}

TEST_F(Searches, OfAnInkThatDoNotFitGetItsAdvice) {
  manifests::PageSettings& settings = add({}, 1, 2000, 1000).settings;
  job_.limits.memory_bytes = 128 << 20;
  settings.inks = {{.ink = "black", .label = {}, .halftone = settings.halftone}};
  settings.inks[0].halftone.parameters = {{"bytes", 100}};
  settings.halftone = {.method = "bayer", .engine = Engine::kCpu};
  EXPECT_THAT(refusal(), HasSubstr("or set slab_rows to halftone so many rows at a time"));
}

TEST_F(Searches, AreVerifiedInTheirOwnBands) {
  for (const double slab_rows : {0, 40, 64}) {
    add({{"slab_rows", slab_rows}}, 4);
    const run::JobResult result = run({.simple = false, .shuffle_seed = 1}, kRecompute);
    ASSERT_TRUE(result.all_good()) << result.sheets.at(0).failure->text();
    EXPECT_EQ(result.sheets[0].verified, tiff::VerifyLevel::kRecompute);
    const size_t bands = slab_rows == 0 ? 1 : slab_rows == 40 ? 3 : 2;
    EXPECT_EQ(toy_log().runs.size(), 2 * 4 * bands);
    job_.pages.clear();
  }
}

TEST_F(Searches, ByTheClockCannotBeVerified) {
  add({{"budget", 0.01}});
  EXPECT_EQ(refusal(), "none");
  EXPECT_TRUE(run().all_good());
  EXPECT_EQ(
      refusal(kRecompute),
      "--verify: " + (folder_ / "page0.tif") +
          ": verify: recompute makes the plates twice, but method 'toy-search' stops when its "
          "time is up, so that two runs may give different bits; remove the time limit, or "
          "verify by decode");
  EXPECT_EQ(plan::make_plan(job_, kRecompute).sheets.at(0).failure->kind, ErrorKind::kUsage);
  job_.pages[0].settings.halftone.parameters["budget"] = 0;
  EXPECT_EQ(refusal(kRecompute), "none");
}

TEST_F(Searches, StopInTheRoundsOfVerifying) {
  add({{"rounds", 5}});
  struct StopLate final : run::JobObserver {
    explicit StopLate(std::atomic<bool>& flag) : stop(flag) {}
    void pixels_done(uint64_t pixels) override {
      // Nothing is done while a page is read, sealed and verified: the third such call is the
      // first round of verifying, or later.
      done += pixels;
      if (done > 0 && pixels == 0 && ++calls == 3) stop = true;
    }
    std::atomic<uint64_t> done{0};
    std::atomic<int> calls{0};
    std::atomic<bool>& stop;
  } observer(stop_);
  const plan::JobPlan plan = plan::make_plan(job_, kRecompute);
  const run::JobResult result =
      run::run_job(plan, {.simple = true, .shuffle_seed = std::nullopt}, observer, stop_);
  ASSERT_TRUE(result.sheets.at(0).failure);
  EXPECT_EQ(result.sheets[0].failure->kind, ErrorKind::kInterrupted);
  EXPECT_EQ(observer.calls, 3);
}

TEST_F(Searches, AreNotRunToChooseACompression) {
  add({{"slab_rows", 60}}).settings.output.compression = "auto";
  const run::JobResult result = run();
  ASSERT_TRUE(result.all_good()) << result.sheets.at(0).failure->text();
  EXPECT_THAT(toy_log().runs,
              ElementsAre(ToyLog::Run{kWidth, 0, 60, 0, 5}, ToyLog::Run{kWidth, 60, 41, 5, 0}));
}

TEST_F(Searches, TellOfEveryRoundOfEveryInk) {
  add({{"rounds", 3}, {"slab_rows", 60}}, 4);
  struct Listener final : run::JobObserver {
    void round_done(const plan::SheetPlan& sheet,
                    const std::string& ink,
                    const RoundReport& report) override {
      const std::lock_guard lock(mutex);
      EXPECT_EQ(sheet.pages.size(), 1U);
      EXPECT_EQ(report.average_error, 10.0 / report.round);
      rounds[ink] += std::to_string(report.first_row) + "/" + std::to_string(report.round) + " ";
    }
    std::mutex mutex;
    std::map<std::string, std::string> rounds;
  };
  for (const run::RunOptions& options : {kGraph, kSimple}) {
    Listener listener;
    ASSERT_TRUE(run::run_job(plan::make_plan(job_), options, listener, stop_).all_good());
    EXPECT_EQ(listener.rounds.size(), 4U);
    for (const char* ink : {"cyan", "magenta", "yellow", "black"}) {
      EXPECT_EQ(listener.rounds[ink], "0/1 0/2 0/3 60/1 60/2 60/3 ") << ink;
    }
  }
}

TEST_F(Searches, StopAtTheNextRound) {
  // It would take ten minutes.
  add({{"rounds", 60'000}, {"pause", 10}}, 4);
  struct StopSoon final : run::JobObserver {
    explicit StopSoon(std::atomic<bool>& flag) : stop(flag) {}
    void round_done(const plan::SheetPlan&,
                    const std::string&,
                    const RoundReport& report) override {
      if (report.round == 3) stop = true;
      last = std::max(last.load(), report.round);
    }
    std::atomic<bool>& stop;
    std::atomic<uint32_t> last{0};
  };
  for (const run::RunOptions& options : {kGraph, kSimple}) {
    stop_ = false;
    StopSoon observer(stop_);
    const run::JobResult result = run::run_job(plan::make_plan(job_), options, observer, stop_);
    EXPECT_TRUE(result.interrupted);
    ASSERT_TRUE(result.sheets.at(0).failure);
    EXPECT_EQ(result.sheets[0].failure->kind, ErrorKind::kInterrupted);
    EXPECT_LE(observer.last, 4U);
    for (const std::string& name : folder_.names()) EXPECT_THAT(name, Not(HasSubstr("part")));
  }
}

}  // namespace
}  // namespace mezzo::test::search_test
