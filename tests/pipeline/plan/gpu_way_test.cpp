// How far planes go on a GPU, by the traits of their halftoners.

#include "pipeline/plan/gpu_way.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mezzo::test::gpu_way_test {
namespace {

using plan::gpu_way;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

plan::SheetPlan sheet(std::initializer_list<Engine> plates) {
  plan::SheetPlan sheet;
  for (const Engine engine : plates) {
    plan::PlatePlan plate;
    plate.ink = "ink " + std::to_string(sheet.plates.size());
    plate.engine = engine;
    sheet.plates.push_back(plate);
  }
  return sheet;
}

TEST(GpuWay, IsNoneWhereTheCpuHalftones) {
  EXPECT_FALSE(gpu_way(sheet({Engine::kCpu})).to_strips);
  EXPECT_THAT(gpu_way(sheet({Engine::kCpu})).text, IsEmpty());
}

TEST(GpuWay, IsToStripsWhereAllPlanesCanStay) {
  plan::SheetPlan job = sheet({Engine::kGpu, Engine::kGpu});
  EXPECT_TRUE(gpu_way(job).to_strips);
  EXPECT_THAT(gpu_way(job).text, HasSubstr("coded as G4, and finished rows for other"));
  job.compression = tiff::Compression::kLzw;
  EXPECT_THAT(gpu_way(job).text, HasSubstr("finished rows, which threads code"));
  job.compression = tiff::Compression::kG4;
  EXPECT_THAT(gpu_way(job).text, HasSubstr("coded strips"));
  job.compression = tiff::Compression::kNone;
  EXPECT_THAT(gpu_way(job).text, testing::EndsWith("finished rows"));
}

TEST(GpuWay, SaysWhoScales) {
  plan::SheetPlan job = sheet({Engine::kGpu});
  EXPECT_THAT(gpu_way(job).text, HasSubstr("takes the page at its own resolution, and sends"));
  job.scales_on_cpu = true;
  EXPECT_TRUE(gpu_way(job).to_strips);
  EXPECT_THAT(
      gpu_way(job).text,
      HasSubstr("takes the page at the plates' resolution, as the CPU scales it, and sends"));
}

TEST(GpuWay, SaysWhyOnePlaneSendsRowsBack) {
  const auto text = [](const plan::SheetPlan& job) {
    const plan::GpuWay way = gpu_way(job);
    EXPECT_FALSE(way.to_strips);
    return way.text;
  };
  EXPECT_THAT(text(sheet({Engine::kGpu, Engine::kCpu})), HasSubstr("the CPU halftones ink 1"));
  EXPECT_THAT(text(sheet({Engine::kHybrid})), HasSubstr("part of the rows of ink 0"));
  plan::SheetPlan job = sheet({Engine::kGpu});
  job.linework.resize(1);
  EXPECT_TRUE(gpu_way(job).to_strips);
  job.linework.resize(2);
  EXPECT_THAT(text(job), HasSubstr("several files of line work"));
}

TEST(GpuWay, IsToStripsForInksTogetherUnlessTheyAreSearched) {
  plan::SheetPlan job = sheet({Engine::kGpu, Engine::kGpu});
  job.settings.halftone.parameters["inks"] = 1;
  EXPECT_TRUE(gpu_way(job).to_strips);
  for (plan::PlatePlan& plate : job.plates) plate.traits.band_rows = kWholePlane;
  EXPECT_FALSE(gpu_way(job).to_strips);
  EXPECT_THAT(gpu_way(job).text, HasSubstr("as it searches inks together"));
}

}  // namespace
}  // namespace mezzo::test::gpu_way_test
