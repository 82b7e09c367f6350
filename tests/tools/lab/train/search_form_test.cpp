// The frozen tables of the tone form are those that the tool makes.

#include "tools/lab/train/search_form.h"

#include <gtest/gtest.h>

#include <array>

#include "kernels/search/form_tables.h"

namespace mezzo::test::search_form_test {
namespace {

template <size_t kCount>
std::vector<int32_t> list(const std::array<int32_t, kCount>& table) {
  return {table.begin(), table.end()};
}

TEST(SearchForm, TablesAreThoseOfTheTree) {
  const train::FormTables tables = train::form_tables();
  EXPECT_EQ(tables.eye, list(search::form::kEye));
  EXPECT_EQ(tables.near, list(search::form::kNear));
  EXPECT_EQ(tables.middle, list(search::form::kMiddle));
  EXPECT_EQ(tables.far, list(search::form::kFar));
  EXPECT_EQ(tables.blur, list(search::form::kBlur));
  EXPECT_EQ(tables.dot, list(search::form::kDot));
}

}  // namespace
}  // namespace mezzo::test::search_form_test
