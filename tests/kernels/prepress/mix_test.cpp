#include "kernels/prepress/mix.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/band/ink15.h"

namespace mezzo::test::mix_test {
namespace {

TEST(AddInk, IsTheRoundedShareUpToASolid) {
  std::vector<uint16_t> ink;
  for (uint32_t v = 0; v <= kInk15; v += 3) ink.push_back(static_cast<uint16_t>(v));
  for (const uint32_t weight : {0U, 1U, 1638U, 8192U, 14746U, prepress::kWholeInk}) {
    for (const uint32_t below : {0U, 1U, 20000U, kInk15}) {
      std::vector<uint16_t> sum(ink.size(), static_cast<uint16_t>(below));
      std::vector<uint16_t> of_negative = sum;
      const auto count = static_cast<uint32_t>(ink.size());
      prepress::add_ink(ink.data(), false, weight, count, sum.data());
      prepress::add_ink(ink.data(), true, weight, count, of_negative.data());
      for (size_t i = 0; i < ink.size(); ++i) {
        const auto exact = [&](uint32_t v) {
          const double share = static_cast<double>(v) * weight / 16384;  // exact in double
          return std::min(static_cast<uint32_t>(share + 0.5) + below, kInk15);
        };
        ASSERT_EQ(sum[i], exact(ink[i])) << ink[i] << " " << weight;
        ASSERT_EQ(of_negative[i], exact(kInk15 - ink[i])) << ink[i] << " " << weight;
      }
    }
  }
}

TEST(NegateInk, ExchangesPaperAndSolid) {
  std::vector<uint16_t> row = {0, 1, 20'000, kInk15};
  prepress::negate_ink(row.data(), 3);
  EXPECT_EQ(row, (std::vector<uint16_t>{kInk15, kInk15 - 1, kInk15 - 20'000, kInk15}));
}

}  // namespace
}  // namespace mezzo::test::mix_test
