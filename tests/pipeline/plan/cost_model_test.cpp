// Where 'auto' runs, by the model alone: figures are made up, so no GPU is needed.
#include "pipeline/plan/cost_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/extra_method.h"
#include "tests/support/toy_search.h"

namespace mezzo::test::cost_model_test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

/// A thread that reads 1 Gpx/s, halftones 100 Mpx/s and encodes 200 Mpx/s, and a GPU that starts in
/// 0.25 s and halftones 1 to 4 Gpx/s.
plan::MachineCosts machine(uint32_t gpus = 1) {
  return {.cpu = {.read = 1e-9, .halftone = 10e-9, .encode = 5e-9, .spreads = true},
          .gpu = {.start_seconds = 0.25,
                  .upload_bytes_per_s = 20e9,
                  .download_bytes_per_s = 20e9,
                  .plane_pixels_per_s = 1e9,
                  .planes_pixels_per_s = 4e9,
                  .strips_pixels_per_s = 400e9},
          .gpus = gpus};
}

plan::Work work(double pixels, uint32_t threads, uint32_t planes_at_once = 4) {
  return {.pixels = pixels,
          .page_bytes = pixels,
          .plate_bytes = pixels,
          .threads = threads,
          .planes_at_once = planes_at_once};
}

TEST(CostModel, TheCpuSharesAllWorkAmongItsThreads) {
  EXPECT_NEAR(plan::seconds_on_cpu(machine().cpu, work(1e9, 1)), 16, 1e-9);
  EXPECT_NEAR(plan::seconds_on_cpu(machine().cpu, work(1e9, 16)), 1, 1e-9);
}

TEST(CostModel, AScheduleOfOneThreadAPlaneKeepsNoMoreThreadsBusy) {
  plan::CpuCosts cpu = machine().cpu;
  cpu.spreads = false;
  EXPECT_NEAR(plan::seconds_on_cpu(cpu, work(1e9, 16, 1)), 10, 1e-9);
  EXPECT_NEAR(plan::seconds_on_cpu(cpu, work(1e9, 16, 4)), 2.5, 1e-9);
  EXPECT_NEAR(plan::seconds_on_cpu(cpu, work(1e9, 1, 4)), 16, 1e-9);
}

TEST(CostModel, TheSlowestStageSetsThePaceOfAJobWithAGpu) {
  EXPECT_NEAR(plan::seconds_with_gpu(machine(), work(8e9, 1)), 0.25 + 52, 1e-9) << "the threads";
  EXPECT_NEAR(plan::seconds_with_gpu(machine(), work(8e9, 64)), 0.25 + 2, 1e-9) << "the GPU";
  EXPECT_NEAR(plan::seconds_with_gpu(machine(), work(8e9, 64, 1)), 0.25 + 8, 1e-9)
      << "one plane on it";
  plan::Work wide = work(8e9, 64);
  wide.plate_bytes = 160e9;
  EXPECT_NEAR(plan::seconds_with_gpu(machine(), wide), 0.25 + 8, 1e-9) << "the bus";
}

/// Plates of 64 times the pixels of their pages.
plan::Work scaled(uint32_t threads) {
  plan::Work work{.pixels = 6.4e9,
                  .page_bytes = 0.1e9,
                  .plate_bytes = 12.8e9,
                  .scaled_pixels = 6.4e9,
                  .threads = threads,
                  .planes_at_once = 64};
  return work;
}

TEST(CostModel, ScalingAndReadingAPlateBackTakeTime) {
  plan::CpuCosts cpu = machine().cpu;
  cpu.scale = 2e-9;
  cpu.seal = 3e-9;
  EXPECT_NEAR(plan::seconds_on_cpu(cpu, scaled(16)), (0.1 + 6.4 * (2 + 10 + 5 + 3)) / 16, 1e-9);
}

