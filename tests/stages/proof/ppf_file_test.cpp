#include "stages/proof/ppf_file.h"

#include <gtest/gtest.h>

namespace mezzo::proof::ppf_file_test {
namespace {

TEST(PpfFile, WritesNamesAsPostScriptHasThem) {
  EXPECT_EQ(postscript_text("Tea box (250 g)"), "(Tea box \\(250 g\\))");
  EXPECT_EQ(postscript_text("a\\b\n"), "(a\\\\b\\012)");
  EXPECT_EQ(postscript_text("Grün"), "(Gr\\374n)");
  EXPECT_EQ(postscript_text("墨 ink"), "(? ink)");
  EXPECT_EQ(postscript_text("\xFF"), "(?)");
}

TEST(PpfFile, NamesProcessInksAsConsolesDo) {
  EXPECT_EQ(ppf_ink_name("black"), "Black");
  EXPECT_EQ(ppf_ink_name("K"), "Black");
  EXPECT_EQ(ppf_ink_name("PANTONE 185 C"), "PANTONE 185 C");
}

}  // namespace
}  // namespace mezzo::proof::ppf_file_test
