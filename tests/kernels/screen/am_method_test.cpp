// The method am: its parameters become the screen that they say, or a message.

#include "kernels/screen/am_method.h"

#include <gtest/gtest.h>

#include "kernels/base/error.h"
#include "tests/kernels/planes.h"

namespace mezzo::test::am_method_test {
namespace {

using screen::Am;
using screen::AmScreen;
using screen::Cell;
using screen::Dot;

HalftoneSettings am(const Parameters& parameters) {
  return with_defaults({.method = "am", .parameters = parameters});
}

std::string refusal(const Parameters& parameters) {
  try {
    am(parameters);
    return {};
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
}

TEST(Am, TakesTheCellOfItsResolutionRulingAndAngle) {
  const AmScreen screen = Am::screen(
      am({{"ruling", 133}, {"angle", 75}, {"dpi", 2400}, {"dot", 2}, {"minimum_dot", 9}}));
  EXPECT_EQ(screen, (AmScreen{{12, 56, 209}, Dot::kEllipse, 9}));
}

TEST(Am, TakesTheCellThatIsGiven) {
  const Parameters pinned{{"cell_repeats", 5}, {"cell_m", 66}, {"cell_n", 18}};
  EXPECT_EQ(Am::screen(am(pinned)), (AmScreen{{5, 66, 18}, Dot::kEuclidean, 1}));
}

TEST(Am, PutsInkWhereATonePassesTheThresholdOfItsCell) {
  const AmScreen screen{{3, -14, 5}, Dot::kDiamond, 4};
  const screen::ThresholdTile tile = screen::am_tile(screen);
  const auto method = make_reference(complete(
      {.method = "am",
       .parameters =
           {{"cell_repeats", 3}, {"cell_m", -14}, {"cell_n", 5}, {"dot", 3}, {"minimum_dot", 4}}},
      kPlate));
  for (const uint32_t tone : {0U, 1U, 300U, 2048U, 3900U, 4095U, 4096U}) {
    SamplePlane in(200, 150, 2);
    for (uint32_t y = 0; y < 150; ++y) {
      for (uint32_t x = 0; x < 200; ++x) in.set(x, y, tone);
    }
    BitPlane out(200, 150);
    run_whole(*method, in.band, ToneCurve(4096, Polarity::kMaxIsInk), out.band);
    for (uint32_t y = 0; y < 150; ++y) {
      for (uint32_t x = 0; x < 200; ++x) ASSERT_EQ(out.band.ink(x, y), tone > tile.at(x, y));
    }
  }
}

TEST(Am, HasAScreenForAnySettingsWithoutAResolution) {
  for (const double ruling : {10, 150, 1000}) {
    for (const double minimum : {1, 100, 10'000}) {
      EXPECT_EQ(refusal({{"ruling", ruling}, {"minimum_dot", minimum}}), "");
    }
  }
}

TEST(Am, RefusesWhatDoesNotFit) {
  EXPECT_EQ(refusal({{"ruling", 200}, {"dpi", 600}}),
            "method 'am': a ruling of 200 lpi at 600 dpi leaves less than 4 px to a cell; give "
            "the plates' resolution, such as 2400 dpi, or use at most 150 lpi");
  EXPECT_EQ(refusal({{"ruling", 150}, {"dpi", 1200}, {"minimum_dot", 17}}),
            "method 'am': a minimum_dot of 17 px is more than a quarter of a cell; use at most 15 "
            "px, or a coarser ruling");
  EXPECT_EQ(refusal({{"cell_repeats", 5}, {"cell_m", 66}}), "");
  EXPECT_EQ(refusal({{"cell_m", 66}, {"cell_n", 18}}),
            "method 'am': a cell of (66, 18) / 0 px must repeat after 1 to 64 cells");
  EXPECT_EQ(refusal({{"cell_repeats", 1}, {"cell_m", 512}, {"cell_n", 512}}),
            "method 'am': a cell of (512, 512) / 1 px takes more than the 262144 px of a tile");
}

}  // namespace
}  // namespace mezzo::test::am_method_test
