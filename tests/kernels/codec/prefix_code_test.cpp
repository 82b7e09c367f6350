#include "kernels/codec/prefix_code.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace mezzo::test::prefix_code_test {
namespace {

uint64_t bits_of(const std::vector<uint32_t>& counts, const codec::PrefixCode& code) {
  uint64_t bits = 0;
  for (size_t s = 0; s < counts.size(); ++s) bits += uint64_t{counts[s]} * code.lengths[s];
  return bits;
}

/// The fewest bits of any code with this limit: Larmore and Hirschberg's package-merge, by lists.
uint64_t fewest_bits(const std::vector<uint32_t>& counts, uint32_t longest) {
  std::vector<uint64_t> leaves;
  for (const uint32_t count : counts) {
    if (count != 0) leaves.push_back(count);
  }
  std::ranges::sort(leaves);
  std::vector<uint64_t> packages = leaves;
  for (uint32_t level = 1; level < longest; ++level) {
    std::vector<uint64_t> merged = leaves;
    for (size_t i = 0; i + 1 < packages.size(); i += 2)
      merged.push_back(packages[i] + packages[i + 1]);
    std::ranges::sort(merged);
    packages = merged;
  }
  return std::accumulate(packages.begin(),
                         packages.begin() + static_cast<ptrdiff_t>(2 * leaves.size() - 2),
                         uint64_t{0});
}

void expect_good_code(const std::vector<uint32_t>& counts, uint32_t longest, double excess) {
  const codec::PrefixCode code = codec::make_prefix_code(counts, longest);
  ASSERT_EQ(code.lengths.size(), counts.size());
  uint64_t taken = 0;  // of the 2^15 sequences of 15 bits
  std::vector<bool> begins(1U << 15);
  for (size_t s = 0; s < counts.size(); ++s) {
    const uint32_t length = code.lengths[s];
    ASSERT_EQ(length != 0, counts[s] != 0) << s;
    ASSERT_LE(length, longest);
    if (length == 0) continue;
    ASSERT_LT(code.bits[s], 1U << length);
    // No other code has it as its beginning: the lowest bits come first.
    for (uint32_t rest = 0; rest < 1U << (15 - length); ++rest) {
      const size_t word = code.bits[s] | rest << length;
      ASSERT_FALSE(begins[word]) << s;
      begins[word] = true;
      ++taken;
    }
  }
  EXPECT_EQ(taken, 1U << 15) << "complete";
  const uint64_t fewest = fewest_bits(counts, longest);
  EXPECT_GE(bits_of(counts, code), fewest);
  EXPECT_LE(static_cast<double>(bits_of(counts, code)), (1 + excess) * static_cast<double>(fewest));
}

TEST(PrefixCode, IsHuffmansWhereNoCodeIsTooLong) {
  std::mt19937 random(1);
  for (const uint32_t symbols : {2U, 3U, 19U, 257U, 286U, 512U}) {
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<uint32_t> counts(symbols);
      for (uint32_t& count : counts) count = static_cast<uint32_t>(100 + random() % 1000);
      expect_good_code(counts, 15, 0);
      counts[random() % symbols] = 20'000;  // one of a bit
      counts.push_back(0);
      if (counts.size() <= 512) expect_good_code(counts, 15, 0);
    }
  }
}

TEST(PrefixCode, KeepsToTheLimit) {
  std::mt19937 random(2);
  for (const uint32_t longest : {7U, 9U, 14U, 15U}) {
    std::vector<uint32_t> fibonacci = {1, 1};
    while (fibonacci.size() < 24) fibonacci.push_back(*fibonacci.rbegin() + *++fibonacci.rbegin());
    expect_good_code(fibonacci, longest, longest < 10 ? 0.2 : 0.01);
    for (int trial = 0; trial < 50; ++trial) {
      std::vector<uint32_t> counts(20 + random() % 108);
      for (uint32_t& count : counts) count = 1U << random() % 15;
      std::ranges::shuffle(counts, random);
      expect_good_code(counts, longest, longest < 10 ? 0.2 : 0.01);
    }
  }
  expect_good_code(std::vector<uint32_t>(128, 1), 7, 0);  // as many as there are codes
}

TEST(PrefixCode, HasABitForASymbolAlone) {
  const codec::PrefixCode code = codec::make_prefix_code(std::vector<uint32_t>{0, 7, 0}, 15);
  EXPECT_EQ(code.lengths, (std::vector<uint8_t>{0, 1, 0}));
  EXPECT_EQ(code.bits[1], 0);
  EXPECT_EQ(codec::make_prefix_code(std::vector<uint32_t>(3), 15).lengths, std::vector<uint8_t>(3));
}

TEST(PrefixCode, IsCanonical) {
  // The example of RFC 1951, 3.2.2, bits reversed.
  const std::vector<uint8_t> lengths = {3, 3, 3, 3, 3, 2, 4, 4};
  EXPECT_EQ(codec::prefix_code_of(lengths).bits,
            (std::vector<uint16_t>{0b010, 0b110, 0b001, 0b101, 0b011, 0b00, 0b0111, 0b1111}));
}

}  // namespace
}  // namespace mezzo::test::prefix_code_test
