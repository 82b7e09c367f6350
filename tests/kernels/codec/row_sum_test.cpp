// The digest of rows against one written again from its definition, on every SIMD target; and the
// damage that it must find.

#include "kernels/codec/row_sum.h"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/kernels/planes.h"
#include "tests/support/simd_target.h"

namespace mezzo::test::row_sum_test {
namespace {

using codec::row_sum;
using codec::RowSum;

/// splitmix64 as published: a counter that grows by the golden ratio, and its mixer.
uint64_t mixed_naively(uint64_t z) {
  z ^= z >> 30;
  z *= 13787848793156543929ULL;
  z ^= z >> 27;
  z *= 10723151780598845931ULL;
  z ^= z >> 31;
  return z;
}
uint64_t key_naively(uint64_t i) {
  uint64_t state = 0;
  for (uint64_t bit = 0; bit < 64; ++bit) {
    if (((i + 1) >> bit & 1) != 0) state += 11400714819323198485ULL << bit;
  }
  return mixed_naively(state);
}

/// The digest, pixel by pixel.
RowSum sum_naively(const BitBand& rows) {
  const uint32_t pixels = rows.width_px * rows.bits_per_px;
  RowSum digest;
  for (uint32_t y = 0; y < rows.rows; ++y) {
    for (uint32_t segment = 0; segment * 32768 < pixels; ++segment) {
      uint64_t sums[2] = {0, 0};
      for (uint32_t word = 0; word < 512 && segment * 32768 + word * 64 < pixels; ++word) {
        uint64_t halves[2] = {0, 0};
        for (uint32_t i = 0; i < 64; ++i) {
          const uint32_t x = segment * 32768 + word * 64 + i;
          if (x < pixels && (rows.row(y)[x / 8] >> (7 - x % 8) & 1) != 0) {
            halves[i / 32] += uint64_t{1} << (i % 32 / 8 * 8 + 7 - i % 8);
          }
        }
        for (uint32_t j = 0; j < 2; ++j) {
          const uint64_t key = key_naively(word + j);
          const uint64_t low = (halves[0] + key % (uint64_t{1} << 32)) % (uint64_t{1} << 32);
          const uint64_t high = (halves[1] + (key >> 32)) % (uint64_t{1} << 32);
          sums[j] += low * high;
        }
      }
      const uint64_t place = (uint64_t{rows.first_row + y} << 32) + segment;
      digest += {mixed_naively(sums[0] + key_naively(2 * place)),
                 mixed_naively(sums[1] + key_naively(2 * place + 1))};
    }
  }
  return digest;
}

/// Rows of the bytes that `next` gives, with clear padding.
template <typename Next>
void fill(BitPlane& plane, Next next) {
  const size_t bytes = bit_row_bytes(plane.band.width_px);
  for (uint32_t y = 0; y < plane.band.rows; ++y) {
    for (size_t i = 0; i < bytes; ++i) plane.band.row(y)[i] = static_cast<uint8_t>(next());
    const uint32_t used = plane.band.width_px % 8;
    if (used != 0) plane.band.row(y)[bytes - 1] &= static_cast<uint8_t>(0xFF00U >> used);
  }
}

void flip(const BitBand& rows, uint32_t x, uint32_t y) {
  rows.row(y)[x / 8] = static_cast<uint8_t>(rows.row(y)[x / 8] ^ 0x80U >> x % 8);
}

struct NoisePlane : BitPlane {
  NoisePlane(uint32_t width_px, uint32_t rows) : BitPlane(width_px, rows) {
    fill(*this, [random = std::mt19937(width_px + rows)]() mutable { return random(); });
  }
};

class RowSumOnTarget : public OnTarget {};
MZ_ON_EVERY_TARGET(Simd, RowSumOnTarget);

TEST_P(RowSumOnTarget, IsTheDefinitions) {
  std::mt19937 random(5);
  for (uint32_t i = 0; i < 150; ++i) {
    const uint32_t width = i < 140 ? 1 + i * 5 : 32000 + static_cast<uint32_t>(random() % 40000);
    NoisePlane plane(width, 3);
    plane.band.first_row = i % 2 == 0 ? 0 : static_cast<uint32_t>(random());
    ASSERT_EQ(row_sum(plane.band), sum_naively(plane.band)) << width;
    EXPECT_TRUE(plane.guards_intact());
  }
}

TEST(RowSums, PixelsOfSeveralBitsAreRowsOfMoreBits) {
  NoisePlane plane(404, 5);
  BitBand levels = plane.band;
  levels.width_px = 101;
  levels.bits_per_px = 4;
  EXPECT_EQ(row_sum(levels), row_sum(plane.band));
}

TEST(RowSums, AddUpInAnyOrder) {
  NoisePlane plane(1000, 40);
  RowSum backwards;
  for (uint32_t y = 40; y > 0;) {
    const uint32_t rows = std::min(y, 1 + y % 7);
    y -= rows;
    backwards += row_sum(plane.band.slice(y, rows));
  }
  EXPECT_EQ(backwards, row_sum(plane.band));
}

TEST_P(RowSumOnTarget, OfBytesIsThatOfARowAtTheirNumber) {
  for (const uint32_t bytes : {1U, 7U, 8U, 9U, 4095U, 4096U, 4097U, 70'001U}) {
    NoisePlane plane(8 * bytes, 1);
    plane.band.first_row = bytes;
    const auto row = std::as_bytes(std::span(plane.band.row(0), bytes));
    EXPECT_EQ(codec::byte_sum(row), sum_naively(plane.band)) << bytes;
  }
}

TEST(ByteSums, ChangeWithZerosAtTheEndAndPartsThatMove) {
  std::vector<std::byte> bytes(10'000);
  std::set<std::pair<uint64_t, uint64_t>> seen;
  for (size_t size = 0; size <= 40; ++size) {
    const codec::RowSum sum = codec::byte_sum(std::span(bytes).first(size));
    EXPECT_TRUE(seen.emplace(sum.first, sum.second).second) << size;
  }
  for (size_t at = 0; at < bytes.size(); at += 37) {
    bytes[at] = std::byte{1};
    const codec::RowSum sum = codec::byte_sum(bytes);
    EXPECT_TRUE(seen.emplace(sum.first, sum.second).second) << at;
    bytes[at] = std::byte{0};
  }
}

TEST(RowSums, AreWrittenAsThirtyTwoDigits) {
  EXPECT_EQ((RowSum{0x0123456789ABCDEF, 1}).hex(), "0123456789abcdef0000000000000001");
}

/// What digests of damaged rows must never be; each kind of damage adds its own.
class DamagedRows : public ::testing::Test {
 protected:
  void expect_new(const char* damage) {
    const RowSum sum = row_sum(plane_.band);
    EXPECT_TRUE(seen_.emplace(sum.first, sum.second).second) << damage;
  }
  void undamaged_is_seen() {
    const RowSum sum = row_sum(plane_.band);
    seen_.emplace(sum.first, sum.second);
  }

  NoisePlane plane_{1037, 24};
  std::set<std::pair<uint64_t, uint64_t>> seen_;
};

TEST_F(DamagedRows, EverySingleFlipIsFound) {
  undamaged_is_seen();
  for (uint32_t y = 0; y < plane_.band.rows; ++y) {
    for (uint32_t x = 0; x < plane_.band.width_px; ++x) {
      flip(plane_.band, x, y);
      expect_new("a flip");
      flip(plane_.band, x, y);
    }
  }
}

TEST_F(DamagedRows, FlipsOnPaperAndSolidAreFound) {
  for (const uint32_t value : {0x00U, 0xFFU}) {
    fill(plane_, [value] { return value; });
    undamaged_is_seen();
    for (uint32_t x = 0; x < plane_.band.width_px; ++x) {
      for (uint32_t y = 0; y < plane_.band.rows; ++y) {
        flip(plane_.band, x, y);
        expect_new("a flip");
        flip(plane_.band, x, y);
      }
    }
  }
}

TEST_F(DamagedRows, RowsOutOfPlaceAreFound) {
  undamaged_is_seen();
  const size_t bytes = bit_row_bytes(plane_.band.width_px);
  for (uint32_t a = 0; a < plane_.band.rows; ++a) {
    for (uint32_t b = 0; b < a; ++b) {
      std::swap_ranges(plane_.band.row(a), plane_.band.row(a) + bytes, plane_.band.row(b));
      expect_new("rows swapped");
      std::swap_ranges(plane_.band.row(a), plane_.band.row(a) + bytes, plane_.band.row(b));
    }
  }
  for (uint32_t first = 1; first < 100; ++first) {
    plane_.band.first_row = first;
    expect_new("all rows moved");
  }
}

TEST_F(DamagedRows, WordsOutOfPlaceAreFound) {
  undamaged_is_seen();
  uint8_t* row = plane_.band.row(3);
  for (const uint32_t size : {4U, 8U}) {
    for (uint32_t a = 0; a + size <= 128; a += size) {
      for (uint32_t b = 0; b < a; b += size) {
        std::swap_ranges(row + a, row + a + size, row + b);
        expect_new("words swapped");
        std::swap_ranges(row + a, row + a + size, row + b);
      }
    }
  }
}

TEST_F(DamagedRows, BandsOfEqualRowsThatMoveAreFound) {
  fill(plane_, [] { return 0; });
  for (uint32_t y = 0; y < plane_.band.rows; ++y) {
    flip(plane_.band, 500, y);
    expect_new("a mark that moved");
    flip(plane_.band, 500, y);
  }
  flip(plane_.band, 500, 0);
  for (uint32_t y = 1; y < plane_.band.rows; ++y) {
    flip(plane_.band, 500, y);
    expect_new("a longer mark");
  }
}

/// A million pairs of flips, each pair of rows of a word or two.
TEST(RowSums, DoubleFlipsAreFound) {
  NoisePlane plane(125, 8);
  const RowSum undamaged = row_sum(plane.band);
  std::vector<RowSum> of_row;
  for (uint32_t y = 0; y < 8; ++y) of_row.push_back(row_sum(plane.band.slice(y, 1)));
  std::mt19937 random(9);
  for (uint32_t i = 0; i < 1'000'000; ++i) {
    const auto first = static_cast<uint32_t>(random() % 1000);
    const auto second = static_cast<uint32_t>((first + 1 + random() % 999) % 1000);
    flip(plane.band, first % 125, first / 125);
    flip(plane.band, second % 125, second / 125);
    RowSum sum;
    for (uint32_t y = 0; y < 8; ++y) {
      const bool damaged = y == first / 125 || y == second / 125;
      sum += damaged ? row_sum(plane.band.slice(y, 1)) : of_row[y];
    }
    ASSERT_NE(sum, undamaged) << first << " and " << second;
    flip(plane.band, first % 125, first / 125);
    flip(plane.band, second % 125, second / 125);
  }
}

}  // namespace
}  // namespace mezzo::test::row_sum_test