TEST(CostModel, AGpuTakesOverTheStagesBetweenSamplesAndStrips) {
  plan::MachineCosts all = machine();
  all.cpu.scale = 2e-9;
  all.cpu.seal = 3e-9;
  plan::Work work = scaled(1);
  EXPECT_NEAR(plan::seconds_with_gpu(all, work), 0.25 + 0.15 + 6.4 * (2 + 5 + 3), 1e-9) << "none";
  work.to_strips = true;
  EXPECT_NEAR(plan::seconds_with_gpu(all, work), 0.25 + 0.15 + 6.4 * (5 + 3), 1e-9) << "scaling";
  work.decoded = false;
  EXPECT_NEAR(plan::seconds_with_gpu(all, work), 0.25 + 0.15 + 6.4 * 5, 1e-9)
      << "and decoding is not asked for";
  work.decoded = true;
  work.coded_there = true;
  EXPECT_NEAR(plan::seconds_with_gpu(all, work), 0.25 + 0.15, 1e-9) << "coding and decoding too";
  all.gpu.upload_bytes_per_s = 0.1e9;
  work.threads = 1024;
  EXPECT_NEAR(plan::seconds_with_gpu(all, work), 0.25 + 1, 1e-9) << "the page alone goes up";
  work.to_strips = false;
  EXPECT_NEAR(plan::seconds_with_gpu(all, work), 0.25 + 128, 1e-9)
      << "all samples of the plates do";
}

TEST(CostModel, ThreadsMakeTheFirstSheetsWhileAGpuStarts) {
  const plan::Work tenth = work(1e8, 16, 1);  // of a second
  const auto count = [](const std::vector<plan::Work>& sheets, double start_seconds) {
    return plan::sheets_beside_start(machine().cpu, sheets, start_seconds);
  };
  EXPECT_EQ(count({9, tenth}, 0.25), 2U);
  EXPECT_EQ(count({9, tenth}, 0.05), 0U);
  EXPECT_EQ(count({3, tenth}, 5), 2U) << "the last is the GPU's";
  EXPECT_EQ(count({1, tenth}, 5), 0U);
  EXPECT_EQ(count({}, 5), 0U);
  EXPECT_EQ(count({tenth, work(1e9, 16, 1), tenth}, 0.5), 1U) << "in their order";
  plan::Work scaled = tenth;
  scaled.page_bytes = 1.6e9;  // another tenth of a second
  EXPECT_EQ(count({9, scaled}, 0.25), 1U);
}

TEST(CostModel, SeveralGpusMultiplyTheRatesAsFarAsThereArePlanes) {
  EXPECT_NEAR(plan::seconds_with_gpu(machine(2), work(8e9, 64, 16)), 0.25 + 1, 1e-9);
  EXPECT_NEAR(plan::seconds_with_gpu(machine(2), work(8e9, 64, 1)), 0.25 + 8, 1e-9);
}

TEST(CostModel, AGpuIsChosenWhereItIsClearlyFaster) {
  const plan::EngineChoice choice = plan::choose_engine(machine(), work(8e9, 16));
  EXPECT_EQ(choice.engine, Engine::kGpu);
  EXPECT_EQ(choice.reason,
            "engine 'auto': GPU, as a GPU and 16 threads would take about 3.5 s and the CPU alone "
            "8.0 s (measured: a thread halftones 100 Mpx/s and encodes 200 Mpx/s, a GPU halftones "
            "4000 Mpx/s)");
  EXPECT_THAT(plan::choose_engine(machine(4), work(8e9, 16)).reason, HasSubstr("as 4 GPUs and 16"));
}

TEST(CostModel, TheCpuIsChosenWhereAGpuWouldBeSlowerOrHardlyFaster) {
  plan::MachineCosts slow = machine();
  slow.gpu.planes_pixels_per_s = 0.9e9;
  const plan::EngineChoice choice = plan::choose_engine(slow, work(8e9, 16));
  EXPECT_EQ(choice.engine, Engine::kCpu);
  EXPECT_THAT(choice.reason, StartsWith("engine 'auto': CPU, as 16 threads would take about"));
  slow.gpu.planes_pixels_per_s = 8e9 / (8.0 * 0.96 - 0.25);
  EXPECT_EQ(plan::choose_engine(slow, work(8e9, 16)).engine, Engine::kCpu) << "4 % are not enough";
  slow.gpu.planes_pixels_per_s = 8e9 / (8.0 * 0.94 - 0.25);
  EXPECT_EQ(plan::choose_engine(slow, work(8e9, 16)).engine, Engine::kGpu) << "6 % are";
}

