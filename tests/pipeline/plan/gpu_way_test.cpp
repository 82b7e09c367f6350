// How far planes go on a GPU, by the traits of their halftoners.

#include "pipeline/plan/gpu_way.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mezzo::test {
namespace {

using plan::gpu_way;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr HalftonerTraits kOnGpu{.on_device = true, .stays_on_device = true};
constexpr HalftonerTraits kBothWays{.on_device = true};

plan::SheetPlan sheet(std::initializer_list<std::pair<Engine, HalftonerTraits>> plates) {
  plan::SheetPlan sheet;
  for (const auto& [engine, traits] : plates) {
    plan::PlatePlan plate;
    plate.ink = "ink " + std::to_string(sheet.plates.size());
    plate.engine = engine;
    plate.traits = traits;
    sheet.plates.push_back(plate);
  }
  return sheet;
}

TEST(GpuWay, IsNoneWhereTheCpuHalftones) {
  EXPECT_FALSE(gpu_way(sheet({{Engine::kCpu, {}}})).to_strips);
  EXPECT_THAT(gpu_way(sheet({{Engine::kCpu, {}}})).text, IsEmpty());
}

TEST(GpuWay, IsToStripsWhereAllPlanesCanStay) {
  plan::SheetPlan job = sheet({{Engine::kGpu, kOnGpu}, {Engine::kGpu, kOnGpu}});
  EXPECT_TRUE(gpu_way(job).to_strips);
  EXPECT_THAT(gpu_way(job).text, HasSubstr("coded as G4, and finished rows for other"));
  job.compression = tiff::Compression::kLzw;
  EXPECT_THAT(gpu_way(job).text, HasSubstr("finished rows, which threads code"));
  job.compression = tiff::Compression::kG4;
  EXPECT_THAT(gpu_way(job).text, HasSubstr("coded strips"));
  job.compression = tiff::Compression::kNone;
  EXPECT_THAT(gpu_way(job).text, testing::EndsWith("finished rows"));
}

TEST(GpuWay, IsToStripsOfSearchesToo) {
  HalftonerTraits searches = kOnGpu;
  searches.band_rows = kWholePlane;
  EXPECT_TRUE(gpu_way(sheet({{Engine::kGpu, searches}})).to_strips);
}

TEST(GpuWay, SaysWhyOnePlaneSendsRowsBack) {
  const auto text = [](const plan::SheetPlan& job) {
    const plan::GpuWay way = gpu_way(job);
    EXPECT_FALSE(way.to_strips);
    return way.text;
  };
  EXPECT_THAT(text(sheet({{Engine::kGpu, kOnGpu}, {Engine::kCpu, {}}})),
              HasSubstr("the CPU halftones ink 1"));
  EXPECT_THAT(text(sheet({{Engine::kHybrid, kBothWays}})), HasSubstr("part of the rows of ink 0"));
  EXPECT_THAT(text(sheet({{Engine::kGpu, kBothWays}})), HasSubstr("gives its rows to the CPU"));
}

TEST(GpuWay, IsToStripsWithLevels) {
  plan::SheetPlan packed = sheet({{Engine::kGpu, kOnGpu}});
  packed.settings.halftone.levels.emplace();
  EXPECT_TRUE(gpu_way(packed).to_strips);
}

}  // namespace
}  // namespace mezzo::test
