// Inks together by the wavefront, on every SIMD target that this machine can run.

#include "kernels/diffusion/together/inks_wavefront.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include "kernels/diffusion/cpu/wavefront.h"
#include "kernels/diffusion/together/reference.h"
#include "tests/kernels/diffusion/together/ink_planes.h"
#include "tests/support/simd_target.h"

namespace mezzo::test::inks_wavefront_test {
namespace {

using diffusion::together::InksCollection;
using diffusion::together::InksWavefront;

class InksWavefrontOnTarget : public OnTarget {};

MZ_ON_EVERY_TARGET(InksWavefront, InksWavefrontOnTarget);

TEST_P(InksWavefrontOnTarget, EqualsTheReference) {
  const uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed() + 31ULL;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  SoloTeam solo;
  ThreadTeam pair(2);
  for (int round = 0; round < 120; ++round) {
    const auto width = static_cast<uint32_t>(round < 66 ? round + 1 : 1 + random() % 1500);
    const auto rows = static_cast<uint32_t>(1 + random() % 100);
    const auto count = static_cast<uint32_t>(1 + random() % 8);
    const uint32_t bytes = 1 + round % 2;
    const auto light = light_tones(round % 3 == 0);
    SCOPED_TRACE(std::to_string(count) + " planes of " + std::to_string(width) + " x " +
                 std::to_string(rows));
    InkPlanes expected(count, width, rows, bytes), found(count, width, rows, bytes);
    const uint64_t samples = random();
    fill_inks(expected, samples);
    fill_inks(found, samples);
    run_in_bands(InksCollection(light), expected, {rows}, solo);
    run_in_bands(InksWavefront(light), found, {static_cast<uint32_t>(1 + random() % 70)}, pair);
    ASSERT_TRUE(same_bits(expected, found));
  }
}

TEST_P(InksWavefrontOnTarget, KeepsPaperAndSolid) {
  SoloTeam solo;
  for (const uint32_t sample : {255U, 0U}) {
    InkPlanes inks(4, 300, 70, 1);
    for (auto& plane : inks.samples)
      fill(*plane, sample == 255 ? Fill::kPaper : Fill::kSolid, 255, 1);
    run_in_bands(InksWavefront(light_tones(true)), inks, {70}, solo);
    for (auto& plane : inks.bits) {
      for (uint32_t y = 0; y < 70; ++y) {
        for (uint32_t x = 0; x < 300; ++x) ASSERT_EQ(plane->band.ink(x, y), sample == 0);
      }
    }
  }
}

TEST(InksWavefront, TheFirstPlaneIsTheWavefrontOfOneInk) {
  SoloTeam solo;
  InkPlanes inks(3, 700, 90, 1);
  fill_inks(inks, 4);
  run_in_bands(InksWavefront(light_tones(false)), inks, {64}, solo);
  BitPlane alone(700, 90);
  inks.samples[0]->band.texture = 0;
  run_whole(diffusion::WavefrontDiffusion(), inks.samples[0]->band, inks.curve, alone.band);
  EXPECT_TRUE(same_bits(alone.band, inks.bits[0]->band));
}

}  // namespace
}  // namespace mezzo::test::inks_wavefront_test
