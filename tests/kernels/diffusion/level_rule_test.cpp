// Floyd-Steinberg with several levels: against Floyd-Steinberg, against the definition written again,
// and the volume, grain and drops of tints.

#include "kernels/diffusion/rules/level_rule.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/kernels/level_planes.h"

namespace mezzo::test::level_rule_test {
namespace {

const ToneCurve kTones(4096, Polarity::kMaxIsInk);  // samples are tones

HalftoneSettings settings_of(const std::vector<double>& drops,
                             double overlap = 100,
                             const std::string& schedule = {}) {
  return {.method = "floyd-steinberg",
          .engine = Engine::kCpu,
          .schedule = schedule,
          .levels = LevelSettings{.drops = drops, .overlap_percent = overlap}};
}

/// The definition for whole numbers of any size, a pixel at a time, with the rounding of the header;
/// inks without texture.
struct NaiveLevels {
  NaiveLevels(const SamplePlane& in, const std::vector<double>& drops, int overlap)
      : v(tones_of(drops)), last(static_cast<int>(v.size()) - 1) {
    const auto width = static_cast<int>(in.band.width_px), rows = static_cast<int>(in.band.rows);
    std::vector<std::vector<int>> errors(static_cast<size_t>(rows) + 1,
                                         std::vector<int>(static_cast<size_t>(width) + 2));
    for (int y = 0; y < rows; ++y) {
      auto &above = errors[static_cast<size_t>(y)], &row = errors[static_cast<size_t>(y) + 1];
      levels.emplace_back();
      for (int x = 0; x < width; ++x) {
        const auto c = static_cast<size_t>(x) + 1;
        const auto ux = static_cast<uint32_t>(x), uy = static_cast<uint32_t>(y);
        const int tone = static_cast<int>(in.get(ux, uy));
        const int from = 7 * row[c - 1] + above[c - 1] + 5 * above[c] + 3 * above[c + 1];
        const int s = tone + static_cast<int>(std::floor((from + 8) / 16.0));
        const int noise = static_cast<int>(pixel_noise(0x1E7E15, in.band.plane, uy, ux) >> 20);
        const int level = held(tone, nearest(s + moved(tone, noise - 2048, overlap)));
        row[c] = s - v[static_cast<size_t>(level)];
        most_error = std::max(most_error, std::abs(row[c]));
        levels.back().push_back(static_cast<uint32_t>(level));
      }
    }
  }

  int nearest(int s) const {
    int level = 0;
    for (size_t j = 1; j < v.size(); ++j) level += 2 * s >= v[j - 1] + v[j];
    return level;
  }
  int held(int tone, int level) const {
    if (tone == 0 || tone == 4096) return tone == 0 ? 0 : last;
    return std::clamp(level, std::max(nearest(tone) - 1, 0), std::min(nearest(tone) + 1, last));
  }
  int reach(size_t level, int noise) const {
    if (level == 0 || level + 1 == v.size()) return 0;
    return noise < 0 ? v[level] - v[level - 1] : v[level + 1] - v[level];
  }
  int moved(int tone, int noise, int overlap) const {
    size_t k = 0;
    while (k + 2 < v.size() && v[k + 1] <= tone) ++k;
    const int gap = v[k + 1] - v[k], in_gap = tone - v[k];
    const int room = (reach(k, noise) * (gap - in_gap) + reach(k + 1, noise) * in_gap) / gap;
    return static_cast<int>(std::floor(9 * noise * (overlap * room / 4096) / 32768.0));
  }

