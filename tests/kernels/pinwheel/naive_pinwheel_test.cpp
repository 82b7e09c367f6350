// The naive pinwheel diffusion against what its definition implies: by hand, by enumeration and by
// replaying which pixel hands its error to which.

#include "tests/kernels/pinwheel/naive_pinwheel.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <sstream>
#include <string>

#include "tests/kernels/pinwheel/legal_targets.h"

namespace mezzo::test::naive_pinwheel_test {
namespace {

using Path = NaivePinwheel::Path;
constexpr Path kPaths[] = {Path::kSpiral, Path::kSerpentine};

std::vector<uint16_t> flat(int tone, int width, int height) {
  return std::vector<uint16_t>(NaivePinwheel::index({height, 0}, width),
                               static_cast<uint16_t>(tone));
}

std::vector<uint16_t> noise_page(int width, int height, uint32_t seed) {
  std::vector<uint16_t> tones = flat(0, width, height);
  std::mt19937 random(seed);
  for (uint16_t& tone : tones) tone = static_cast<uint16_t>(random() % 4097);
  return tones;
}

/// Another set of weights for each level, and thresholds that matter.
NaivePinwheel by_tone(std::mt19937& random) {
  NaivePinwheel pinwheel;
  for (int kind = 0; kind < 4; ++kind) {
    for (NaivePinwheel::Weights& w : pinwheel.weights[static_cast<size_t>(kind)]) {
      int64_t left = 32768;
      for (const size_t k : {3U, 2U, 1U}) {
        const bool unused =
            kind == NaivePinwheel::kThree ? k == 3 : kind == NaivePinwheel::kTwo && k != 2;
        w[k] = unused ? 0 : static_cast<int64_t>(random() % static_cast<uint64_t>(left / 2));
        left -= w[k];
      }
      w[0] = left;
    }
  }
  for (size_t cls = 0; cls < NaivePinwheel::kClasses; ++cls) {
    for (size_t level = 0; level < 256; ++level) {
      pinwheel.thresholds[cls][level] = 1536 + static_cast<int64_t>(random() % 1024);
      pinwheel.spreads[cls][level] = static_cast<int64_t>(random() % 1024);
    }
  }
  return pinwheel;
}

/// A quarter of what each amplitude may be.
void add_noise(NaivePinwheel& pinwheel) {
  pinwheel.threshold_noise = pinwheel.start_noise = 512;
  pinwheel.weight_noise = 4096;
}

/// Pinwheels of all sorts: paths, sizes, weights, noise.
std::vector<NaivePinwheel> all_sorts() {
  std::vector<NaivePinwheel> sorts;
  std::mt19937 random(1);
  for (const Path path : kPaths) {
    for (const int block : {2, 3, 5, 8, 14, 33, 64}) {
      for (const bool noisy : {false, true}) {
        for (const bool toned : {false, true}) {
          NaivePinwheel pinwheel = toned ? by_tone(random) : NaivePinwheel();
          if (noisy) add_noise(pinwheel);
          pinwheel.path = path;
          pinwheel.block = block;
          pinwheel.seed = static_cast<uint32_t>(random());
          pinwheel.plane = static_cast<uint32_t>(random() % 4);
          sorts.push_back(pinwheel);
        }
      }
    }
  }
  return sorts;
}

TEST(NaivePinwheel, SerpentineByHand) {
  // A page of one outward block. (1,0) hands 1000 on: 385 up, 77 up-right, 538 right. (1,1) has
  // 1538: 12288 / 32768 of it (6144 of the legal 10240 + 6144), 577, goes to (0,0), 961 up. (0,1)
  // has 2038 and one target; (0,0) has 4000: ink, and -96 is lost.
  NaivePinwheel pinwheel;
  pinwheel.block = 2;
  pinwheel.path = Path::kSerpentine;
  const NaivePinwheel::Result result = pinwheel.run(flat(1000, 2, 2), 2, 2);
  EXPECT_EQ(result.ink, (std::vector<uint8_t>{1, 0, 0, 0}));
  EXPECT_EQ(result.lost, -96);
  EXPECT_EQ(result.largest, 4000);
}

TEST(NaivePinwheel, SpiralByHand) {
  // An outward block and an inward one to its right. All pixels of the first are corners: the left
  // two can hand nothing on and lose 1000 each; the right two hand 625 straight on and 375 to the
  // flank. (0,2) has 2000: 1077 ahead, 769 down, 154 diagonally; (0,3) 2077, ink, e -2019: -1767
  // ahead, -252 to (1,2); (1,3) 1000 + 154 - 1767 = -613, all of it ahead; (1,2) 1000 + 625 + 375 +
  // 769 - 252 - 613 = 1904, below the threshold and lost.
  NaivePinwheel pinwheel;
  pinwheel.block = 2;
  const NaivePinwheel::Result result = pinwheel.run(flat(1000, 4, 2), 4, 2);
  EXPECT_EQ(result.ink, (std::vector<uint8_t>{0, 0, 0, 1, 0, 0, 0, 0}));
  EXPECT_EQ(result.lost, 1000 + 1000 + 1904);
  EXPECT_EQ(result.largest, 2077);
}

TEST(NaivePinwheel, NoiseOfWeightsByHand) {
  // All the noise that weights may have: k1 = 16384 * 64 / 128, k2 = 16384 * -128 / 128. Of
  // 10240 a quarter more, of 2048 half less, which the third target gains.
  NaivePinwheel pinwheel;
  pinwheel.weight_noise = 16384;
  NaivePinwheel::Step step;
  step.legal = {true, true, true, true};
  step.primary = 0;
  using Weights = NaivePinwheel::Weights;
  EXPECT_EQ(pinwheel.shares(step, 0, 0x80400000), (Weights{0, 12800, 1024, 7168}));
  // Target 1 is the primary: 2048 and 6144 of 18432 are 3641 and 10923, a half of 3641 is 1820.
  step.legal[0] = false;
  step.primary = 1;
  EXPECT_EQ(pinwheel.shares(step, 0, 0x80400000), (Weights{0, 0, 1821, 12743}));
  // 2520 of 32768 and -1260 of it; the third target is not there to gain them.
  step.kind = NaivePinwheel::kThree;
  step.legal = {true, true, true, false};
  step.primary = 0;
  EXPECT_EQ(pinwheel.shares(step, 0, 0x80400000), (Weights{0, 15754, 1260, 0}));
}

TEST(NaivePinwheel, NoiseOfStartAndThresholdByHand) {
  // At (0,0), seed 7, plane 3: noise 0x61D3B8E8, so n_t = -18200; of its mix the low half is 232.
  NaivePinwheel pinwheel;
  pinwheel.seed = 7;
  pinwheel.plane = 3;
  pinwheel.start_noise = 2048;  // mul15(2048, 232) = 15
  const NaivePinwheel::Result started = pinwheel.run({2040}, 1, 1);
  EXPECT_EQ(started.ink[0], 1);
  EXPECT_EQ(started.started, 15);
  EXPECT_EQ(started.lost, 2040 + 15 - 4096);
  pinwheel.start_noise = 0;
  pinwheel.threshold_noise = 1000;  // mul15(1000, -18200) = -555
  EXPECT_EQ(pinwheel.halftone({2048 - 555}, 1, 1)[0], 1);
  EXPECT_EQ(pinwheel.halftone({2048 - 556}, 1, 1)[0], 0);
}

TEST(NaivePinwheel, ThresholdsByHand) {
  // Pixel (20, 20) has the noise 0x663B25C9 with seed 1 and plane 2, so its block has 0x663B. Place
  // 27 has the factor 0xC4E1: the product ends with 0x05DB, 1499, and 1499 * 4096 / 65536 is 93.
  NaivePinwheel pinwheel;
  pinwheel.seed = 1;
  pinwheel.plane = 2;
  pinwheel.block = 10;
  pinwheel.thresholds[22][100] = 1000;
  pinwheel.spreads[22][100] = 4096;
  const NaivePinwheel::Block b = pinwheel.block_at({2, 2}, 60, 60);
  ASSERT_EQ(pinwheel.threshold_class(b, 27), 22U);
  EXPECT_EQ(pinwheel.threshold(b, 27, 100, 0), 1093);
  EXPECT_EQ(pinwheel.threshold(b, 26, 100, 0), 2048);
  EXPECT_EQ(pinwheel.threshold(b, 27, 99, 0), 2048);
}

/// The classes of a block, row by row.
std::string classes_of(const NaivePinwheel& pinwheel, At block) {
  const NaivePinwheel::Block b = pinwheel.block_at(block, 60, 60);
  std::string text;
  for (int y = 0; y < b.rows; ++y) {
    for (int x = 0; x < b.columns; ++x) {
      const int place = b.order[NaivePinwheel::index({y, x}, b.columns)];
      text += std::to_string(pinwheel.threshold_class(b, place)) + (x + 1 < b.columns ? " " : "\n");
    }
  }
  return text;
}

TEST(NaivePinwheel, ClassesOfThresholdsByHand) {
  NaivePinwheel pinwheel;
  pinwheel.block = 7;
  EXPECT_EQ(classes_of(pinwheel, {2, 2}),
            "19 20 21 22 18 17 16\n"
            "26 20 21 22 27 26 20\n"
            "27 9 8 7 6 20 21\n"
            "22 10 1 0 5 21 22\n"
            "21 11 2 3 4 27 18\n"
            "20 12 13 14 15 26 17\n"
            "16 17 18 22 21 20 16\n");
  EXPECT_EQ(classes_of(pinwheel, {2, 3}),
            "50 51 52 53 55 54 57\n"
            "57 64 65 66 67 63 58\n"
            "54 43 42 41 40 64 59\n"
            "55 44 35 34 39 65 56\n"
            "56 45 36 37 38 66 55\n"
            "58 46 47 48 49 63 54\n"
            "57 54 55 56 59 58 57\n");
}

/// What the path does at pixel `i`, as legal_targets.h has it.
std::string position(const std::vector<At>& path, size_t i) {
  if (i == 0) return "first";
  if (i + 1 == path.size()) return "last";
  const auto turns = [&](size_t j) {
    return j > 0 && path[j + 1] - path[j] != path[j] - path[j - 1];
  };
  const std::string turn = turns(i) ? "turn" : "", after = turns(i - 1) ? "afterturn" : "";
  if (turn.empty() && after.empty()) return "straight";
  return turn + (turn.empty() || after.empty() ? "" : "+") + after;
}

TEST(NaivePinwheel, LegalTargetsAreThoseOfTheTable) {
  std::ostringstream found;
  found << "N,block,order,y,x,class,n_legal,targets_dy:dx:owner\n";
  for (const int size : {2, 4, 8}) {
    NaivePinwheel pinwheel;
    pinwheel.block = size;
    const int side = 6 * size;
    for (const At at : {At{2, 2}, At{2, 3}}) {
      const NaivePinwheel::Block b = pinwheel.block_at(at, side, side);
      for (size_t i = 0; i < b.path.size(); ++i) {
        const At p = b.path[i];
        std::string targets;
        int count = 0;
        for (int dy = -1; dy <= 1; ++dy) {
          for (int dx = -1; dx <= 1; ++dx) {
            if (!pinwheel.is_legal(b, static_cast<int>(i), {dy, dx}, side, side)) continue;
            const At to = p + At{dy, dx};
            const bool own =
                std::clamp(to.y, 0, size - 1) == to.y && std::clamp(to.x, 0, size - 1) == to.x;
            targets += (count++ == 0 ? "" : " ") + std::to_string(dy) + ":" + std::to_string(dx) +
                       (own ? ":own" : ":inw");
          }
        }
        found << size << (b.outward ? ",out," : ",in,") << i << ',' << p.y << ',' << p.x << ','
              << position(b.path, i) << ',' << count << ',' << targets << '\n';
      }
    }
  }
  EXPECT_EQ(found.str(), kLegalTargets);
}

TEST(NaivePinwheel, EveryPathVisitsEveryPixelOnceByNeighbours) {
  for (int rows = 1; rows <= 20; ++rows) {
    for (int columns = 1; columns <= 20; ++columns) {
      for (const std::vector<At>& path : {NaivePinwheel::inward_spiral(rows, columns),
                                          NaivePinwheel::inward_serpentine(rows, columns)}) {
        ASSERT_EQ(path.size(), static_cast<size_t>(rows * columns));
        std::set<std::pair<int, int>> seen;
        for (size_t i = 0; i < path.size(); ++i) {
          ASSERT_TRUE(path[i].y >= 0 && path[i].y < rows && path[i].x >= 0 && path[i].x < columns);
          ASSERT_TRUE(seen.insert({path[i].y, path[i].x}).second) << rows << " x " << columns;
          if (i == 0) continue;
          const At step = path[i] - path[i - 1];
          ASSERT_EQ(std::abs(step.y) + std::abs(step.x), 1) << rows << " x " << columns;
        }
      }
    }
  }
}

TEST(NaivePinwheel, TakesEveryErrorSomewhereOrCountsIt) {
  for (const NaivePinwheel& pinwheel : all_sorts()) {
    for (const auto& [width, height] : {std::pair{1, 1}, {1, 70}, {70, 1}, {67, 45}, {128, 128}}) {
      const std::vector<uint16_t> tones = noise_page(width, height, pinwheel.seed);
      const NaivePinwheel::Result result = pinwheel.run(tones, width, height);
      int64_t balance = result.started;
      for (size_t i = 0; i < tones.size(); ++i) balance += tones[i] - 4096 * result.ink[i];
      ASSERT_EQ(balance, result.lost + result.cut) << width << " x " << height;
      if (pinwheel.start_noise == 0) {
        ASSERT_EQ(result.started, 0);
      }
      ASSERT_LE(result.clamped, 2);
      ASSERT_LT(result.largest, 32768);
    }
  }
}

TEST(NaivePinwheel, NeverWritesToWhatMayBeDecided) {
  std::mt19937 random(2);
  constexpr int kWidth = 101, kHeight = 77;
  for (const NaivePinwheel& pinwheel : all_sorts()) {
    std::vector<bool> decided(kWidth * kHeight);
    const auto block_of = [&](At p) { return At{p.y / pinwheel.block, p.x / pinwheel.block}; };
    int64_t bad = 0, count = 0;
    NaivePinwheel::Hooks hooks;
    hooks.order_blocks = [&](std::vector<At>& blocks) { std::ranges::shuffle(blocks, random); };
    hooks.decided = [&](At p) {
      bad += decided[NaivePinwheel::index(p, kWidth)];
      decided[NaivePinwheel::index(p, kWidth)] = true;
      ++count;
    };
    hooks.handed = [&](At from, At to) {
      const At a = block_of(from), b = block_of(to);
      const bool same_colour = (a.y + a.x + b.y + b.x) % 2 == 0;
      const bool inward = (a.y + a.x) % 2 != 0;
      bad += decided[NaivePinwheel::index(to, kWidth)] || (a != b && (same_colour || inward));
    };
    pinwheel.run(noise_page(kWidth, kHeight, 3), kWidth, kHeight, hooks);
    ASSERT_EQ(bad, 0) << "block " << pinwheel.block;
    ASSERT_EQ(count, kWidth * kHeight);
  }
}

TEST(NaivePinwheel, BlocksOfAPhaseMayRunInAnyOrder) {
  std::mt19937 random(4);
  const std::vector<uint16_t> tones = noise_page(150, 130, 5);
  for (const NaivePinwheel& pinwheel : all_sorts()) {
    const std::vector<uint8_t> in_order = pinwheel.halftone(tones, 150, 130);
    NaivePinwheel::Hooks hooks;
    hooks.order_blocks = [&](std::vector<At>& blocks) { std::ranges::shuffle(blocks, random); };
    ASSERT_EQ(in_order, pinwheel.run(tones, 150, 130, hooks).ink) << "block " << pinwheel.block;
  }
}

TEST(NaivePinwheel, PaperStaysPaperAndSolidStaysSolid) {
  for (const NaivePinwheel& pinwheel : all_sorts()) {
    for (const int tone : {0, 4096}) {
      const std::vector<uint8_t> ink = pinwheel.halftone(flat(tone, 70, 50), 70, 50);
      EXPECT_EQ(std::ranges::count(ink, tone == 4096), 70 * 50) << "block " << pinwheel.block;
    }
  }
}

/// Tints with islands of paper and of solid.
std::vector<uint16_t> islands(int width, int height, uint32_t seed) {
  std::vector<uint16_t> tones = noise_page(width, height, seed);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      uint16_t& tone = tones[NaivePinwheel::index({y, x}, width)];
      if ((x / 11 + y / 7) % 3 == 0) tone = 0;
      if ((x / 11 + y / 7) % 3 == 1 && x % 5 > 1) tone = 4096;
    }
  }
  return tones;
}

