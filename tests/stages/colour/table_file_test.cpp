#include "stages/colour/table_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "kernels/base/error.h"
#include "tests/kernels/prepress/colour_tables.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::table_file_test {
namespace {

using prepress::BlackRule;
using prepress::ColourTable;

ColourTable small_table(BlackRule rule = BlackRule::kOnlyBlack) {
  std::mt19937 random(1);
  return random_table({4, 3, 2}, random, rule);
}

/// What parse_table() says; empty when it takes the bytes.
std::string refusal(std::string_view bytes, ErrorKind kind = ErrorKind::kData) {
  try {
    colour::parse_table(bytes, "job.lut");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_THAT(error.what(), testing::StartsWith("job.lut: "));
    return error.what();
  }
  return "";
}

/// With 32 bits replaced.
std::string with_number(std::string bytes, size_t number, uint32_t value) {
  for (size_t i = 0; i < 4; ++i) bytes[23 + 4 * number + i] = static_cast<char>(value >> 8 * i);
  return bytes;
}

TEST(TableFile, GivesTheSameTableAgain) {
  const TempFolder folder;
  std::mt19937 random(2);
  for (const prepress::ColourShape& shape :
       {prepress::ColourShape{1, 1, 2}, {3, 4, 9}, {6, 16, 3}}) {
    const bool rgb = shape.inputs == 3;
    const ColourTable table =
        random_table(shape, random, rgb ? BlackRule::kNeutrals : BlackRule::kNone);
    const std::string path = folder / "colour/" + table.digest() + ".lut";
    colour::write_table(path, table);
    const auto found = colour::read_table(path, table.digest());
    EXPECT_EQ(found->digest(), table.digest());
    EXPECT_EQ(found->shape(), table.shape());
    EXPECT_EQ(found->nodes(), table.nodes());
    EXPECT_EQ(found->rule(), table.rule());
    EXPECT_EQ(found->black_output(), table.black_output());
    EXPECT_EQ(found->black_curve(), table.black_curve());
  }
}

TEST(TableFile, RefusesAnotherTable) {
  const TempFolder folder;
  colour::write_table(folder / "a.lut", small_table());
  const std::string other(32, '0');
  try {
    colour::read_table(folder / "a.lut", other);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_THAT(error.what(), testing::HasSubstr(small_table().digest() + ", and " + other));
  }
  EXPECT_THROW(colour::read_table(folder / "b.lut"), Error);
}

TEST(TableFile, RefusesEveryCutAndEveryFlippedBit) {
  const std::string bytes = colour::table_bytes(small_table());
  ASSERT_EQ(refusal(bytes), "");
  for (size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_NE(refusal(std::string_view(bytes).substr(0, length)), "") << length;
  }
  EXPECT_THAT(refusal(bytes + "x"), testing::HasSubstr("1 bytes follow"));
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ 1 << bit % 8);
    const bool is_version = bit / 8 >= 23 && bit / 8 < 27;
    EXPECT_NE(refusal(flipped, is_version ? ErrorKind::kUnsupported : ErrorKind::kData), "") << bit;
  }
}

// A size is believed only when the file has it.
TEST(TableFile, RefusesSizesThatLie) {
  const std::string bytes = colour::table_bytes(small_table());
  for (const uint32_t lie : {0U, 1U, 7U, 17U, 23U, 4097U, 4098U, 65'536U, 0x7FFFFFFFU, ~0U}) {
    for (const size_t number : {1, 2, 3, 6}) {
      EXPECT_NE(refusal(with_number(bytes, number, lie)), "") << lie << " for " << number;
    }
  }
  EXPECT_THAT(refusal(with_number(bytes, 3, 23)), testing::HasSubstr("bytes are missing"));
  EXPECT_THAT(refusal(with_number(bytes, 4, 9)), testing::HasSubstr("rule of black"));
  EXPECT_THAT(refusal(with_number(bytes, 5, 3)), testing::HasSubstr("black is output 3"));
  EXPECT_THAT(refusal(with_number(bytes, 0, 2), ErrorKind::kUnsupported),
              testing::HasSubstr("version 2"));
  EXPECT_THAT(refusal("MM"), testing::HasSubstr("no colour table"));
}

TEST(TableFile, RefusesNoise) {
  std::mt19937 random(3);
  const std::string bytes = colour::table_bytes(small_table());
  for (int i = 0; i < 2000; ++i) {
    std::string noise = bytes.substr(0, 27);
    for (uint32_t left = random_below(400, random); left > 0; --left) {
      noise.push_back(static_cast<char>(random_below(left % 4 == 0 ? 256 : 8, random)));
    }
    EXPECT_NE(refusal(noise), "");
  }
}

}  // namespace
}  // namespace mezzo::test::table_file_test
