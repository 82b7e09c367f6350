// Pinwheel diffusion in lanes, on every SIMD target that this machine can run, by masking the
// faster ones, against the same block by block.

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <memory>
#include <random>

#include "kernels/pinwheel/pinwheel.h"
#include "kernels/pinwheel/simd.h"
#include "tests/kernels/planes.h"
#include "tests/support/shared_oracle.h"
#include "tests/support/simd_target.h"

namespace mezzo::test::pinwheel_lanes_test {
namespace {

/// Weights and thresholds without meaning, one level or all.
class RandomTables {
 public:
  RandomTables(uint32_t levels, uint32_t seed) {
    std::mt19937 random(seed);
    const auto up_to = [&](uint32_t most) { return static_cast<uint16_t>(random() % (most + 1)); };
    std::vector<pinwheel::Level> set(levels);
    for (pinwheel::Level& level : set) {
      for (auto& weights : level.weights) {
        weights = {0, up_to(9000), up_to(6000), up_to(6000)};
        weights[0] = static_cast<uint16_t>(32768 - weights[1] - weights[2] - weights[3]);
      }
      for (int16_t& threshold : level.thresholds) {
        threshold = static_cast<int16_t>(1000 + up_to(2500));
      }
      if (levels == 1) level.thresholds.fill(level.thresholds[0]);
      level.spread = static_cast<int16_t>(up_to(pinwheel::kMostSpread));
    }
    tables_ = std::make_shared<const pinwheel::Tables>(set);
  }

  std::shared_ptr<const pinwheel::Tables> get() const { return tables_; }

 private:
  std::shared_ptr<const pinwheel::Tables> tables_;
};

class PinwheelOnTarget : public OnTarget {
 protected:
  SharedOracle<std::unique_ptr<BitPlane>> oracle_;
};

MZ_ON_EVERY_TARGET(Lanes, PinwheelOnTarget);

TEST_P(PinwheelOnTarget, UsesTheLanesOfTheTarget) {
  const std::string name = hwy::TargetName(GetParam());
  const uint32_t lanes = name.starts_with("AVX3") ? 32 : name == "AVX2" ? 16 : 8;
  EXPECT_EQ(pinwheel::simd::blocks_at_once(), 2 * lanes) << name;
}

TEST_P(PinwheelOnTarget, EqualsTheReference) {
  const uint64_t seed = ::testing::UnitTest::GetInstance()->random_seed() + 47ULL;
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937_64 random(seed);
  const auto up_to = [&](uint64_t most) { return static_cast<uint32_t>(random() % (most + 1)); };
  const RandomTables tables[] = {{1, 1}, {pinwheel::kLevels, 2}};
  const ToneCurve identity(255, Polarity::kMaxIsPaper), ink(255, Polarity::kMaxIsInk);
  const ToneCurve curved(255, Polarity::kMaxIsPaper, {.gamma = 0.7});
  const ToneCurve* const curves[] = {&identity, &ink, &curved};
  ThreadTeam pair(2);
  for (int round = 0; round < 320; ++round) {
    pinwheel::Settings settings{.size = 2 + up_to(round % 2 == 0 ? 16 : 62)};
    settings.path = round % 3 == 0 ? pinwheel::Path::kSerpentine : pinwheel::Path::kSpiral;
    settings.tables = tables[round / 2 % 2].get();
    if (round / 8 % 2 == 1) {
      settings.noise = {static_cast<int>(up_to(1) * 2048),
                        static_cast<int>(up_to(1) * 2048),
                        static_cast<int>(up_to(1) * up_to(16384)),
                        up_to(UINT32_MAX)};
    }
    // Up to a pair of groups of the widest vectors, and then some blocks.
    const uint32_t width = 1 + up_to(std::min(settings.size * 2 * 150, 2600U));
    const uint32_t rows = 1 + up_to(2 * settings.size + 20);
    SamplePlane in(width, rows, 1 + up_to(1));
    in.band.plane = up_to(3);
    const Fill fills[] = {Fill::kNoise, Fill::kRamp, Fill::kExtremes, Fill::kMidtone};
    fill(in, fills[up_to(3)], 255, random());
    const ToneCurve& curve = *curves[up_to(2)];
    const std::vector<uint32_t> heights = {1 + up_to(70), 1 + up_to(20)};
    const BitPlane& expected = *oracle_.next([&] {
      auto plane = std::make_unique<BitPlane>(width, rows);
      run_whole(*pinwheel::make_scalar(settings), in.band, curve, plane->band);
      return plane;
    });
    BitPlane found(width, rows);
    const auto lanes = pinwheel::make_simd(settings);
    run_in_bands(*lanes, in.band, curve, found.band, heights, pair);
    SCOPED_TRACE("round " + std::to_string(round) + ", block " + std::to_string(settings.size));
    ASSERT_TRUE(same_bits(expected.band, found.band));
    ASSERT_TRUE(found.guards_intact());
    // A band by itself, with nothing but a guard where the bits of rows around it would be.
    const uint32_t first = up_to(rows - 1), own = 1 + up_to(rows - first - 1);
    BitPlane alone(width, own);
    BitBand out = alone.band;
    out.first_row = first;
    lanes->run(in.band.slice(first, own), curve, out, lanes->make_state(width).get(), pair);
    ASSERT_TRUE(same_bits(expected.band.slice(first, own), out));
    ASSERT_TRUE(alone.guards_intact());
  }
}

}  // namespace
}  // namespace mezzo::test::pinwheel_lanes_test
