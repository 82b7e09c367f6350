#include "pipeline/run/csv.h"

#include <gtest/gtest.h>

namespace mezzo::run::csv_test {
namespace {

TEST(CsvField, QuotesWhatCsvNeedsQuoted) {
  EXPECT_EQ(csv_field("cyan"), "cyan");
  EXPECT_EQ(csv_field("red, \"deep\""), "\"red, \"\"deep\"\"\"");
}

TEST(CsvField, IsNoFormula) {
  EXPECT_EQ(csv_field("=1+1"), "'=1+1");
  EXPECT_EQ(csv_field("@SUM(A1,A2)"), "\"'@SUM(A1,A2)\"");
  EXPECT_EQ(csv_field("+49"), "'+49");
  EXPECT_EQ(csv_field("-cmd"), "'-cmd");
  EXPECT_EQ(csv_field(""), "");
}

}  // namespace
}  // namespace mezzo::run::csv_test
