// Pinwheel diffusion with weights and thresholds of its own for every level, kind and class against
// its definition: tables are made up, so that no two entries are alike.

#include <gtest/gtest.h>

#include <random>

#include "kernels/pinwheel/pinwheel.h"
#include "tests/kernels/pinwheel/naive_pinwheel_levels.h"
#include "tests/kernels/planes.h"

namespace mezzo::test::pinwheel_levels_test {
namespace {

/// Both forms of the same numbers.
struct MadeUp {
  explicit MadeUp(uint32_t seed) {
    std::mt19937 random(seed);
    const auto up_to = [&](uint32_t most) { return static_cast<uint16_t>(random() % (most + 1)); };
    levels.resize(pinwheel::kLevels);
    for (pinwheel::Level& level : levels) {
      for (size_t kind = 0; kind < level.weights.size(); ++kind) {
        auto& weights = level.weights[kind];
        weights = {0, up_to(9000), up_to(6000), up_to(6000)};
        if (kind == pinwheel::kThree || kind == pinwheel::kTwo) weights[3] = 0;
        if (kind == pinwheel::kTwo) weights[1] = 0;
        weights[0] = static_cast<uint16_t>(32768 - weights[1] - weights[2] - weights[3]);
      }
      for (int16_t& threshold : level.thresholds) {
        threshold = static_cast<int16_t>(1000 + up_to(2500));
      }
      level.spread = static_cast<int16_t>(up_to(pinwheel::kMostSpread));
    }
  }

  NaivePinwheel naive() const {
    NaivePinwheel result;
    take_levels(levels, result);
    return result;
  }

  std::vector<pinwheel::Level> levels;
};

TEST(PinwheelLevels, AreTheirDefinition) {
  const MadeUp made_up(1);
  const auto tables = std::make_shared<const pinwheel::Tables>(made_up.levels);
  std::mt19937 random(2);
  const ToneCurve grey(255, Polarity::kMaxIsPaper);
  for (int round = 0; round < 150; ++round) {
    pinwheel::Settings settings{.size = 2 + static_cast<uint32_t>(random() % 63), .tables = tables};
    if (round % 3 == 1) settings.size = 2 + static_cast<uint32_t>(random() % 15);
    NaivePinwheel naive = made_up.naive();
    naive.block = static_cast<int>(settings.size);
    if (round % 4 == 1) {
      settings.path = pinwheel::Path::kSerpentine;
      naive.path = NaivePinwheel::Path::kSerpentine;
    }
    if (round % 2 == 1) {
      settings.noise.threshold = static_cast<int>(naive.threshold_noise = 200);
      settings.noise.start = static_cast<int>(naive.start_noise = 300);
      settings.noise.weights = static_cast<int>(naive.weight_noise = 4000);
    }
    settings.noise.seed = naive.seed = static_cast<uint32_t>(random());
    naive.plane = static_cast<uint32_t>(random() % 4);
    const auto width = static_cast<uint32_t>(1 + random() % 700);
    const auto rows = static_cast<uint32_t>(1 + random() % 200);
    SamplePlane in(width, rows, 1);
    in.band.plane = naive.plane;
    fill(in, round % 5 == 0 ? Fill::kNoise : Fill::kRamp, 255, random());
    std::vector<uint16_t> tones;
    for (uint32_t y = 0; y < rows; ++y) {
      for (uint32_t x = 0; x < width; ++x) tones.push_back(grey[in.get(x, y)]);
    }
    const auto ink = naive.halftone(tones, static_cast<int>(width), static_cast<int>(rows));
    const std::unique_ptr<Halftoner> engines[] = {pinwheel::make_scalar(settings),
                                                  pinwheel::make_simd(settings)};
    for (size_t engine = 0; engine < std::size(engines); ++engine) {
      BitPlane out(width, rows);
      run_whole(*engines[engine], in.band, grey, out.band);
      for (uint32_t y = 0; y < rows; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
          ASSERT_EQ(out.band.ink(x, y), ink[size_t{y} * width + x] != 0)
              << (engine == 0 ? "scalar" : "lanes") << ", block " << settings.size << ", path "
              << static_cast<int>(settings.path) << ", " << width << " x " << rows << ", x " << x
              << ", y " << y;
        }
      }
    }
  }
}

}  // namespace
}  // namespace mezzo::test::pinwheel_levels_test
