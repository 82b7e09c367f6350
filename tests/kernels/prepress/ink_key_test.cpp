#include "kernels/prepress/ink_key.h"

#include <gtest/gtest.h>

namespace mezzo::test {
namespace {

TEST(InkKey, KnowsTheNamesOfProcessInks) {
  for (const char* name :
       {"black", "Black", "K", "k", "Schwarz", "Process Black", " PROCESSBLACK "}) {
    EXPECT_TRUE(prepress::is_same_ink(name, "black")) << name;
  }
  EXPECT_TRUE(prepress::is_same_ink("Process Cyan", "c"));
  EXPECT_TRUE(prepress::is_same_ink("M", "magenta"));
  EXPECT_TRUE(prepress::is_same_ink("Gelb", "yellow"));
  EXPECT_TRUE(prepress::is_process_ink("K"));
  EXPECT_FALSE(prepress::is_process_ink("PANTONE Black C"));
  EXPECT_FALSE(prepress::is_process_ink(""));
}

TEST(InkKey, ComparesWithoutCaseAndSpaces) {
  EXPECT_TRUE(prepress::is_same_ink("PANTONE 185 C", "Pantone 185C"));
  EXPECT_FALSE(prepress::is_same_ink("PANTONE 185 C", "PANTONE 185 U"));
  EXPECT_FALSE(prepress::is_same_ink("cyan", "light cyan"));
  EXPECT_FALSE(prepress::is_same_ink("Weiß", "Weiss"));
}

}  // namespace
}  // namespace mezzo::test
