#include "pipeline/plan/resolution.h"

#include <gtest/gtest.h>

namespace mezzo::test::resolution_test {
namespace {

TEST(Resolutions, AgreeAsFarAsTagsOfFilesCanTell) {
  EXPECT_TRUE(plan::agree(300, 118.11 * 2.54));
  EXPECT_TRUE(plan::agree(118.11 * 2.54, 300));
  EXPECT_TRUE(plan::agree(0, 0));
  EXPECT_FALSE(plan::agree(300, 0));
  EXPECT_FALSE(plan::agree(300, 300.2));
  EXPECT_TRUE(plan::agree(Resolution{600, 300}, Resolution{600.1, 299.9}));
  EXPECT_FALSE(plan::agree(Resolution{600, 300}, Resolution{600, 600}));
}

TEST(Resolutions, AreShownAcrossAndDownWhereTheyDiffer) {
  EXPECT_EQ(plan::resolution_text({2400, 2400}), "2400 dpi");
  EXPECT_EQ(plan::resolution_text({600, 300}), "600 x 300 dpi");
  EXPECT_EQ(plan::resolution_text({300, 299.9999999}), "300 dpi");
}

}  // namespace
}  // namespace mezzo::test::resolution_test