  std::vector<int> v;
  int last;
  std::vector<std::vector<uint32_t>> levels;
  int most_error = 0;
};

SamplePlane& filled(SamplePlane& plane, Fill kind) {
  fill(plane, kind, 4096, 18);
  return plane;
}

TEST(LevelRule, WithTwoLevelsIsFloydSteinberg) {
  for (const uint32_t texture : {0U, 77U}) {
    for (const Fill kind : {Fill::kNoise, Fill::kRamp, Fill::kExtremes, Fill::kMidtone}) {
      SamplePlane in(131, 61, 2);
      filled(in, kind).band.texture = texture;
      in.band.plane = 2;
      BitPlane expected(131, 61), found(131, 61);
      run_whole(*make_reference(complete({})), in.band, kTones, expected.band);
      run_whole(
          *make_halftoner(complete(settings_of({0, 5}))).halftoner, in.band, kTones, found.band);
      EXPECT_TRUE(same_bits(expected.band, found.band)) << texture;
    }
  }
}

TEST(LevelRule, IsItsDefinitionInEverySchedule) {
  for (const auto& drops : kDrops) {
    for (const int overlap : {0, 50, 100}) {
      for (const Fill kind : {Fill::kNoise, Fill::kRamp, Fill::kExtremes}) {
        SamplePlane in(83, 47, 2);
        filled(in, kind).band.plane = 3;
        const NaiveLevels naive(in, drops, overlap * 4096 / 100);
        const int gap = [&] {
          int most = 0;
          for (size_t j = 1; j < naive.v.size(); ++j) {
            most = std::max(most, naive.v[j] - naive.v[j - 1]);
          }
          return most;
        }();
        const double noise = drops.size() == 2 ? 0 : 9.0 / 8 * overlap / 100;
        EXPECT_LE(naive.most_error, gap * (1 + noise) / 2 + 1);
        for (const char* schedule : {"ed", "blocks"}) {
          const auto settings = settings_of(drops, overlap, schedule);
          EXPECT_EQ(levels_by_bit(settings, in.band, kTones), naive.levels) << schedule;
        }
      }
    }
  }
}

struct Tint {
  double mean = 0;   ///< volume, of 4096
  double grain = 0;  ///< standard deviation of the volume
};

Tint tint(uint32_t tone, const std::vector<double>& drops, double overlap) {
  constexpr uint32_t kSide = 256, kStart = 32;
  SamplePlane in(kSide, kSide, 2);
  for (uint32_t y = 0; y < kSide; ++y) {
    for (uint32_t x = 0; x < kSide; ++x) in.set(x, y, tone);
  }
  const std::vector<int> v = tones_of(drops);
  double sum = 0, squares = 0;
  const auto levels = levels_by_bit(settings_of(drops, overlap, "ed"), in.band, kTones);
  for (uint32_t y = kStart; y < kSide; ++y) {
    for (const uint32_t level : levels[y]) {
      sum += v[level];
      squares += v[level] * v[level];
    }
  }
  const double count = double{kSide} * (kSide - kStart), mean = sum / count;
  return {mean, std::sqrt(squares / count - mean * mean)};
}

TEST(LevelRule, KeepsTheVolumeOfTints) {
  for (const auto& drops : kDrops) {
    for (const uint32_t tone : {40U, 700U, 1365U, 1366U, 2000U, 2731U, 3333U, 4060U}) {
      EXPECT_NEAR(tint(tone, drops, 100).mean, tone, 0.001 * 4096) << tone << " " << drops.size();
    }
  }
}

TEST(LevelRule, KeepsItsGrainAcrossALevel) {
  for (const std::vector<double>& drops : {std::vector<double>{0, 7, 14, 21}, {0, 40, 70, 100}}) {
    const std::vector<int> v = tones_of(drops);
    for (size_t k = 1; k + 1 < v.size(); ++k) {
      double least = 1e9, most = 0;
      for (const int offset : {-15, -8, -4, -2, -1, 0, 1, 2, 4, 8, 15}) {
        const int gap = offset < 0 ? v[k] - v[k - 1] : v[k + 1] - v[k];
        const double grain =
            tint(static_cast<uint32_t>(v[k] + offset * gap / 100), drops, 100).grain;
        least = std::min(least, grain);
        most = std::max(most, grain);
      }
      EXPECT_GE(least, 0.75 * most) << "level " << k;
    }
  }
  // Without overlap a tint of one level has no grain at all.
  EXPECT_EQ(tint(1365, {0, 7, 14, 21}, 0).grain, 0);
}

TEST(LevelRule, UsesNoDropFarFromTheTone) {
  SamplePlane in(300, 200, 2);
  filled(in, Fill::kNoise);
  const std::vector<double> drops = {0, 1, 2, 4, 7, 8, 9, 10};
  const std::vector<int> v = tones_of(drops);
  const auto levels = levels_by_bit(settings_of(drops), in.band, kTones);
  for (uint32_t y = 0; y < 200; ++y) {
    for (uint32_t x = 0; x < 300; ++x) {
      const int tone = static_cast<int>(in.get(x, y));
      size_t nearest = 0;
      for (size_t j = 1; j < v.size(); ++j) {
        if (std::abs(v[j] - tone) <= std::abs(v[nearest] - tone)) nearest = j;
      }
      ASSERT_LE(std::abs(static_cast<int>(levels[y][x]) - static_cast<int>(nearest)), 1) << tone;
    }
  }
}

TEST(LevelRule, LeavesPaperAndSolidAlone) {
  SamplePlane in(200, 100, 2);
  filled(in, Fill::kNoise);
  for (uint32_t y = 20; y < 60; ++y) {
    for (uint32_t x = 30; x < 160; ++x) in.set(x, y, x < 100 ? 0 : 4096);
  }
  const auto levels = levels_by_bit(settings_of({0, 7, 14, 21}), in.band, kTones);
  for (uint32_t y = 20; y < 60; ++y) {
    for (uint32_t x = 30; x < 160; ++x) ASSERT_EQ(levels[y][x], x < 100 ? 0U : 3U);
  }
}

TEST(LevelRule, LaysTheDotsOfInksApart) {
  // Of two inks of the same tone less than a third more dots meet than by chance.
  std::vector<std::vector<std::vector<uint32_t>>> inks;
  for (const uint32_t ink : {1U, 2U}) {
    SamplePlane in(256, 256, 2);
    for (uint32_t y = 0; y < 256; ++y) {
      for (uint32_t x = 0; x < 256; ++x) in.set(x, y, 600);
    }
    in.band.plane = in.band.texture = ink;
    inks.push_back(levels_by_bit(settings_of({0, 7, 14, 21}, 0), in.band, kTones));
  }
  double dots = 0, both = 0;
  for (uint32_t y = 0; y < 256; ++y) {
    for (uint32_t x = 0; x < 256; ++x) {
      dots += inks[0][y][x] != 0;
      both += inks[0][y][x] != 0 && inks[1][y][x] != 0;
    }
  }
  const double chance = dots * dots / (256 * 256);
  EXPECT_LT(both, 1.33 * chance);
}

}  // namespace
}  // namespace mezzo::test::level_rule_test
