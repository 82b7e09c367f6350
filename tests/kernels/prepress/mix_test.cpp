#include "kernels/prepress/mix.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/band/ink15.h"

namespace mezzo::test {
namespace {

TEST(AddInk, IsTheRoundedShareUpToASolid) {
  std::vector<uint16_t> ink;
  for (uint32_t v = 0; v <= kInk15; v += 3) ink.push_back(static_cast<uint16_t>(v));
  for (const uint32_t weight : {0U, 1U, 1638U, 8192U, 14746U, prepress::kWholeInk}) {
    for (const uint32_t below : {0U, 1U, 20000U, kInk15}) {
      std::vector<uint16_t> sum(ink.size(), static_cast<uint16_t>(below));
      prepress::add_ink(ink.data(), weight, static_cast<uint32_t>(ink.size()), sum.data());
      for (size_t i = 0; i < ink.size(); ++i) {
        const double share = static_cast<double>(ink[i]) * weight / 16384;
        const auto exact = static_cast<uint32_t>(share + 0.5) + below;  // exact in double
        ASSERT_EQ(sum[i], exact < kInk15 ? exact : kInk15) << ink[i] << " " << weight;
      }
    }
  }
}

}  // namespace
}  // namespace mezzo::test
