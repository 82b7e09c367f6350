#include "manifests/settings/field_value.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manifests/settings/setting.h"

namespace mezzo::test::field_value_test {
namespace {

using manifests::empty_value;
using manifests::fault_of;
using manifests::Field;
using manifests::FieldType;
using manifests::PageSettings;
using manifests::SettingGroup;
using manifests::SettingValue;

TEST(FieldValue, FitsWhereItIsTheUsualOneOfASetting) {
  PageSettings settings;
  for (const SettingGroup* group : manifests::setting_groups()) {
    if (group->begin != nullptr) group->begin(settings);
    for (const auto& row : group->rows) {
      SCOPED_TRACE(key_of(*group, row));
      EXPECT_NE(empty_value(row.field.type), SettingValue());
      EXPECT_NE(fault_of(row.field, SettingValue()), "");
      const SettingValue usual = row.in.get(settings);
      if (usual == SettingValue() || row.field.is_required) continue;
      EXPECT_EQ(fault_of(row.field, usual), "");
    }
  }
}

TEST(FieldValue, IsWithinTheRangeOfItsField) {
  size_t bounds = 0;
  for (const SettingGroup* group : manifests::setting_groups()) {
    for (const auto& row : group->rows) {
      SCOPED_TRACE(key_of(*group, row));
      const Field& field = row.field;
      const SettingValue empty = empty_value(field.type);
      for (const double step : {-1.0, 1.0}) {
        const double bound = step < 0 ? field.minimum : field.maximum, beyond = bound + step;
        if (std::holds_alternative<double>(empty)) {
          EXPECT_EQ(fault_of(field, bound), "");
          EXPECT_THAT(fault_of(field, beyond), testing::StartsWith("must be a"));
        } else if (std::holds_alternative<std::vector<double>>(empty)) {
          EXPECT_EQ(fault_of(field, std::vector<double>{bound}), "");
          EXPECT_NE(fault_of(field, std::vector<double>{bound, beyond}), "");
        } else if (std::holds_alternative<uint64_t>(empty) && field.type != FieldType::kRotation) {
          EXPECT_EQ(fault_of(field, static_cast<uint64_t>(bound)), "");
          if (beyond < 0) continue;
          EXPECT_NE(fault_of(field, static_cast<uint64_t>(beyond)), "");
        } else {
          continue;
        }
        ++bounds;
      }
    }
  }
  EXPECT_GE(bounds, 30U);
}

TEST(FieldValue, IsOneOfTheChoices) {
  for (const SettingGroup* group : manifests::setting_groups()) {
    for (const auto& row : group->rows) {
      SCOPED_TRACE(key_of(*group, row));
      const bool is_list = row.field.type == FieldType::kChoices;
      if (!is_list && row.field.type != FieldType::kChoice) continue;
      std::vector<std::string> words;
      for (const std::string_view choice : row.field.choices()) words.emplace_back(choice);
      const auto fault = [&](const std::string& word) {
        return is_list ? fault_of(row.field, std::vector{words.front(), word})
                       : fault_of(row.field, word);
      };
      for (const std::string& word : words) EXPECT_EQ(fault(word), "");
      EXPECT_NE(fault("no such"), "");
    }
  }
}

TEST(FieldValue, SaysWhatItMustBe) {
  const auto fault = [](std::string_view group, size_t row, const SettingValue& value) {
    return fault_of(manifests::find_group(group)->rows[row].field, value);
  };
  EXPECT_EQ(fault("copies", 0, uint64_t{0}), "must be a whole number from 1 to 1000, found 0");
  EXPECT_EQ(fault("copies", 2, uint64_t{1'000'001}),
            "must be a length from 0 mm to 1000 mm, found \"1000.001 mm\"");
  EXPECT_EQ(fault("proof", 1, "proofs/a.jpg"),
            "must be a path that ends with .png, .tif, .tiff or .pdf, found \"proofs/a.jpg\"");
  EXPECT_EQ(fault("proof", 1, "proofs/a.PDF"), "");
  EXPECT_EQ(fault("tone", 0, 0.5), "must be true or false, found 0.5");
}

}  // namespace
}  // namespace mezzo::test::field_value_test
