#include "kernels/prepress/colour_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "kernels/base/error.h"
#include "tests/kernels/prepress/colour_tables.h"

namespace mezzo::test::colour_table_test {
namespace {

using prepress::BlackRule;
using prepress::ColourShape;
using prepress::ColourTable;
using Values = std::vector<uint16_t>;

std::string refusal(ColourShape shape,
                    Values nodes,
                    BlackRule rule = BlackRule::kNone,
                    uint32_t black = 0,
                    Values curve = {}) {
  try {
    const ColourTable table(shape, std::move(nodes), rule, black, std::move(curve));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
  return "";
}

TEST(ColourTable, RefusesShapesThatDoNotExist) {
  for (const ColourShape& shape : {ColourShape{0, 4, 2},
                                   ColourShape{7, 4, 2},
                                   ColourShape{3, 0, 2},
                                   ColourShape{3, 17, 2},
                                   ColourShape{3, 4, 1},
                                   ColourShape{1, 4, 4097},
                                   ColourShape{3, 4, 50},
                                   ColourShape{4, 4, 24},
                                   ColourShape{5, 4, 10},
                                   ColourShape{6, 4, 8},
                                   ColourShape{~0U, ~0U, ~0U}}) {
    EXPECT_FALSE(is_possible(shape));
    EXPECT_THAT(refusal(shape, {}), testing::HasSubstr("1 to 16 outputs"));
  }
  EXPECT_EQ(refusal({3, 4, 2}, Values(32)), "");
}

TEST(ColourTable, RefusesValuesThatAreNoInk15) {
  Values nodes(32, kInk15);
  EXPECT_EQ(refusal({3, 4, 2}, nodes), "");
  nodes[5] = kInk15 + 1;
  EXPECT_THAT(refusal({3, 4, 2}, nodes), testing::HasSubstr("number 5 is 32641"));
  EXPECT_THAT(refusal({4, 1, 2}, Values(16), BlackRule::kOnlyBlack, 0, {0, 32641}),
              testing::HasSubstr("curve of black"));
  EXPECT_THAT(refusal({3, 4, 2}, Values(31)), testing::HasSubstr("32 values of nodes"));
  EXPECT_THAT(refusal({3, 4, 2}, Values(33)), testing::HasSubstr("32 values of nodes"));
}

TEST(ColourTable, RefusesRulesOfBlackThatDoNotFit) {
  EXPECT_EQ(refusal({4, 2, 2}, Values(32), BlackRule::kOnlyBlack, 1, {0, kInk15}), "");
  EXPECT_EQ(refusal({3, 2, 2}, Values(16), BlackRule::kNeutrals, 1, {kInk15, 0}), "");
  EXPECT_EQ(refusal({3, 2, 2}, Values(16), BlackRule::kBlackPoint, 1), "");
  EXPECT_NE(refusal({3, 2, 2}, Values(16), BlackRule::kOnlyBlack, 1, {0, kInk15}), "");
  EXPECT_NE(refusal({4, 2, 2}, Values(32), BlackRule::kNeutrals, 1, {0, kInk15}), "");
  EXPECT_NE(refusal({4, 2, 2}, Values(32), BlackRule::kBlackPoint, 1), "");
  EXPECT_NE(refusal({4, 2, 2}, Values(32), BlackRule::kOnlyBlack, 2, {0, kInk15}), "");
  EXPECT_NE(refusal({4, 2, 2}, Values(32), BlackRule::kOnlyBlack, 1, {0}), "");
  EXPECT_NE(refusal({4, 2, 2}, Values(32), BlackRule::kOnlyBlack, 1, Values(4098)), "");
  EXPECT_NE(refusal({3, 2, 2}, Values(16), BlackRule::kBlackPoint, 1, {0, kInk15}), "");
  EXPECT_NE(refusal({3, 2, 2}, Values(16), static_cast<BlackRule>(9)), "");
}

TEST(ColourTable, HasADigestOfAllThatDecidesBits) {
  const Values nodes(64, 100), ramp = {0, 100, kInk15};
  Values other = nodes;
  ++other.back();
  const std::set<std::string> digests = {
      ColourTable({4, 4, 2}, nodes).digest(),
      ColourTable({4, 4, 2}, other).digest(),
      ColourTable({2, 4, 4}, nodes).digest(),
      ColourTable({3, 1, 4}, nodes).digest(),
      ColourTable({3, 1, 4}, nodes, BlackRule::kBlackPoint).digest(),
      ColourTable({3, 1, 4}, nodes, BlackRule::kNeutrals, 0, ramp).digest(),
      ColourTable({4, 4, 2}, nodes, BlackRule::kOnlyBlack, 3, ramp).digest(),
      ColourTable({4, 4, 2}, nodes, BlackRule::kOnlyBlack, 2, ramp).digest(),
      ColourTable({4, 4, 2}, nodes, BlackRule::kOnlyBlack, 3, {0, 101, kInk15}).digest()};
  EXPECT_EQ(digests.size(), 9U);
  for (const std::string& digest : digests) {
    EXPECT_THAT(digest, testing::MatchesRegex("[0-9a-f]+"));
    EXPECT_EQ(digest.size(), 32U);
  }
  EXPECT_EQ(ColourTable({4, 4, 2}, nodes, BlackRule::kNone, 3).digest(),
            ColourTable({4, 4, 2}, nodes).digest());
}

// Tables are kept for years: another digest of the same table is another promise.
TEST(ColourTable, KeepsItsDigest) {
  Values nodes(64);
  for (size_t i = 0; i < nodes.size(); ++i) nodes[i] = static_cast<uint16_t>(i * 509);
  const ColourTable table({4, 4, 2}, nodes, BlackRule::kOnlyBlack, 3, {0, 20'000, kInk15});
  EXPECT_EQ(table.digest(), "7473070a2f101b3aa51a88a611d26ee0");
}

TEST(ColourTable, HasACurveOfBlackThatMeetsItsPoints) {
  const ColourTable table(
      {4, 4, 2}, Values(64), BlackRule::kOnlyBlack, 3, {10, 20'000, 5'000, 30'000, kInk15});
  EXPECT_EQ(table.black_at(0), 10);
  EXPECT_EQ(table.black_at(65'535), kInk15);
  for (uint32_t v = 0; v < 65'536; v += 7) {
    const double u = v + (v >> 15), place = u * 4 / 65'536;
    const auto i = std::min<size_t>(static_cast<size_t>(place), 3);
    const double exact =
        table.black_curve()[i] +
        (place - static_cast<double>(i)) * (table.black_curve()[i + 1] - table.black_curve()[i]);
    ASSERT_EQ(table.black_at(v), static_cast<uint16_t>(exact + 0.5)) << v;
  }
}

}  // namespace
}  // namespace mezzo::test::colour_table_test
