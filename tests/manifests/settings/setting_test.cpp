#include "manifests/settings/setting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "manifests/fields.h"
#include "manifests/plate_settings.h"
#include "manifests/settings/folder_rows.h"

namespace mezzo::test::setting_test {
namespace {

using manifests::FieldType;
using manifests::PageSettings;
using manifests::SettingGroup;
using manifests::SettingValue;
using Row = manifests::Setting<PageSettings>;

/// Settings that have all maps.
PageSettings with_all_maps() {
  PageSettings settings;
  for (const SettingGroup* group : manifests::setting_groups()) {
    if (group->begin != nullptr) group->begin(settings);
  }
  return settings;
}

/// The values of all settings that have one.
std::map<std::string, SettingValue> values_of(const PageSettings& settings) {
  std::map<std::string, SettingValue> values;
  for (const SettingGroup* group : manifests::setting_groups()) {
    for (const Row& row : group->rows)
      values[manifests::key_of(*group, row)] = row.in.get(settings);
  }
  return values;
}

/// A good value that is not the usual one.
SettingValue another_value(const manifests::Field& field, const SettingValue& usual) {
  switch (field.type) {
    case FieldType::kBoolean:
      return !std::get<bool>(usual);
    case FieldType::kInteger:
    case FieldType::kLength:
      return static_cast<uint64_t>(field.maximum) - 1;
    case FieldType::kDuration:
    case FieldType::kByteSize:
      return static_cast<uint64_t>(field.maximum);
    case FieldType::kRotation:
      return uint64_t{270};
    case FieldType::kNumber:
    case FieldType::kPercent:
      return (field.minimum + field.maximum) / 2;
    case FieldType::kNumbers:
    case FieldType::kPercents:
      return std::vector<double>{0, 40, 100};
    case FieldType::kCurve:
      return std::vector<CurvePoint>{{0, 0}, {50, 60}, {100, 100}};
    case FieldType::kTimeWindows:
      return std::vector<manifests::TimeWindow>{{.begin_minute = 60}};
    case FieldType::kChoice:
      for (const std::string_view choice : field.choices()) {
        if (usual != SettingValue(std::string(choice))) return std::string(choice);
      }
      return {};
    case FieldType::kChoices:
    case FieldType::kInks:
      return std::vector<std::string>{"plate"};
    default:
      return std::string("a/path.png");
  }
}

SettingValue unusual_value(const Row& row) {
  return another_value(row.field, row.in.get(with_all_maps()));
}

/// What is set is what is got, and no other setting changes: no two rows share a member.
TEST(Settings, ChangeTheirOwnMemberAlone) {
  const auto usual = values_of(with_all_maps());
  size_t rows = 0;
  for (const SettingGroup* group : manifests::setting_groups()) {
    for (const Row& row : group->rows) {
      const std::string key = manifests::key_of(*group, row);
      SCOPED_TRACE(key);
      const SettingValue value = unusual_value(row);
      ASSERT_NE(value, usual.at(key));
      PageSettings settings = with_all_maps();
      row.in.set(settings, value);
      auto expected = usual;
      expected[key] = value;
      EXPECT_EQ(values_of(settings), expected);
      ++rows;
    }
  }
  EXPECT_GE(rows, 50U);
}

/// Where a map is not there, its settings have no values, and setting them does nothing.
TEST(Settings, HaveNoValuesWithoutTheirMap) {
  const PageSettings usual;
  for (const std::string_view key : {"crop", "levels", "proof", "ppf"}) {
    SCOPED_TRACE(key);
    for (const Row& row : manifests::find_group(key)->rows) {
      SCOPED_TRACE(row.field.name);
      EXPECT_EQ(row.in.get(usual), SettingValue());
      PageSettings settings;
      row.in.set(settings, unusual_value(row));
      EXPECT_EQ(settings, usual);
    }
  }
}

/// An ink's own setting makes of its plate what the page's makes of all, and leaves other plates alone.
TEST(Settings, OfAnInkCountLikeThoseOfItsPage) {
  const PageSettings usual;
  size_t rows = 0;
  for (const auto& [group, row, key] : manifests::settings_of_inks()) {
    SCOPED_TRACE(key);
    PageSettings of_page, of_ink;
    row->in.set(of_page, unusual_value(*row));
    of_ink.inks = {{.ink = "cyan", .label = {}, .over = {{key, unusual_value(*row)}}}};
    EXPECT_NE(manifests::plate_settings(of_ink, "cyan"), manifests::plate_settings(usual, "cyan"));
    EXPECT_EQ(manifests::plate_settings(of_ink, "cyan"),
              manifests::plate_settings(of_page, "cyan"));
    EXPECT_EQ(manifests::plate_settings(of_ink, "black"),
              manifests::plate_settings(usual, "black"));
    ++rows;
  }
  EXPECT_GE(rows, 6U);
}

/// Whether an ink may name this key: its map, or the key on top, has a place in `inks`. `output` of an ink is a
/// map of its own, with some of the keys.
bool inks_may_name(const SettingGroup& group, const Row& row) {
  if (group.key == "output") {
    const auto fields = manifests::fields();
    return std::ranges::any_of(fields, [&](const manifests::Field& field) {
      return (field.scopes & manifests::kInInkOutput) != 0 && field.name == row.field.name;
    });
  }
  const manifests::Field& field = group.maps.empty() ? row.field : group.maps.front();
  return (field.scopes & manifests::kInInks) != 0;
}

/// `levels` and `halftone` are read by readers of their own.
TEST(Settings, OfAnInkAreThoseThatAnInkMayName) {
  for (const SettingGroup* group : manifests::setting_groups()) {
    if (group->key == "levels") continue;
    for (const Row& row : group->rows) {
      EXPECT_EQ(row.has(manifests::kPerInk), inks_may_name(*group, row))
          << manifests::key_of(*group, row);
    }
  }
}

std::map<std::string, SettingValue> values_of(const manifests::FolderSettings& settings) {
  std::map<std::string, SettingValue> values;
  for (const manifests::FolderGroup& group : manifests::folder_groups()) {
    for (const auto& row : group.rows) {
      values[std::string(row.field.name)] = row.in.get(settings);
    }
  }
  return values;
}

TEST(Settings, OfFoldersChangeTheirOwnMemberAlone) {
  const auto usual = values_of(manifests::FolderSettings());
  for (const manifests::FolderGroup& group : manifests::folder_groups()) {
    for (const auto& row : group.rows) {
      SCOPED_TRACE(row.field.name);
      auto expected = usual;
      SettingValue& value = expected[std::string(row.field.name)];
      value = another_value(row.field, value);
      manifests::FolderSettings settings;
      row.in.set(settings, value);
      EXPECT_NE(settings, manifests::FolderSettings());
      EXPECT_EQ(values_of(settings), expected);
    }
  }
  EXPECT_GE(usual.size(), 18U);
}

TEST(Settings, HaveTheDefaultsOfTheirRecord) {
  const auto default_of = [](manifests::Scope scope, std::string_view key) {
    return std::string(manifests::find_field(scope, key)->default_json);
  };
  EXPECT_EQ(default_of(manifests::kInTone, "gamma"), "1.0");
  EXPECT_EQ(default_of(manifests::kInTone, "curve"), "");
  EXPECT_EQ(default_of(manifests::kInCrop, "left"), "\"0 mm\"");
  EXPECT_EQ(default_of(manifests::kInCrop, "width"), "");
  EXPECT_EQ(default_of(manifests::kInPpf, "zone_width"), "\"32.5 mm\"");
  EXPECT_EQ(default_of(manifests::kInLevels, "overlap"), "\"100%\"");
  EXPECT_EQ(default_of(manifests::kInOutput, "existing"), "\"replace\"");
  EXPECT_EQ(default_of(manifests::kInOutput, "resolution"), "");
  EXPECT_EQ(default_of(manifests::kInColour, "black_point"), "true");
  EXPECT_EQ(default_of(manifests::kInCopies, "across"), "1");
}

}  // namespace
}  // namespace mezzo::test::setting_test
