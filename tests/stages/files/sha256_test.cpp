#include "stages/files/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace mezzo::files::sha256_test {
namespace {

// The examples of FIPS 180-4.
TEST(Sha256, HasTheDigestsOfTheStandard) {
  EXPECT_EQ(Sha256().hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  Sha256 abc;
  abc.add("abc", 3);
  EXPECT_EQ(abc.hex(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(abc.value()[0], 0xba);
}

TEST(Sha256, TakesPiecesOfAnySizeAndGoesOn) {
  Sha256 digest;
  for (int i = 0; i < 1000; ++i) {
    if (i == 500) digest.hex();
    digest.add(std::string(1000, 'a').data(), 1000);
  }
  EXPECT_EQ(digest.hex(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

}  // namespace
}  // namespace mezzo::files::sha256_test
