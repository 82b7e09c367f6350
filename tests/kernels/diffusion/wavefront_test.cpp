// Every SIMD target that this machine can run, by masking the faster ones.

#include "kernels/diffusion/cpu/wavefront.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <algorithm>

#include "tests/kernels/planes.h"
#include "tests/support/simd_target.h"

namespace mezzo::test::wavefront_test {
namespace {

class WavefrontOnTarget : public OnTarget {};

MZ_ON_EVERY_TARGET(Wavefront, WavefrontOnTarget);

TEST_P(WavefrontOnTarget, UsesTheLanesOfTheTarget) {
  const uint32_t rows = diffusion::wavefront_rows();
  RecordProperty("rows", static_cast<int>(rows));
  const std::string name = hwy::TargetName(GetParam());
  EXPECT_EQ(rows, name.starts_with("AVX3") ? 32U : name == "AVX2" ? 16U : 8U) << name;
}

TEST_P(WavefrontOnTarget, EqualsTheReference) {
  const auto reference = make_reference(complete({}));
  const diffusion::WavefrontDiffusion wavefront;
  const ToneCurve grey(255, Polarity::kMaxIsPaper);
  const uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed() + 31ULL;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  ThreadTeam pair(2);
  for (int round = 0; round < 150; ++round) {
    const auto width = static_cast<uint32_t>(round < 100 ? round + 1 : 1 + random() % 3000);
    const auto rows = static_cast<uint32_t>(1 + random() % 100);
    SamplePlane in(width, rows, 1);
    fill(in, round % 3 == 0 ? Fill::kExtremes : Fill::kNoise, 255, random());
    in.band.texture = round % 2 == 0 ? 0 : static_cast<uint32_t>(random());
    BitPlane expected(width, rows), found(width, rows);
    run_whole(*reference, in.band, grey, expected.band);
    run_in_bands(
        wavefront, in.band, grey, found.band, {static_cast<uint32_t>(1 + random() % 70)}, pair);
    ASSERT_TRUE(same_bits(expected.band, found.band));
    ASSERT_TRUE(found.guards_intact());
  }
}

}  // namespace
}  // namespace mezzo::test::wavefront_test
