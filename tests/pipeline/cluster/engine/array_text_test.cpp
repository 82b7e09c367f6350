#include <gtest/gtest.h>

#include <array>

#include "pipeline/cluster/engine/cluster_engine.h"

namespace mezzo::test::array_text_test {
namespace {

TEST(ArrayText, NamesRunsByTheirEnds) {
  constexpr std::array<uint32_t, 8> kUnits = {0, 1, 2, 3, 7, 9, 10, 12};
  EXPECT_EQ(cluster::array_text(kUnits), "0-3,7,9-10,12");
  EXPECT_EQ(cluster::array_text({}), "");
}

}  // namespace
}  // namespace mezzo::test::array_text_test
