#include "kernels/codec/adler32.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <vector>

#include "tests/support/simd_target.h"

namespace mezzo::test::adler32_test {
namespace {

class Adler32 : public OnTarget {};
MZ_ON_EVERY_TARGET(Targets, Adler32);

TEST_P(Adler32, IsZlibs) {
  std::mt19937 random(1);
  std::vector<uint8_t> bytes(100'000);
  for (const bool largest : {false, true}) {
    for (uint8_t& byte : bytes) byte = largest ? 255 : static_cast<uint8_t>(random());
    for (const size_t count :
         {0U, 1U, 2U, 14U, 15U, 16U, 119U, 120U, 240U, 480U, 481U, 5552U, 65'536U, 100'000U}) {
      for (const size_t first : {size_t{0}, bytes.size() - count}) {
        const std::span<const uint8_t> part(bytes.data() + first, count);
        EXPECT_EQ(codec::adler32(part), ::adler32(1, part.data(), static_cast<uInt>(count)))
            << count;
      }
    }
  }
}

TEST(Adler32OfText, IsThatOfItsDefinition) {
  const std::vector<uint8_t> text = {'W', 'i', 'k', 'i', 'p', 'e', 'd', 'i', 'a'};
  EXPECT_EQ(codec::adler32(text), 0x11E60398U);
  EXPECT_EQ(codec::adler32({}), 1U);
}

}  // namespace
}  // namespace mezzo::test::adler32_test
