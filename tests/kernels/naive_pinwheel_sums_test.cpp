// How large the sums of pinwheel diffusion get: int16 must hold them.

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/kernels/naive_pinwheel.h"

namespace mezzo::test {
namespace {

using Path = NaivePinwheel::Path;
constexpr Path kPaths[] = {Path::kSpiral, Path::kSerpentine};

/// The largest |weight| that each target of a pixel may get, Q15. What noise adds is linear in two
/// bytes of the random number, so that their ends tell.
NaivePinwheel::Weights most_handed(const NaivePinwheel& pinwheel, const NaivePinwheel::Step& step) {
  NaivePinwheel::Weights most = {};
  for (const uint32_t random : {0x80800000U, 0x807F0000U, 0x7F800000U, 0x7F7F0000U}) {
    NaivePinwheel::Weights v = pinwheel.shares(step, 0, random);
    v[static_cast<size_t>(step.primary)] = 32768 - v[0] - v[1] - v[2] - v[3];
    for (size_t k = 0; k < 4; ++k) most[k] = std::max(most[k], std::abs(v[k]));
  }
  return most;
}

/// The largest sum of |weights| with which errors arrive at a pixel of the blocks from `begin` to
/// `end` (excluded), in Q15.
int64_t most_incoming(const NaivePinwheel& pinwheel, int width, int height, At begin, At end) {
  std::vector<int64_t> incoming(NaivePinwheel::index({height, 0}, width));
  for (int by = 0; by * pinwheel.block < height; ++by) {
    for (int bx = 0; bx * pinwheel.block < width; ++bx) {
      const NaivePinwheel::Block b = pinwheel.block_at({by, bx}, width, height);
      for (int i = 0; i < static_cast<int>(b.path.size()); ++i) {
        const NaivePinwheel::Step step = pinwheel.step_at(b, i, width, height);
        if (step.primary < 0) continue;
        const NaivePinwheel::Weights v = most_handed(pinwheel, step);
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

/// An error is at most 7168: with 3.9 of them a sum stays below 4096 + 3.9 * 7168 < 2^15.
constexpr double kMostErrors = 3.9;

TEST(NaivePinwheelSums, InTheMiddleFitSixteenBits) {
  for (const Path path : kPaths) {
    for (const int noise : {0, 16384}) {
      int64_t most = 0;
      for (int size = 2; size <= 64; ++size) {
        NaivePinwheel pinwheel;
        pinwheel.block = size;
        pinwheel.path = path;
        pinwheel.weight_noise = noise;
        most = std::max(most, most_incoming(pinwheel, 6 * size, 5 * size, {2, 2}, {3, 4}));
      }
      const std::string name = name_of(path) + (noise > 0 ? "_noisy" : "");
      RecordProperty(name, std::to_string(from_q15(most)));
      EXPECT_LT(from_q15(most), kMostErrors) << name;
    }
  }
}

TEST(NaivePinwheelSums, AtBordersFitSixteenBits) {
  for (const Path path : kPaths) {
    for (const int size : {2, 3, 4, 5, 6, 7, 8, 9, 14, 16, 33, 64}) {
      NaivePinwheel pinwheel;
      pinwheel.block = size;
      pinwheel.path = path;
      pinwheel.weight_noise = 16384;  // adds to what may come
      for (const int rows : {1, 2, size / 2, size - 1, size}) {
        for (const int columns : {1, 2, size / 2, size - 1, size}) {
          const int64_t most =
              most_incoming(pinwheel, 2 * size + columns, 2 * size + rows, {0, 0}, {4, 4});
          ASSERT_LT(from_q15(most), kMostErrors) << name_of(path) << ", block " << size;
        }
      }
    }
  }
}

/// What pages can be made to do: extremes in blocks and in noise, all noise at its most.
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
            tones[NaivePinwheel::index({y, x}, side)] = ink ? 4096 : 0;
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
}  // namespace mezzo::test
