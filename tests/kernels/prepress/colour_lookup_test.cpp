#include "kernels/prepress/colour_lookup.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/kernels/prepress/colour_tables.h"
#include "tests/support/simd_target.h"

namespace mezzo::test::colour_lookup_test {
namespace {

using prepress::BlackRule;
using prepress::ColourShape;
using prepress::ColourTable;

template <typename T>
using Planes = std::vector<std::vector<T>>;

template <typename T>
std::vector<const T*> rows_of(const Planes<T>& planes, size_t first = 0) {
  std::vector<const T*> rows;
  for (const std::vector<T>& plane : planes) rows.push_back(plane.data() + first);
  return rows;
}

std::vector<uint16_t*> rows_of(Planes<uint16_t>& planes, size_t first = 0) {
  std::vector<uint16_t*> rows;
  for (std::vector<uint16_t>& plane : planes) rows.push_back(plane.data() + first);
  return rows;
}

template <typename T>
Planes<uint16_t> by_reference(const ColourTable& table, const Planes<T>& in) {
  const size_t count = in.front().size();
  Planes<uint16_t> out(table.shape().outputs, std::vector<uint16_t>(count));
  prepress::reference::convert(
      table, std::span<const T* const>(rows_of(in)), rows_of(out), static_cast<uint32_t>(count));
  return out;
}

/// Another form of the definition: the mean, over 16384 heights t, of the node that is one on from
/// the node before on just those axes whose fraction is above t.
uint32_t mean_of_heights(const ColourTable& table,
                         const std::vector<uint32_t>& colour,
                         uint32_t c) {
  const ColourShape& shape = table.shape();
  uint64_t sum = 8192;
  for (uint32_t t = 0; t < 16'384; ++t) {
    size_t node = 0;
    for (const uint32_t v : colour) {
      const uint64_t place = uint64_t{v >= 32'768 ? v + 1 : v} * (shape.grid - 1) / 4;
      node = node * shape.grid + place / 16'384 + (place % 16'384 > t ? 1 : 0);
    }
    sum += table.nodes()[node * shape.outputs + c];
  }
  return static_cast<uint32_t>(sum / 16'384);
}

template <typename T>
void check_by_heights(const ColourShape& shape, std::mt19937& random) {
  const ColourTable table = random_table(shape, random);
  const Planes<T> in = random_samples<T>(shape, 24, random);
  const Planes<uint16_t> out = by_reference(table, in);
  for (size_t i = 0; i < in.front().size(); ++i) {
    std::vector<uint32_t> colour;
    for (const std::vector<T>& plane : in) colour.push_back(plane[i] * (sizeof(T) == 1 ? 257 : 1));
    const auto c = static_cast<uint32_t>(i % shape.outputs);
    ASSERT_EQ(out[c][i], mean_of_heights(table, colour, c))
        << shape.inputs << " inputs, pixel " << i;
  }
}

TEST(ColourReference, IsTheMeanOverTheHeightsOfASimplex) {
  std::mt19937 random(1);
  for (const ColourShape& shape : {ColourShape{1, 3, 4096},
                                   ColourShape{1, 1, 2},
                                   ColourShape{2, 5, 129},
                                   ColourShape{3, 4, 49},
                                   ColourShape{3, 16, 3},
                                   ColourShape{4, 4, 23},
                                   ColourShape{4, 7, 2},
                                   ColourShape{5, 2, 9},
                                   ColourShape{6, 1, 7}}) {
    check_by_heights<uint8_t>(shape, random);
    check_by_heights<uint16_t>(shape, random);
  }
}

// 24 nodes lie at samples that 8 bits do not have, 16 at those that they have: 17 k.
TEST(ColourReference, MeetsItsNodes) {
  std::mt19937 random(2);
  const ColourTable table = random_table({3, 2, 16}, random);
  Planes<uint8_t> in(3);
  for (uint32_t node = 0; node < 16 * 16 * 16; ++node) {
    for (uint32_t d = 0; d < 3; ++d) {
      in[d].push_back(static_cast<uint8_t>(17 * (node >> (8 - 4 * d) & 15)));
    }
  }
  const Planes<uint16_t> out = by_reference(table, in);
  for (size_t node = 0; node < out[0].size(); ++node) {
    // u is 65536 k / 15, rounded down, and p is a 16384th below the node at most.
    for (const uint32_t c : {0U, 1U}) EXPECT_NEAR(out[c][node], table.nodes()[2 * node + c], 6);
  }
  for (const size_t corner : {size_t{0}, out[0].size() - 1}) {
    for (const uint32_t c : {0U, 1U}) EXPECT_EQ(out[c][corner], table.nodes()[2 * corner + c]);
  }
}

TEST(ColourReference, KeepsBlackBlack) {
  std::mt19937 random(3);
  const ColourTable table = random_table({4, 4, 5}, random, BlackRule::kOnlyBlack);
  const ColourTable plain(table.shape(), table.nodes());
  const Planes<uint8_t> in = {{0, 0, 0, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 77, 255, 77}};
  const Planes<uint16_t> out = by_reference(table, in);
  for (size_t i = 0; i < 3; ++i) {
    for (uint32_t c = 0; c < 4; ++c) {
      const uint32_t black = table.black_at(257U * in[3][i]);
      EXPECT_EQ(out[c][i], c == table.black_output() ? black : 0) << i;
    }
  }
  const Planes<uint16_t> by_nodes = by_reference(plain, in);
  for (uint32_t c = 0; c < 4; ++c) EXPECT_EQ(out[c][3], by_nodes[c][3]);
}

TEST(ColourReference, MakesBlackAndNeutralsOfThreeInputsBlack) {
  std::mt19937 random(4);
  const ColourTable point = random_table({3, 4, 5}, random, BlackRule::kBlackPoint);
  const ColourTable grey = random_table({3, 4, 5}, random, BlackRule::kNeutrals);
  const Planes<uint16_t> in = {{0, 900, 900, 1}, {0, 900, 900, 0}, {0, 900, 901, 0}};
  const Planes<uint16_t> of_point = by_reference(point, in), of_grey = by_reference(grey, in);
  const Planes<uint16_t> point_nodes = by_reference({point.shape(), point.nodes()}, in);
  const Planes<uint16_t> grey_nodes = by_reference({grey.shape(), grey.nodes()}, in);
  for (uint32_t c = 0; c < 4; ++c) {
    EXPECT_EQ(of_point[c][0], c == point.black_output() ? kInk15 : 0);
    for (const size_t i : {1, 2, 3}) EXPECT_EQ(of_point[c][i], point_nodes[c][i]);
    EXPECT_EQ(of_grey[c][0], c == grey.black_output() ? grey.black_at(0) : 0);
    EXPECT_EQ(of_grey[c][1], c == grey.black_output() ? grey.black_at(900) : 0);
    for (const size_t i : {2, 3}) EXPECT_EQ(of_grey[c][i], grey_nodes[c][i]);
  }
}

/// Cuts at random places, rows of just the size that is asked for, and a guard behind each.
template <typename T>
void check_convert(const ColourTable& table, uint32_t count, std::mt19937& random) {
  const Planes<T> in = random_samples<T>(table.shape(), count, random);
  Planes<uint16_t> expected = by_reference(table, in);
  Planes<uint16_t> out(expected.size(), std::vector<uint16_t>(count + 1, 0xABCD));
  for (std::vector<uint16_t>& row : expected) row.push_back(0xABCD);
  uint32_t cut = 0;
  while (cut < count) {
    const uint32_t left = count - cut;
    const uint32_t some = random() % 2 == 0 ? left : 1 + random_below(left, random);
    prepress::convert(table, std::span<const T* const>(rows_of(in, cut)), rows_of(out, cut), some);
    cut += some;
  }
  const ColourShape& shape = table.shape();
  ASSERT_EQ(out, expected) << shape.inputs << " inputs, " << shape.outputs << " outputs, grid "
                           << shape.grid << ", rule " << static_cast<int>(table.rule()) << ", "
                           << count << " pixels of " << sizeof(T) << " bytes";
}

class ColourLookup : public OnTarget {};
MZ_ON_EVERY_TARGET(Targets, ColourLookup);

TEST_P(ColourLookup, IsTheReferenceForEveryShapeAndRule) {
  std::mt19937 random(5);
  for (uint32_t inputs = 1; inputs <= 6; ++inputs) {
    for (const uint32_t outputs : {1U, 3U, 4U, 5U, 8U, 16U}) {
      for (const uint32_t grid : {2U, 5U, prepress::most_grid(inputs)}) {
        if (grid > 5 && outputs > 5) continue;
        for (const BlackRule rule : {BlackRule::kNone,
                                     BlackRule::kOnlyBlack,
                                     BlackRule::kBlackPoint,
                                     BlackRule::kNeutrals}) {
          const uint32_t asks = rule == BlackRule::kOnlyBlack ? 4 : 3;
          if (rule != BlackRule::kNone && inputs != asks) continue;
          const ColourTable table = random_table({inputs, outputs, grid}, random, rule);
          check_convert<uint8_t>(table, 1 + random_below(700, random), random);
          check_convert<uint16_t>(table, 1 + random_below(700, random), random);
        }
      }
    }
  }
}

TEST_P(ColourLookup, IsTheReferenceForEveryNumberOfPixels) {
  std::mt19937 random(6);
  const ColourTable rgb = random_table({3, 4, 17}, random, BlackRule::kBlackPoint);
  const ColourTable cmyk = random_table({4, 4, 9}, random, BlackRule::kOnlyBlack);
  for (uint32_t count = 0; count <= 290; ++count) {
    check_convert<uint8_t>(rgb, count, random);
    check_convert<uint16_t>(cmyk, count, random);
  }
}

/// Vignettes with a little noise, and type in black.
TEST_P(ColourLookup, IsTheReferenceOnAPhoto) {
  std::mt19937 random(8);
  const ColourTable table = random_table({4, 4, 23}, random, BlackRule::kOnlyBlack);
  Planes<uint8_t> in(4);
  for (uint32_t i = 0; i < 100'000; ++i) {
    const uint32_t x = i % 400, y = i / 400;
    const bool is_type = x / 16 % 5 == 0 && y / 8 % 2 == 0;
    for (uint32_t c = 0; c < 3; ++c) {
      const uint32_t v = (x * (c + 2) + y * (5 - c)) / 8 + random_below(4, random);
      in[c].push_back(is_type ? 0 : static_cast<uint8_t>(std::min(v, 255U)));
    }
    in[3].push_back(is_type ? 255 : static_cast<uint8_t>(x * y / 400));
  }
  Planes<uint16_t> out(4, std::vector<uint16_t>(100'000));
  prepress::convert(table, std::span<const uint8_t* const>(rows_of(in)), rows_of(out), 100'000);
  EXPECT_EQ(out, by_reference(table, in));
}

TEST_P(ColourLookup, KeepsEveryLevelOfBlackAlone) {
  std::mt19937 random(7);
  const ColourTable table = random_table({4, 4, 23}, random, BlackRule::kOnlyBlack);
  Planes<uint16_t> in(4, std::vector<uint16_t>(65'536));
  for (uint32_t v = 0; v < 65'536; ++v) in[3][v] = static_cast<uint16_t>(v);
  Planes<uint16_t> out(4, std::vector<uint16_t>(65'536, 1));
  prepress::convert(table, std::span<const uint16_t* const>(rows_of(in)), rows_of(out), 65'536);
  for (uint32_t v = 0; v < 65'536; ++v) {
    for (uint32_t c = 0; c < 4; ++c) {
      ASSERT_EQ(out[c][v], c == table.black_output() ? table.black_at(v) : 0);
    }
  }
}

}  // namespace
}  // namespace mezzo::test::colour_lookup_test
