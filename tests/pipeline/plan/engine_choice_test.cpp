// Engine 'auto' in plans, and the file of what GPUs cost.
#include "pipeline/plan/engine_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <limits>
#include <optional>
#include <span>

#include "kernels/gpu/context.h"
#include "kernels/screen/bayer.h"
#include "pipeline/plan/gpu_costs.h"
#include "pipeline/plan/plan.h"
#include "stages/files/input_file.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tests/stages/tiff/plate/writer_support.h"
#include "tests/support/extra_method.h"
#include "tests/support/toy_search.h"

namespace mezzo::test::engine_choice_test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

/// Bayer's screen without its schedule for a GPU.
constexpr MethodInfo kOnlyOnCpu = [] {
  MethodInfo method = screen::screen_method<screen::Bayer>();
  method.name = "only-on-cpu";
  method.schedules = std::span(screen::kTileSchedules).first(1);
  return method;
}();

/// Plans of jobs of grey pages, with a cache of their own.
class EngineChoices : public testing::Test {
 public:
  EngineChoices() {
    const char* cache = ::getenv("XDG_CACHE_HOME");
    if (cache != nullptr) cache_ = cache;
    ::setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
  }
  ~EngineChoices() override {
    cache_ ? ::setenv("XDG_CACHE_HOME", cache_->c_str(), 1) : ::unsetenv("XDG_CACHE_HOME");
  }

 protected:
  /// The same page that many times, plates apart.
  void add_pages(uint32_t side_px, int count, const HalftoneSettings& settings = {}) {
    tiff::ContoneOptions options;
    options.width_px = options.height_px = side_px;
    options.compression = tiff::Compression::kDeflate;
    const std::string path = folder_ / ("page" + std::to_string(side_px) + ".tif");
    const auto writer = tiff::ContoneWriter::create(path, options);
    const std::vector<std::byte> row(side_px);
    for (uint32_t y = 0; y < side_px; ++y) writer->write_rows(row.data(), 1);
    writer->finish();
    for (int i = 0; i < count; ++i) {
      manifests::JobPage page;
      page.input = path;
      page.settings.halftone = settings;
      page.settings.output.path = folder_ / ("plate" + std::to_string(job_.pages.size()) + ".tif");
      job_.pages.push_back(page);
    }
  }

  TempFolder folder_;
  manifests::Job job_;

 private:
  std::optional<std::string> cache_;
};

TEST_F(EngineChoices, ASmallJobStaysOnTheCpuWithoutACallOfCuda) {
  add_pages(200, 3);
  const bool was_awake = gpu::is_awake();
  const plan::JobPlan plan = plan::make_plan(job_);
  EXPECT_EQ(gpu::is_awake(), was_awake);
  for (const plan::SheetPlan& sheet : plan.sheets) {
    EXPECT_EQ(sheet.settings.halftone.engine, Engine::kCpu);
    EXPECT_EQ(sheet.engine, Engine::kCpu);
    EXPECT_EQ(sheet.schedule, "wavefront");
    EXPECT_EQ(sheet.schedule_reason,
              "engine 'auto': CPU, as its pages are done before a GPU has started");
  }
}

TEST_F(EngineChoices, WhatIsNamedIsLeftAlone) {
  add_pages(100, 1, {.engine = Engine::kCpu});
  add_pages(100, 1, {.schedule = "ed"});
  const plan::JobPlan plan = plan::make_plan(job_);
  EXPECT_EQ(plan.sheets[0].schedule_reason,
            "the fastest schedule of the engine that the settings name");
  EXPECT_EQ(plan.sheets[1].settings.halftone.engine, Engine::kAutomatic);
  EXPECT_EQ(plan.sheets[1].schedule, "ed");
  EXPECT_EQ(plan.sheets[1].schedule_reason, "the schedule is named in the settings");
}

TEST_F(EngineChoices, AMethodWithoutAGpuScheduleSaysSo) {
  const ExtraMethod listed(kOnlyOnCpu);
  add_pages(2500, 60, {.method = "only-on-cpu"});
  job_.limits.threads = 1;
  const bool was_awake = gpu::is_awake();
  for (const plan::SheetPlan& sheet : plan::make_plan(job_).sheets) {
    EXPECT_EQ(sheet.settings.halftone.engine, Engine::kCpu);
    EXPECT_EQ(sheet.schedule_reason,
              "engine 'auto': CPU, as method 'only-on-cpu' has no schedule for a GPU");
  }
  EXPECT_EQ(gpu::is_awake(), was_awake);
}