TEST(NaivePinwheel, NoDotLiesOnPaperAndNoHoleInSolid) {
  for (const NaivePinwheel& pinwheel : all_sorts()) {
    const std::vector<uint16_t> tones = islands(131, 90, pinwheel.seed);
    const NaivePinwheel::Result result = pinwheel.run(tones, 131, 90);
    int64_t wrong = 0, balance = result.started;
    for (size_t i = 0; i < tones.size(); ++i) {
      wrong += (tones[i] == 0 && result.ink[i] == 1) || (tones[i] == 4096 && result.ink[i] == 0);
      balance += tones[i] - 4096 * result.ink[i];
    }
    EXPECT_EQ(wrong, 0) << "block " << pinwheel.block;
    EXPECT_EQ(balance, result.lost + result.cut) << "block " << pinwheel.block;
  }
}

/// Without noise, a flat tint away from the borders repeats one outward and one inward block.
TEST(NaivePinwheel, HasTwoNSquaredAndOneMeanLevels) {
  for (const int size : {2, 4, 6, 8}) {
    NaivePinwheel pinwheel;
    pinwheel.block = size;
    const int width = 6 * size, height = 5 * size;
    std::set<int> levels;
    for (int tone = 0; tone <= 4096; ++tone) {
      const std::vector<uint8_t> ink = pinwheel.halftone(flat(tone, width, height), width, height);
      int count = 0;
      for (int y = 2 * size; y < 3 * size; ++y) {
        for (int x = 2 * size; x < 4 * size; ++x) count += ink[NaivePinwheel::index({y, x}, width)];
      }
      levels.insert(count);
    }
    EXPECT_EQ(levels.size(), static_cast<size_t>(2 * size * size + 1)) << "block " << size;
  }
}

TEST(NaivePinwheel, AFlatTintRepeatsEveryTwoBlocks) {
  for (const Path path : kPaths) {
    NaivePinwheel pinwheel;
    pinwheel.block = 6;
    pinwheel.path = path;
    constexpr int kSide = 60;  // 10 x 10 blocks
    for (const int tone : {77, 1000, 2048, 3333}) {
      const std::vector<uint8_t> ink = pinwheel.halftone(flat(tone, kSide, kSide), kSide, kSide);
      for (int y = 12; y < 42; ++y) {
        for (int x = 18; x < 42; ++x) {
          const auto at = [&](At p) { return ink[NaivePinwheel::index(p, kSide)]; };
          ASSERT_EQ(at({y, x}), at({y + 6, x + 6})) << tone << " at " << x << ", " << y;
          ASSERT_EQ(at({y, x}), at({y + 6, x - 6})) << tone << " at " << x << ", " << y;
        }
      }
    }
  }
}

}  // namespace
}  // namespace mezzo::test::naive_pinwheel_test
