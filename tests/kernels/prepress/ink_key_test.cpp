#include "kernels/prepress/ink_key.h"

#include <gtest/gtest.h>

namespace mezzo::test::ink_key_test {
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
}

TEST(InkKey, ComparesAllLettersInAnyFormOfUnicode) {
  for (const char* name :
       {"Gru\u0308n", "GR\u00DCN", "GRU\u0308N", "gr\u00FC\u00A0n", "\u2009Gr\u00FCn"}) {
    EXPECT_TRUE(prepress::is_same_ink(name, "Gr\u00FCn")) << name;
  }
  EXPECT_TRUE(prepress::is_same_ink("WEISS", "Wei\u00DF"));
  EXPECT_TRUE(prepress::is_same_ink("\u0416\u0401\u041B\u0422\u042B\u0419",
                                    "\u0436\u0435\u0308\u043B\u0442\u044B\u0439"));
  EXPECT_TRUE(prepress::is_same_ink("\uFF2B", "black"));
  EXPECT_FALSE(prepress::is_same_ink("Gr\u00FCn", "Grun"));
  EXPECT_TRUE(prepress::is_same_ink("Gr\xFCn", "gr\xFCN"));
  EXPECT_FALSE(prepress::is_same_ink("gr\xFCn", "gr\xDCn"));
}

}  // namespace
}  // namespace mezzo::test::ink_key_test
