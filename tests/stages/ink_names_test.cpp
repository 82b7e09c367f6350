// Names of inks, in files and elsewhere.
#include "stages/ink_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mezzo::test::ink_names_test {
namespace {

using ::testing::ElementsAre;

TEST(InkNames, AreKeptAsTheyWereGiven) {
  EXPECT_THAT(ink_names({"PANTONE 185 C", "\xE9\x87\x91", "  a\nb\x1B "}, 4),
              ElementsAre("PANTONE 185 C", "\xE9\x87\x91", "a b", "ink4"));
  EXPECT_THAT(ink_names({std::string(300, 'x')}, 1), ElementsAre(std::string(255, 'x')));
  EXPECT_THAT(ink_names({"\xC4\xD6"}, 1), ElementsAre("\xC3\x84\xC3\x96"));  // Latin-1
  EXPECT_THAT(ink_names({"a\xC2\x9B"
                         "1"},
                        1),
              ElementsAre("a 1"));
}

TEST(InkNames, DifferWithinAFile) {
  EXPECT_THAT(ink_names({"A", "A", "a-2", ""}, 4), ElementsAre("A", "a-2", "a-2-2", "ink4"));
}

TEST(InkNames, AreMadeFitForFiles) {
  EXPECT_THAT(
      ink_file_names({"PANTONE 185 C", "../etc/passwd", "spot_1", "Spot_1", "\xE9\x87\x91"}),
      ElementsAre("pantone-185-c", "etc-passwd", "spot_1", "spot_1-2", "ink5"));
  EXPECT_THAT(ink_file_names({"Wei\xC3\x9F/Opaque"}), ElementsAre("wei-opaque"));
}

TEST(InkNames, AreTheSameInFilesBeforeAndAfterTheyWereMadeToDiffer) {
  const std::vector<std::string> found = {"Spot", "spot", "Spot", "spot-2", "", "Gold", "Gold"};
  const auto names = ink_names(found, 8);
  EXPECT_THAT(
      ink_file_names(names),
      ElementsAre("spot", "spot-2", "spot-3", "spot-2-2", "ink5", "gold", "gold-2", "ink8"));
}

}  // namespace
}  // namespace mezzo::test::ink_names_test
