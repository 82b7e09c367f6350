#include "pipeline/run/ppf_run.h"

#include <gtest/gtest.h>

namespace mezzo::run::ppf_run_test {
namespace {

TEST(ZoneMeans, LieInTheMiddleOfTheSheet) {
  // 100 mm, whose right half is solid; 4 zones of 20 mm begin at 10 mm.
  std::vector<double> columns(100, 0);
  for (size_t x = 50; x < 100; ++x) columns[x] = 1;
  const std::vector<double> means = zone_means(columns, 1, 4, 20);
  const std::vector<double> expected = {0, 0, 100, 100};
  ASSERT_EQ(means.size(), 4U);
  for (size_t z = 0; z < 4; ++z) EXPECT_NEAR(means[z], expected[z], 1e-9);
}

TEST(ZoneMeans, CountPaperBesideTheSheet) {
  // 30 mm under 2 zones of 32.5 mm: each has 15 mm of it.
  const std::vector<double> means = zone_means(std::vector<double>(30, 0.5), 1, 2, 32.5);
  for (const double mean : means) EXPECT_NEAR(mean, 100 * 0.5 * 15 / 32.5, 1e-9);
}

TEST(ZoneMeans, CutColumns) {
  const std::vector<double> means = zone_means({1, 0, 0}, 1, 1, 2);  // 0.5 .. 2.5 mm
  EXPECT_NEAR(means[0], 25, 1e-9);
}

}  // namespace
}  // namespace mezzo::run::ppf_run_test