TEST_F(EngineChoices, ALargeJobIsDecidedAboutMethodByMethod) {
  add_pages(2500, 60, {.method = "ostromoukhov"});
  add_pages(2500, 60, {.method = "bayer"});
  job_.limits.threads = 1;
  const plan::JobPlan plan = plan::make_plan(job_);
  for (const plan::SheetPlan& sheet : plan.sheets) {
    ASSERT_FALSE(sheet.failure) << sheet.failure->text();
    EXPECT_THAT(sheet.settings.halftone.engine, AnyOf(Engine::kCpu, Engine::kGpu));
    EXPECT_EQ(sheet.settings.halftone.engine, sheet.engine);
    EXPECT_EQ(sheet.bands.size(), 1U);
    EXPECT_THAT(sheet.schedule_reason, StartsWith("engine 'auto': "));
  }
  EXPECT_EQ(plan.pixels, 120U * 2500 * 2500);
  EXPECT_EQ(plan.sheets.back().engine, Engine::kCpu);
  if (gpu::device_count() == 0) {
    EXPECT_THAT(plan.sheets.front().schedule_reason,
                HasSubstr("CPU, as this machine has no GPU to use"));
  } else {
    EXPECT_THAT(plan.sheets.front().schedule_reason, HasSubstr("(measured: a thread halftones"));
    EXPECT_TRUE(plan::load_gpu_costs(plan::gpu_costs_path(), plan::gpu_identity(), "ostromoukhov"));
  }
  EXPECT_GT(plan::estimate_seconds(plan), 0);
}

TEST_F(EngineChoices, TheFirstPagesAreMadeWhileTheGpuStarts) {
  if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  if (gpu::is_awake()) GTEST_SKIP() << "a test before this one has started the GPU";
  add_pages(5000, 60, {.method = "zhou-fang"});
  job_.limits.threads = 1;
  constexpr double kStart = 1;  // much longer than a page takes, much less than all of them
  ASSERT_TRUE(plan::store_gpu_costs(plan::gpu_costs_path(),
                                    plan::gpu_identity(),
                                    "zhou-fang",
                                    {kStart, 1e12, 1e12, 1e12, 1e12, 1e12}));
  const plan::JobPlan plan = plan::make_plan(job_);
  EXPECT_EQ(plan.sheets.front().engine, Engine::kCpu);
  EXPECT_THAT(plan.sheets.front().schedule_reason, HasSubstr("while the GPU starts"));
  EXPECT_EQ(plan.sheets.back().engine, Engine::kGpu);
  EXPECT_TRUE(std::ranges::is_sorted(plan.sheets, {}, &plan::SheetPlan::engine));
}