TEST(CostModel, TheCpuIsChosenForATinyJob) {
  plan::MachineCosts quick = machine();
  quick.gpu.start_seconds = 1e-3;
  EXPECT_EQ(plan::choose_engine(quick, work(0.64e9, 16)).engine, Engine::kCpu);
  EXPECT_EQ(plan::choose_engine(quick, work(0.66e9, 16)).engine, Engine::kGpu);
}

TEST(CostModel, TheCpuIsMeasuredStageByStage) {
  const plan::CpuCosts deflate = plan::cpu_costs(complete({}), tiff::Compression::kDeflate);
  EXPECT_GT(deflate.read, 0);
  EXPECT_GT(deflate.halftone, 0);
  EXPECT_LT(deflate.halftone, 1e-6);
  EXPECT_GT(deflate.encode, plan::cpu_costs(complete({}), tiff::Compression::kNone).encode);
  EXPECT_GT(deflate.scale, 0);
  EXPECT_LT(deflate.scale, 1e-7);
  EXPECT_GT(deflate.seal, 0);
  EXPECT_GT(plan::cpu_costs(complete({}), tiff::Compression::kG4).seal, 0);
  // A schedule of a GPU that is named does not matter to the CPU's figures.
  EXPECT_GT(plan::cpu_costs(complete({.engine = Engine::kGpu, .schedule = "pwed"}),
                            tiff::Compression::kNone)
                .halftone,
            0);
}

TEST(CostModel, AGpuIsChosenForEverySearch) {
  EXPECT_EQ(plan::choose_engine_of_search({.halftone = 20e-6}, work(8e6, 16)).reason,
            "engine 'auto': GPU, as a search is bound by arithmetic, which a GPU does far faster "
            "than threads; 16 threads would take about 10 s");
  const plan::EngineChoice choice = plan::choose_engine_of_search({.known = false}, work(8e6, 16));
  EXPECT_EQ(choice.engine, Engine::kGpu);
  EXPECT_THAT(choice.reason, EndsWith("than threads"));
}

/// A search with these parameters.
plan::CpuCosts measured(std::map<std::string, double, std::less<>> parameters) {
  return plan::cpu_costs(complete({.method = "toy-search", .parameters = std::move(parameters)}),
                         tiff::Compression::kDeflate);
}

TEST(CostModel, ASearchIsMeasuredOnLittleAndByItsParameters) {
  const ExtraMethod listed(test::kToySearch);
  const plan::CpuCosts diffused = plan::cpu_costs(complete({}), tiff::Compression::kDeflate);
  test::toy_log().clear();
  const plan::CpuCosts quick = measured({});
  ASSERT_TRUE(quick.known);
  EXPECT_GT(quick.halftone, 0);
  EXPECT_EQ(quick.encode, diffused.encode);
  EXPECT_EQ(quick.spreads, false);
  const plan::CpuCosts slow = measured({{"effort", 8}});
  ASSERT_TRUE(slow.known);
  EXPECT_GT(slow.halftone, 2 * quick.halftone);
  uint64_t pixels = 0;
  for (const auto& run : test::toy_log().runs) pixels += uint64_t{run.width_px} * run.rows;
  EXPECT_LE(pixels, 2 * (48 * 48 + 16 * 16));
}

TEST(CostModel, ASearchThatDoesNotEndSoonIsNotMeasured) {
  const ExtraMethod listed(test::kToySearch);
  test::toy_log().clear();
  EXPECT_FALSE(measured({{"rounds", 100'000}, {"pause", 5}}).known);
  EXPECT_LE(test::toy_log().rounds, 61U) << "the most that 5 ms each leave of 300 ms, and one";
  test::toy_log().clear();
  EXPECT_FALSE(measured({{"budget", 30}}).known);
  EXPECT_TRUE(test::toy_log().runs.empty()) << "it would take the 30 s";
}

}  // namespace
}  // namespace mezzo::test::cost_model_test
