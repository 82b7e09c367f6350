// Threshold against its definition.

#include "kernels/screen/threshold.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/kernels/planes.h"

namespace mezzo::test::threshold_test {
namespace {

TEST(Threshold, InksFromItsLevelOn) {
  SamplePlane in(256, 1, 1);
  for (uint32_t x = 0; x < 256; ++x) in.set(x, 0, x);
  for (const double level : {0.1, 25.0, 50.0, 99.9, 100.0}) {
    BitPlane out(256, 1);
    const auto method =
        make_reference(complete({.method = "threshold", .parameters = {{"level", level}}}));
    run_whole(*method, in.band, ToneCurve(255, Polarity::kMaxIsInk), out.band);
    for (uint32_t x = 0; x < 256; ++x) {
      const double tone = std::round(x * 4096.0 / 255);
      ASSERT_EQ(out.band.ink(x, 0), tone >= std::round(level / 100 * 4096)) << level << " " << x;
    }
  }
}

}  // namespace
}  // namespace mezzo::test::threshold_test