/// Rounds that take too long for any of them to be tiny work, or to be measured.
const std::map<std::string, double, std::less<>> kSlow = {{"rounds", 100'000}, {"pause", 5}};

TEST_F(EngineChoices, ScalingByEdgesTakesTheCpuLonger) {
  add_pages(300, 1, {.engine = Engine::kCpu});
  const auto seconds = [&](const char* scale, uint32_t dpi) {
    manifests::PageSettings& settings = job_.pages.front().settings;
    settings.assumed_dpi = 300;
    settings.output.resolution_dpi = dpi;
    settings.scale = scale;
    return *plan::estimate_seconds(plan::make_plan(job_));
  };
  EXPECT_GT(seconds("edges", 2400), seconds("cubic", 2400));
  EXPECT_EQ(seconds("edges", 200), seconds("area", 200)) << "smaller plates are made by area";
}

TEST_F(EngineChoices, AFewPixelsThatAreSearchedAreNoTinyJob) {
  const ExtraMethod listed(test::kToySearch);
  add_pages(200, 1, {.method = "toy-search"});
  add_pages(200, 1, {.method = "toy-search", .parameters = kSlow});
  add_pages(200, 1);
  const plan::JobPlan plan = plan::make_plan(job_);
  const std::string& slow = plan.sheets[1].schedule_reason;
  EXPECT_EQ(slow, plan.sheets[0].schedule_reason) << "with one GPU in work the other may join";
  EXPECT_THAT(slow,
              gpu::device_count() == 0 ? HasSubstr("CPU, as this machine has no GPU to use")
                                       : HasSubstr("CPU, as a GPU cannot: the toy has no GPU"));
  EXPECT_EQ(plan.sheets[2].schedule_reason,
            "engine 'auto': CPU, as its pages are done before a GPU has started");
}

TEST_F(EngineChoices, AnInkThatIsSearchedIsDecidedAboutByItself) {
  const ExtraMethod listed(test::kToySearch);
  add_pages(200, 1, {.method = "toy-search", .parameters = kSlow});
  add_pages(200, 1, {.method = "bayer"});
  job_.pages[1].settings.inks = {
      {.ink = "K", .label = {}, .halftone = {.method = "toy-search", .parameters = kSlow}}};
  const plan::JobPlan plan = plan::make_plan(job_);
  EXPECT_EQ(plan.sheets[1].schedule_reason, plan.sheets[0].schedule_reason);
  EXPECT_EQ(plan.sheets[1].settings.inks[0].halftone.engine, Engine::kCpu);
  EXPECT_EQ(plan.sheets[1].plates[0].engine, Engine::kCpu);
}

TEST_F(EngineChoices, AMethodThatNoInkHasIsNotCounted) {
  const ExtraMethod listed(test::kToySearch), other(kOnlyOnCpu);
  add_pages(200, 1, {.method = "toy-search", .parameters = kSlow});
  job_.pages[0].settings.inks = {
      {.ink = "black", .label = {}, .halftone = {.method = "only-on-cpu"}}};
  const bool was_awake = gpu::is_awake();
  const plan::JobPlan plan = plan::make_plan(job_);
  EXPECT_EQ(gpu::is_awake(), was_awake);
  EXPECT_EQ(plan.sheets[0].schedule_reason,
            "engine 'auto': CPU, as method 'only-on-cpu' has no schedule for a GPU");
  EXPECT_TRUE(plan::estimate_seconds(plan));
}

TEST_F(EngineChoices, InksWithoutMethodsFollowTheirPage) {
  add_pages(200, 1);
  job_.pages[0].settings.inks = {{.ink = "black", .label = {}, .over = {{"tone.gamma", 1.2}}}};
  const plan::JobPlan plan = plan::make_plan(job_);
  EXPECT_EQ(plan.sheets[0].settings.halftone.engine, Engine::kCpu);
  EXPECT_EQ(plan.sheets[0].settings.inks, job_.pages[0].settings.inks);
  EXPECT_EQ(plan.sheets[0].schedule_reason,
            "engine 'auto': CPU, as its pages are done before a GPU has started");
}

TEST_F(EngineChoices, AShortSearchStaysOnTheCpuWithoutACallOfCuda) {
  const ExtraMethod listed(test::kToySearch);
  add_pages(200, 1, {.method = "toy-search"});
  const bool was_awake = gpu::is_awake();
  const plan::JobPlan plan = plan::make_plan(job_);
  EXPECT_EQ(gpu::is_awake(), was_awake);
  EXPECT_THAT(plan.sheets[0].schedule_reason, HasSubstr("a GPU about as long to start"));
}

TEST_F(EngineChoices, TheTimeOfASearchIsEstimatedOnlyWhereItIsKnown) {
  const ExtraMethod listed(test::kToySearch);
  add_pages(200, 2);
  const auto plain = plan::estimate_seconds(plan::make_plan(job_));
  ASSERT_TRUE(plain);
  add_pages(200, 1, {.method = "toy-search", .engine = Engine::kCpu});
  EXPECT_GT(plan::estimate_seconds(plan::make_plan(job_)), plain);
  for (const auto& parameters : {kSlow, {{"budget", 0.001}}}) {
    manifests::Job job = job_;
    job.pages.back().settings.halftone.parameters = parameters;
    EXPECT_FALSE(plan::estimate_seconds(plan::make_plan(job)));
  }
  plan::JobPlan on_gpu = plan::make_plan(job_);
  on_gpu.sheets.back().engine = Engine::kGpu;
  EXPECT_FALSE(plan::estimate_seconds(on_gpu)) << "none is measured";
}

/// The reference's time is not measured.
TEST_F(EngineChoices, TheTimeOfRecomputingIsNotKnown) {
  add_pages(200, 2);
  job_.pages.back().settings.output.verify = tiff::VerifyLevel::kRecompute;
  plan::JobPlan plan = plan::make_plan(job_);
  EXPECT_FALSE(plan::estimate_seconds(plan));
  plan.sheets.back().failure.emplace();
  EXPECT_TRUE(plan::estimate_seconds(plan)) << "that sheet is not made";
}

constexpr plan::GpuCosts kCosts = {0.2, 20e9, 21e9, 1e9, 4e9, 9e9};

bool same(const std::optional<plan::GpuCosts>& found, const plan::GpuCosts& expected) {
  return found && found->start_seconds == expected.start_seconds &&
         found->upload_bytes_per_s == expected.upload_bytes_per_s &&
         found->download_bytes_per_s == expected.download_bytes_per_s &&
         found->plane_pixels_per_s == expected.plane_pixels_per_s &&
         found->planes_pixels_per_s == expected.planes_pixels_per_s &&
         found->strips_pixels_per_s == expected.strips_pixels_per_s;
}

TEST(CostFile, IsTheseBytes) {
  const TempFolder folder;
  const std::string path = folder / "costs.json";
  ASSERT_TRUE(
      plan::store_gpu_costs(path, "the \"gpu\" \xFF", "zf", {1e-7, 1.0 / 3, 3, 4, 1e300, 5}));
  ASSERT_TRUE(plan::store_gpu_costs(path, "other", "zf", kCosts));
  ASSERT_TRUE(plan::store_gpu_costs(path, "other", "bayer", kCosts));
  EXPECT_EQ(files::read_text(path, 1 << 20, files::FileSystem::real()),
            "{\n"
            "  \"gpus\": {\n"
            "    \"other\": {\n"
            "      \"bayer\": {\n"
            "        \"download_bytes_per_s\": 210000"
            "00000.0,\n"
            "        \"plane_pixels_per_s\": 1000000000.0,"
            "\n"
            "        \"planes_pixels_per_s\": 4000000000.0,\n"
            "        \"start_seconds\": 0.2,"
            "\n"
            "        \"strips_pixels_per_s\": 9000000000.0,\n"
            "        \"upload_bytes_per_s\": 20000000000.0\n"
            "      },"
            "\n"
            "      \"zf\": {\n"
            "        \"download_bytes_per_s\": 21000000000.0,"
            "\n"
            "        \"plane_pixels_per_s\": 1000000000.0,"
            "\n"
            "        \"planes_pixels_per_s\": 4000000000.0,\n"
            "        \"start_seconds\": 0.2,"
            "\n"
            "        \"strips_pixels_per_s\": 9000000000.0,\n"
            "        \"upload_bytes_per_s\": 20000000000.0\n"
            "      }\n"
            "    },"
            "\n"
            "    \"the \\\"gpu\\\" �\": {\n"
            "      \"zf\": {\n"
            "        \"download_bytes_per_s\": 3.0,"
            "\n"
            "        \"plane_pixels_per_s\": 4.0,\n"
            "        \"planes_pixels_per_s\": 1e+300,"
            "\n"
            "        \"start_seconds\": 1e-07,"
            "\n"
            "        \"strips_pixels_per_s\": 5.0,\n"
            "        \"upload_bytes_per_s\": 0.3333333333333333\n"
            "      }\n"
            "    }\n"
            "  },\n"
            "  \"v\": 1\n"
            "}\n");
}

TEST(CostFile, KeepsFiguresByGpuAndMethod) {
  const TempFolder folder;
  const std::string path = folder / "a/b/costs.json";
  plan::GpuCosts other = kCosts;
  other.start_seconds = 0.3;
  EXPECT_FALSE(plan::load_gpu_costs(path, "gpu", "fs"));
  ASSERT_TRUE(plan::store_gpu_costs(path, "gpu", "fs", kCosts));
  ASSERT_TRUE(plan::store_gpu_costs(path, "gpu", "zf", other));
  ASSERT_TRUE(plan::store_gpu_costs(path, "other \xff gpu", "fs", other));
  EXPECT_TRUE(same(plan::load_gpu_costs(path, "gpu", "fs"), kCosts));
  EXPECT_TRUE(same(plan::load_gpu_costs(path, "gpu", "zf"), other));
  EXPECT_FALSE(plan::load_gpu_costs(path, "gpu", "bayer"));
  EXPECT_FALSE(plan::load_gpu_costs(path, "newer gpu", "fs"));
  ASSERT_TRUE(plan::store_gpu_costs(path, "gpu", "fs", other));
  EXPECT_TRUE(same(plan::load_gpu_costs(path, "gpu", "fs"), other));
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "a/b")) {
    files += entry.is_regular_file();
  }
  EXPECT_EQ(files, 1U) << "no temporary file is left";
}

