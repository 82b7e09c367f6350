#include "kernels/screen/ink_angles.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

namespace mezzo::test::ink_angles_test {
namespace {

TEST(InkAngles, OfExtraInksGoByTheInkTheyHardlyMeet) {
  constexpr std::pair<std::string_view, double> kAngles[] = {{"cyan", 15},
                                                             {"Orange", 15},
                                                             {"magenta", 75},
                                                             {"green", 75},
                                                             {"Violet", 0},
                                                             {"blue", 0},
                                                             {"Y", 0},
                                                             {"K", 45},
                                                             {"PANTONE 185 C", 45}};
  for (const auto& [ink, angle] : kAngles) EXPECT_EQ(screen::usual_angle(ink), angle) << ink;
}

TEST(InkAngles, AreSharedByInksThatHardlyMeet) {
  EXPECT_TRUE(screen::may_share_angle("orange", "C"));
  EXPECT_TRUE(screen::may_share_angle("Process Magenta", "Green"));
  EXPECT_FALSE(screen::may_share_angle("orange", "magenta"));
  EXPECT_FALSE(screen::may_share_angle("black", "varnish"));
}

}  // namespace
}  // namespace mezzo::test::ink_angles_test
