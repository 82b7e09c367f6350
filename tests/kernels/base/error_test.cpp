// The parts of an error's text.
#include "kernels/base/error.h"

#include <gtest/gtest.h>

namespace mezzo::test::error_test {
namespace {

TEST(Error, JoinsFindingAndAdvice) {
  const Error error(ErrorKind::kData, "it is cut off; 3 bytes are missing", "export it again");
  EXPECT_STREQ(error.what(), "it is cut off; 3 bytes are missing; export it again");
  EXPECT_EQ(error.finding(), "it is cut off; 3 bytes are missing");
  EXPECT_EQ(error.advice(), "export it again");
  const Error plain(ErrorKind::kIo, "no disk");
  EXPECT_STREQ(plain.what(), "no disk");
  EXPECT_EQ(plain.advice(), "");
}

TEST(Error, KeepsItsPartsAtAPlace) {
  const Error error = Error(ErrorKind::kUsage, "too fine", "use 75").about("halftone.ruling");
  const Error placed = error.at("p.tif: ");
  EXPECT_STREQ(placed.what(), "p.tif: too fine; use 75");
  EXPECT_EQ(placed.finding(), "p.tif: too fine");
  EXPECT_EQ(placed.advice(), "use 75");
  EXPECT_EQ(placed.setting(), "halftone.ruling");
  EXPECT_EQ(placed.kind(), ErrorKind::kUsage);
}

TEST(Error, AdviceIsASentence) {
  EXPECT_EQ(as_sentence("use 'cpu'"), "Use 'cpu'.");
  EXPECT_EQ(as_sentence("'ink: cyan' is right."), "'ink: cyan' is right.");
  EXPECT_EQ(as_sentence(""), "");
}

}  // namespace
}  // namespace mezzo::test::error_test