TEST(CostFile, IsAbsentWhenItIsDamagedAndIsReplaced) {
  const TempFolder folder;
  const std::string path = folder / "costs.json";
  ASSERT_TRUE(plan::store_gpu_costs(path, "gpu", "fs", kCosts));
  const std::string good = content_of(path);
  for (size_t cut = 0; cut + 2 < good.size(); cut += 7) {
    folder.write("costs.json", good.substr(0, cut));
    EXPECT_FALSE(plan::load_gpu_costs(path, "gpu", "fs")) << cut;
  }
  for (const char* text : {"",
                           "{}",
                           "[]",
                           "null",
                           "7",
                           "\xff\xfe",
                           R"({"v": 2, "gpus": {}})",
                           R"({"v": 1, "gpus": 7})",
                           R"({"v": 1, "gpus": {"gpu": 7}})",
                           R"({"v": 1, "gpus": {"gpu": {"fs": []}}})",
                           R"({"v": 1, "gpus": {"gpu": {"fs": {}}}})"}) {
    folder.write("costs.json", text);
    EXPECT_FALSE(plan::load_gpu_costs(path, "gpu", "fs")) << text;
    EXPECT_TRUE(plan::store_gpu_costs(path, "gpu", "fs", kCosts)) << text;
    EXPECT_TRUE(same(plan::load_gpu_costs(path, "gpu", "fs"), kCosts)) << text;
  }
}

