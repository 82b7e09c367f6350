#include "pipeline/plan/chain_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mezzo::test::chain_steps_test {
namespace {

using ::testing::ElementsAre;

manifests::PageSettings scaled(const std::string& filter) {
  manifests::PageSettings settings;
  settings.output.resolution_dpi = 2400;
  settings.scale = filter;
  return settings;
}

PageInfo page_of(uint32_t side_px, double dpi) {
  PageInfo page;
  page.width_px = page.height_px = side_px;
  page.resolution = {dpi, dpi};
  return page;
}

TEST(ChainSteps, AreInTheOrderOfTheirWork) {
  std::vector<std::string_view> names;
  for (const plan::ChainStep& step : plan::chain_steps()) names.push_back(step.name);
  EXPECT_THAT(names,
              ElementsAre("crop",
                          "dot range",
                          "colour",
                          "inks",
                          "ink limit of the page",
                          "scale",
                          "ink limit of the plates",
                          "copies"));
}

TEST(ChainSteps, KeepSolidsUnlessTonesComeBetween) {
  EXPECT_TRUE(plan::keep_solids({}));
  EXPECT_TRUE(plan::keep_solids(scaled("auto")));
  EXPECT_TRUE(plan::keep_solids(scaled("nearest")));
  EXPECT_FALSE(plan::keep_solids(scaled("area")));
}

TEST(ChainSteps, WorkWhereTheyScale) {
  const PageInfo page = page_of(300, 300), plate = page_of(2400, 2400);
  EXPECT_EQ(plan::work_of_steps(page, page, {}), 0);
  EXPECT_EQ(plan::work_of_steps(page, plate, scaled("cubic")), 1);
  EXPECT_GT(plan::work_of_steps(page, plate, scaled("edges")), 1);
  EXPECT_EQ(plan::work_of_steps(plate, page, scaled("edges")), 1);  // fewer pixels: by area
}

}  // namespace
}  // namespace mezzo::test::chain_steps_test
