#include "kernels/prepress/finish.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace mezzo::test::finish_test {
namespace {

/// Two rows of random bits with clean padding.
struct Rows {
  explicit Rows(uint32_t width) : bytes(2 * bit_row_bytes(width)) {
    band = {bytes.data(), width, 2, bit_row_bytes(width), 0};
    std::mt19937 random(width);
    for (uint32_t y = 0; y < 2; ++y) {
      for (uint32_t x = 0; x < width; ++x) {
        if (random() % 3 == 0) band.row(y)[x / 8] |= static_cast<uint8_t>(0x80U >> x % 8);
      }
    }
  }

  std::vector<uint8_t> bytes;
  BitBand band;
};

TEST(Finish, IsTheDefinitionAtEveryWidth) {
  for (uint32_t width = 1; width <= 40; ++width) {
    for (const prepress::Finish finish : {prepress::Finish{false, false},
                                          prepress::Finish{true, false},
                                          prepress::Finish{false, true},
                                          prepress::Finish{true, true}}) {
      Rows before(width), rows(width);
      prepress::finish_rows(rows.band, finish);
      for (uint32_t y = 0; y < 2; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
          const uint32_t from = finish.mirror ? width - 1 - x : x;
          ASSERT_EQ(rows.band.ink(x, y), before.band.ink(from, y) != finish.negative)
              << width << " px, x " << x;
        }
        for (uint32_t x = width; x < 8 * bit_row_bytes(width); ++x) {
          ASSERT_FALSE(rows.band.ink(x, y)) << "padding of " << width << " px";
        }
      }
    }
  }
}

TEST(Finish, MirrorsLevels) {
  for (const uint32_t bits : {2U, 4U}) {
    for (uint32_t width = 1; width <= 20; ++width) {
      const size_t row_bytes = bit_row_bytes(width, bits);
      std::vector<uint8_t> bytes(row_bytes);
      std::mt19937 random(width);
      for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
      const uint32_t padding = static_cast<uint32_t>(8 * row_bytes) - width * bits;
      bytes.back() = static_cast<uint8_t>(bytes.back() & 0xFFU << padding);
      std::vector<uint8_t> mirrored = bytes;
      const BitBand before{bytes.data(), width, 1, row_bytes, 0, bits};
      const BitBand after{mirrored.data(), width, 1, row_bytes, 0, bits};
      prepress::finish_rows(after, {true, false});
      for (uint32_t x = 0; x < width; ++x) {
        ASSERT_EQ(after.level(x, 0), before.level(width - 1 - x, 0)) << bits << " bits, x " << x;
      }
      ASSERT_EQ(mirrored.back() & ((1U << padding) - 1), 0U) << "padding of " << width << " px";
    }
  }
}

}  // namespace
}  // namespace mezzo::test::finish_test