TEST(CostFile, HoldsNoFigureThatIsNone) {
  const TempFolder folder;
  const std::string path = folder / "costs.json";
  for (const double bad : {0.0,
                           -1.0,
                           std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    plan::GpuCosts costs = kCosts;
    costs.planes_pixels_per_s = bad;
    plan::store_gpu_costs(path, "gpu", "fs", costs);
    EXPECT_FALSE(plan::load_gpu_costs(path, "gpu", "fs")) << bad;
  }
}

TEST(CostFile, OfAnEarlierVersionHasNoSuchFigures) {
  const TempFolder folder;
  const std::string path = folder / "costs.json";
  std::ofstream(path) << R"({"v": 1, "gpus": {"gpu": {"fs": {"start_seconds": 0.2,
      "upload_bytes_per_s": 2e10, "download_bytes_per_s": 2e10, "plane_pixels_per_s": 1e9,
      "planes_pixels_per_s": 4e9}}}})";
  EXPECT_FALSE(plan::load_gpu_costs(path, "gpu", "fs"));
}

TEST(CostFile, ThatCannotBeWrittenIsLeft) {
  const TempFolder folder;
  folder.write("file");
  EXPECT_FALSE(plan::store_gpu_costs(folder / "file/costs.json", "gpu", "fs", kCosts));
  EXPECT_FALSE(plan::store_gpu_costs("", "gpu", "fs", kCosts));
  std::filesystem::create_directories(folder / "costs.json/full");
  EXPECT_FALSE(plan::store_gpu_costs(folder / "costs.json", "gpu", "fs", kCosts));
  EXPECT_EQ(folder.names().size(), 2U) << "no temporary file is left";
}

TEST(GpuMeasuring, GivesFiguresThatAreKept) {
  if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  const TempFolder folder;
  for (const char* method :
       {"floyd-steinberg", "ostromoukhov", "zhou-fang", "tone-dependent", "green-noise"}) {
    const plan::GpuCosts costs = plan::measure_gpu_costs(method);
    EXPECT_GE(costs.planes_pixels_per_s, costs.plane_pixels_per_s / 2) << method;
    EXPECT_GT(costs.strips_pixels_per_s, costs.plane_pixels_per_s / 2) << method;
    ASSERT_TRUE(plan::store_gpu_costs(folder / "costs.json", plan::gpu_identity(), method, costs));
    EXPECT_TRUE(
        same(plan::load_gpu_costs(folder / "costs.json", plan::gpu_identity(), method), costs));
  }
}

TEST(CostFile, IsNeverMadeWithoutAGpu) {
  if (gpu::device_count() > 0) GTEST_SKIP() << "there is one";
  EXPECT_TRUE(plan::gpu_identity().empty());
  EXPECT_THROW(plan::measure_gpu_costs("floyd-steinberg"), Error);
}

}  // namespace
}  // namespace mezzo::test::engine_choice_test
