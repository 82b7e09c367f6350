#include "kernels/base/bytes_text.h"

#include <gtest/gtest.h>

namespace mezzo::test::bytes_text_test {
namespace {

TEST(BytesText, HasThreeDigits) {
  EXPECT_EQ(bytes_text(0), "0 bytes");
  EXPECT_EQ(bytes_text(640 << 10), "640 KiB");
  EXPECT_EQ(bytes_text(3ULL << 29), "1.5 GiB");
  EXPECT_EQ(bytes_text(400'000'000), "381 MiB");
}

TEST(BytesText, RoundsLimitsUpToWhatASettingCanHave) {
  EXPECT_EQ(limit_text(48 << 20), "48 MiB");
  EXPECT_EQ(limit_text((48 << 20) + 1), "49 MiB");
  EXPECT_EQ(limit_text(3ULL << 30), "3072 MiB");
}

TEST(BytesText, NeverShowsALimitAsItsOwnExcess) {
  EXPECT_EQ(beyond_limit_text(400'000'000, 256 << 20), "381 MiB, the limit is 256 MiB");
  EXPECT_EQ(beyond_limit_text((256 << 20) + 1, 256 << 20),
            "268435457 bytes, the limit is 268435456 bytes");
}

}  // namespace
}  // namespace mezzo::test::bytes_text_test
