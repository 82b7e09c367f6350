#include "manifests/kinds/kind.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "manifests/kinds/reading.h"

namespace mezzo::test::kind_test {
namespace {

using manifests::Field;
using manifests::FieldType;
using manifests::Kind;

TEST(Kinds, HaveARowForEachType) {
  for (int number = 0; number <= static_cast<int>(FieldType::kPageList); ++number) {
    const auto type = static_cast<FieldType>(number);
    const Kind& kind = manifests::kind_of(type);
    EXPECT_EQ(kind.type, type);
    EXPECT_NE(kind.rule.empty(), kind.rule_of == nullptr) << number;
    EXPECT_NE(kind.schema, nullptr) << number;
    EXPECT_NE(kind.forms, 0U) << number;
  }
}

// What no reader takes from a node is a map, or a list of maps.
TEST(Kinds, ReadAllThatIsNoMap) {
  for (const auto& family : {manifests::number_kinds(),
                             manifests::word_kinds(),
                             manifests::text_kinds(),
                             manifests::list_kinds()}) {
    for (const Kind& kind : family) {
      EXPECT_NE(kind.read, nullptr) << static_cast<int>(kind.type);
    }
  }
}

TEST(Kinds, SayTheRuleOfTheirFields) {
  Field field{.name = "copies", .scopes = 0, .type = FieldType::kInteger, .summary = {}};
  field.minimum = 1;
  field.maximum = 9;
  EXPECT_EQ(manifests::expected(field), "a whole number from 1 to 9");
  EXPECT_EQ(manifests::kind_of(field).schema(field, "")["maximum"], 9);
}

}  // namespace
}  // namespace mezzo::test::kind_test
