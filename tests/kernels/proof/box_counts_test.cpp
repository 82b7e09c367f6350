#include "kernels/proof/box_counts.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>
#include <vector>

namespace mezzo::proof::box_counts_test {
namespace {

/// Plates of noise, each with another share of ink.
struct Plates {
  Plates(size_t count, uint32_t width, uint32_t height, uint32_t bits_per_px = 1)
      : row_bytes(bit_row_bytes(width, bits_per_px)), bytes(count) {
    std::mt19937 random(width + 7 * static_cast<uint32_t>(count));
    for (size_t k = 0; k < count; ++k) {
      bytes[k].resize(row_bytes * height);
      for (uint8_t& byte : bytes[k]) {
        byte = static_cast<uint8_t>(k % 2 == 0 ? random() : random() & random());
      }
      const auto padding = static_cast<uint32_t>(8 * row_bytes - size_t{width} * bits_per_px);
      for (uint32_t y = 0; y < height; ++y) {
        uint8_t& last = bytes[k][row_bytes * (y + 1) - 1];
        last = static_cast<uint8_t>(last & 0xFFU << padding);
      }
      bands.push_back({bytes[k].data(), width, height, row_bytes, 0, bits_per_px});
    }
  }
  size_t row_bytes;
  std::vector<std::vector<uint8_t>> bytes;
  std::vector<BitBand> bands;
};

/// Area that box `b` and pixel `i` share, by cutting both into pieces of 1 / p px.
uint64_t shared(const BoxAxis& axis, uint32_t b, uint32_t i) {
  uint64_t pieces = 0;
  for (uint64_t at = uint64_t{i} * axis.p; at < (uint64_t{i} + 1) * axis.p; ++at) {
    if (at / axis.q == b) ++pieces;
  }
  return pieces;
}

std::vector<uint64_t> naive(const BoxAxis& across,
                            const BoxAxis& down,
                            uint32_t y,
                            const std::vector<BitBand>& plates) {
  std::vector<uint64_t> areas(size_t{across.boxes()} << plates.size());
  for (uint32_t row = 0; row < down.plate_px; ++row) {
    const uint64_t high = shared(down, y, row);
    if (high == 0) continue;
    for (uint32_t x = 0; x < across.plate_px; ++x) {
      size_t set = 0;
      for (size_t k = 0; k < plates.size(); ++k) set |= size_t{plates[k].ink(x, row)} << k;
      for (uint32_t box = 0; box < across.boxes(); ++box) {
        areas[(size_t{box} << plates.size()) + set] += high * shared(across, box, x);
      }
    }
  }
  return areas;
}

TEST(BoxCounts, AreExactForAnyRatioWidthAndNumberOfInks) {
  const struct {
    uint32_t width, height, p, q;
  } cases[] = {{1, 1, 1, 1},
               {97, 9, 1, 1},
               {96, 48, 1, 24},
               {100, 61, 1, 24},
               {130, 52, 5, 127},  // 2540 dpi to 100
               {150, 11, 2, 3},
               {300, 7, 1, 130},
               {61, 13, 40, 41}};
  for (const auto& one : cases) {
    for (size_t inks = 0; inks <= kMostCounted; ++inks) {
      const Plates plates(inks, one.width, one.height);
      const BoxAxis across{one.width, one.p, one.q}, down{one.height, one.p, one.q};
      std::vector<uint64_t> areas(size_t{across.boxes()} << inks);
      for (uint32_t y = 0; y < down.boxes(); ++y) {
        count_overprints(across, down, y, plates.bands, areas);
        ASSERT_EQ(areas, naive(across, down, y, plates.bands))
            << one.width << " px, " << one.p << "/" << one.q << ", inks " << inks << ", row " << y;
        EXPECT_EQ(std::accumulate(areas.begin(), areas.end(), uint64_t{0}),
                  down.length(y) * one.width * one.p);
      }
    }
  }
}

TEST(BoxCounts, OfOneInkAreThoseOfItsSets) {
  const Plates plates(1, 131, 30);
  const BoxAxis across{131, 5, 127}, down{30, 5, 127};
  std::vector<uint64_t> sets(size_t{across.boxes()} * 2), ink(across.boxes());
  for (uint32_t y = 0; y < down.boxes(); ++y) {
    count_overprints(across, down, y, plates.bands, sets);
    count_ink(across, down, y, plates.bands[0], nullptr, ink);
    for (uint32_t box = 0; box < across.boxes(); ++box) EXPECT_EQ(ink[box], sets[2 * box + 1]);
  }
}

TEST(BoxCounts, OfLevelsAreTheirVolumes) {
  DropLevels levels;
  levels.count = 4;
  levels.tones[1] = 1000;
  levels.tones[2] = 2500;
  levels.tones[3] = 4096;
  const Plates plates(1, 50, 20, 2);
  const BoxAxis across{50, 2, 15}, down{20, 2, 15};
  std::vector<uint64_t> ink(across.boxes());
  for (uint32_t y = 0; y < down.boxes(); ++y) {
    count_ink(across, down, y, plates.bands[0], &levels, ink);
    for (uint32_t box = 0; box < across.boxes(); ++box) {
      uint64_t sum = 0;
      for (uint32_t row = 0; row < 20; ++row) {
        for (uint32_t x = 0; x < 50; ++x) {
          sum += shared(down, y, row) * shared(across, box, x) *
                 levels.tones[plates.bands[0].level(x, row)];
        }
      }
      EXPECT_EQ(ink[box], sum);
    }
  }
}

}  // namespace
}  // namespace mezzo::proof::box_counts_test
