// How large the sums of pinwheel diffusion get: int16 must hold them.

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "kernels/base/error_kind.h"
#include "kernels/pinwheel/tables/tables.h"
#include "tests/kernels/pinwheel/naive_pinwheel_levels.h"

namespace mezzo::test::naive_pinwheel_sums_test {
namespace {

using Path = NaivePinwheel::Path;
constexpr Path kPaths[] = {Path::kSpiral, Path::kSerpentine};

/// The largest |weight| that each target of a pixel may get at any level, Q15. What noise adds is
/// linear in two bytes of the random number, so that their ends tell.
class MostHanded {
 public:
  explicit MostHanded(const NaivePinwheel& pinwheel) : pinwheel_(pinwheel) {}

  const NaivePinwheel::Weights& of(const NaivePinwheel::Step& step) {
    const auto [found, is_new] = known_.try_emplace(std::pair(step.kind, step.legal));
    if (is_new) {
      for (int64_t level = 0; level < 256; ++level) {
        for (const uint32_t random : {0x80800000U, 0x807F0000U, 0x7F800000U, 0x7F7F0000U}) {
          NaivePinwheel::Weights v = pinwheel_.shares(step, level, random);
          v[static_cast<size_t>(step.primary)] = 32768 - v[0] - v[1] - v[2] - v[3];
          for (size_t k = 0; k < 4; ++k)
            found->second[k] = std::max(found->second[k], std::abs(v[k]));
        }
      }
    }
    return found->second;
  }

 private:
  const NaivePinwheel& pinwheel_;
  std::map<std::pair<NaivePinwheel::Kind, std::array<bool, 4>>, NaivePinwheel::Weights> known_;
};

/// The largest sum of |weights| with which errors arrive at a pixel of the blocks from `begin` to
/// `end` (excluded), in Q15.
int64_t most_incoming(const NaivePinwheel& pinwheel, int width, int height, At begin, At end) {
  MostHanded most_handed(pinwheel);
  std::vector<int64_t> incoming(NaivePinwheel::index({height, 0}, width));
  for (int by = 0; by * pinwheel.block < height; ++by) {
    for (int bx = 0; bx * pinwheel.block < width; ++bx) {
      const NaivePinwheel::Block b = pinwheel.block_at({by, bx}, width, height);
      for (int i = 0; i < static_cast<int>(b.path.size()); ++i) {
        const NaivePinwheel::Step step = pinwheel.step_at(b, i, width, height);
        if (step.primary < 0) continue;
        const NaivePinwheel::Weights& v = most_handed.of(step);
        for (size_t k = 0; k < 4; ++k) {
          const At to = b.origin + b.path[static_cast<size_t>(i)] + step.targets[k];
          if (step.legal[k]) incoming[NaivePinwheel::index(to, width)] += v[k];
        }
      }
    }
  }
  int64_t most = 0;
  for (int y = begin.y * pinwheel.block; y < std::min(height, end.y * pinwheel.block); ++y) {
    for (int x = begin.x * pinwheel.block; x < std::min(width, end.x * pinwheel.block); ++x) {
      most = std::max(most, incoming[NaivePinwheel::index({y, x}, width)]);
    }
  }
  return most;
}

std::string name_of(Path path) {
  return path == Path::kSpiral ? "spiral" : "serpentine";
}

double from_q15(int64_t q15) {
  return static_cast<double>(q15) / 32768;
}

/// An error is at most 5632: with 5 of them a sum stays below 4096 + 5 * 5632 < 2^15.
constexpr double kMostErrors = 5;

/// All noise that there is, and the weights of Floyd-Steinberg or the trained ones.
NaivePinwheel harshest(int size, Path path, bool by_tone) {
  NaivePinwheel pinwheel;
  pinwheel.block = size;
  pinwheel.path = path;
  pinwheel.weight_noise = 16384;  // adds to what may come
  if (by_tone) {
    const auto& levels = pinwheel::tone_table(static_cast<uint32_t>(size));
    take_levels(levels, pinwheel);
  }
  return pinwheel;
}

TEST(NaivePinwheelSums, InTheMiddleFitSixteenBits) {
  for (const Path path : kPaths) {
    for (const bool by_tone : {false, true}) {
      int64_t most = 0;
      for (int size = 2; size <= 64; ++size) {
        const NaivePinwheel pinwheel = harshest(size, path, by_tone);
        most = std::max(most, most_incoming(pinwheel, 6 * size, 5 * size, {2, 2}, {3, 4}));
      }
      const std::string name = name_of(path) + (by_tone ? "_by_tone" : "");
      RecordProperty(name, std::to_string(from_q15(most)));
      EXPECT_LT(from_q15(most), kMostErrors) << name;
    }
  }
}

TEST(NaivePinwheelSums, AtBordersFitSixteenBits) {
  for (const Path path : kPaths) {
    for (const int size : {2, 3, 4, 5, 6, 7, 8, 9, 14, 16, 33, 64}) {
      for (const bool by_tone : {false, true}) {
        const NaivePinwheel pinwheel = harshest(size, path, by_tone);
        for (const int rows : {1, 2, size / 2, size - 1, size}) {
          for (const int columns : {1, 2, size / 2, size - 1, size}) {
            const int64_t most =
                most_incoming(pinwheel, 2 * size + columns, 2 * size + rows, {0, 0}, {4, 4});
            ASSERT_LT(from_q15(most), kMostErrors)
                << name_of(path) << ", block " << size << (by_tone ? ", by tone" : "");
          }
        }
      }
    }
  }
}

/// What pages can be made to do: extremes, but for paper and solid, in blocks and in noise, all noise
/// at its most.
TEST(NaivePinwheelSums, OfHarshPagesFitSixteenBits) {
  std::mt19937 random(6);
  int64_t largest = 0, clamped = 0;
  for (const Path path : kPaths) {
    for (const int size : {2, 3, 4, 5, 6, 8, 14, 23, 64}) {
      for (const int grain : {1, 2, size}) {
        NaivePinwheel pinwheel;
        pinwheel.block = size;
        pinwheel.path = path;
        pinwheel.threshold_noise = pinwheel.start_noise = 2048;
        pinwheel.weight_noise = 16384;
        pinwheel.seed = static_cast<uint32_t>(random());
        const int side = 150 + static_cast<int>(random() % 20);
        std::vector<uint16_t> tones(NaivePinwheel::index({side, 0}, side));
        std::vector<bool> solid(tones.size());
        for (size_t i = 0; i < solid.size(); ++i) solid[i] = random() % 2 == 0;
        for (int y = 0; y < side; ++y) {
          for (int x = 0; x < side; ++x) {
            const bool ink = solid[NaivePinwheel::index({y / grain, x / grain}, side)];
            tones[NaivePinwheel::index({y, x}, side)] = ink ? 4095 : 1;
          }
        }
        const NaivePinwheel::Result result = pinwheel.run(tones, side, side);
        int64_t balance = result.started - result.lost - result.cut;
        for (size_t i = 0; i < tones.size(); ++i) balance += tones[i] - 4096 * result.ink[i];
        ASSERT_EQ(balance, 0);
        largest = std::max(largest, result.largest);
        clamped += result.clamped;
      }
    }
  }
  RecordProperty("largest", std::to_string(largest));
  RecordProperty("clamped", std::to_string(clamped));
  EXPECT_LT(largest, 32768);
  EXPECT_GT(clamped, 0) << "else nothing here tests that errors are clamped";
}

}  // namespace
}  // namespace mezzo::test::naive_pinwheel_sums_test
