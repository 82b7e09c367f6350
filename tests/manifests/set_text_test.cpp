// Settings set by key and text: every row takes its bounds and choices, refuses what lies beyond, and says of a
// mistake what a manifest says of it.

#include "manifests/set_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <variant>

#include "manifests/job.h"

namespace mezzo::test::set_text_test {
namespace {

using namespace manifests;
using Row = Setting<PageSettings>;

template <typename Visit>
void for_each_setting(const Visit& visit) {
  const auto all = settings_where([](const Row&) { return true; });
  for (const SettingPlace& place : all) {
    SCOPED_TRACE(place.key);
    const SettingPlace* setting = find_setting(place.key);
    ASSERT_TRUE(setting != nullptr && setting->row == place.row);
    visit(*setting);
  }
  EXPECT_GT(all.size(), 50U);
}

/// A number as the field's texts have it; empty for fields without ranges.
std::string text_of(const Field& field, double value) {
  switch (field.type) {
    case FieldType::kInteger:
    case FieldType::kNumber:
      return plain_number(value);
    case FieldType::kPercent:
      return plain_number(value) + "%";
    case FieldType::kLength:
      return plain_number(value / 1000) + " mm";
    default:
      return {};
  }
}

/// Sets the settings to the text, and gives what they have then.
SettingValue set_and_got(const SettingPlace& setting, const std::string& text) {
  const auto read = read_value(field_of(setting), text);
  EXPECT_TRUE(read.value) << text << " " << read.problem;
  if (!read.value) return {};
  PageSettings settings;
  set_value(settings, setting, *read.value);
  return setting.row->in.get(settings);
}

TEST(SetText, TakesTheBoundsOfEverySettingAndNothingBeyond) {
  for_each_setting([](const SettingPlace& setting) {
    const Field& field = field_of(setting);
    if (text_of(field, 0).empty()) return;
    const double step = field.type == FieldType::kNumber ? 0.01 : 1;
    for (const double bound : {field.minimum, field.maximum}) {
      const SettingValue got = set_and_got(setting, text_of(field, bound));
      const auto* whole = std::get_if<uint64_t>(&got);
      const auto* number = std::get_if<double>(&got);
      if (whole != nullptr || number != nullptr) {
        EXPECT_EQ(whole != nullptr ? static_cast<double>(*whole) : *number, bound);
      } else {
        EXPECT_EQ(bound, 0);  // stands for no value
      }
      const double beyond = bound == field.minimum ? bound - step : bound + step;
      EXPECT_FALSE(read_value(field, text_of(field, beyond)).value) << beyond;
    }
  });
}

TEST(SetText, TakesEveryChoice) {
  for_each_setting([](const SettingPlace& setting) {
    const Field& field = field_of(setting);
    if (field.type != FieldType::kChoice) return;
    for (const std::string_view choice : field.choices()) {
      EXPECT_EQ(set_and_got(setting, std::string(choice)), SettingValue(std::string(choice)));
    }
    EXPECT_FALSE(read_value(field, "zigzag").value);
  });
}

TEST(SetText, TakesTextsThatAManifestWouldQuote) {
  for (const std::string text : {"12", "true", "a.icc"}) {
    EXPECT_EQ(set_and_got(*find_setting("profile"), text), SettingValue(text));
  }
}

TEST(SetText, LeavesTheOtherSettingsOfAMap) {
  PageSettings settings;
  const auto put = [&](const char* key, const char* text) {
    const SettingPlace& setting = *find_setting(key);
    set_value(settings, setting, *read_value(field_of(setting), text).value);
  };
  put("copies.across", "3");
  put("copies.gap", "2 mm");
  put("crop.width", "10 mm");
  put("crop.left", "1 mm");
  EXPECT_EQ(settings.geometry.copies, (Copies{3, 1, 2000}));
  EXPECT_EQ(settings.geometry.crop, (Crop{1000, 0, 10'000, 0}));
}

/// A page with a setting, as a manifest has it.
std::string with_setting(const std::string& key, const std::string& text) {
  const std::string map(map_around(key)), name(last_part(key));
  return "mezzotint: 1\njob: a\npages:\n  - input: a.tif\n    " +
         (map.empty() ? name + ": " + text : map + ": {" + name + ": " + text + "}");
}

TEST(SetText, SaysOfAMistakeWhatAManifestSays) {
  size_t count = 0;
  for_each_setting([&](const SettingPlace& setting) {
    const Field& field = field_of(setting);
    const bool is_in_pages = setting.group->key.empty()
                                 ? (field.scopes & kInPage) != 0
                                 : (field.scopes & inside_of(*setting.group, kInPage)) != 0;
    const std::string text = "-1";
    const auto read = read_value(field, text);
    if (!is_in_pages || read.value) return;
    const auto parsed = parse_manifest(with_setting(setting.key, text), "m.yaml");
    const auto* mistakes = std::get_if<std::vector<Diagnostic>>(&parsed);
    ASSERT_NE(mistakes, nullptr);
    const std::string said = "'" + std::string(field.name) + "' " + read.problem;
    const auto same = std::ranges::find(*mistakes, said, &Diagnostic::message);
    ASSERT_NE(same, mistakes->end()) << said << "\n" << mistakes->front().message;
    EXPECT_EQ(same->hint, read.hint);
    ++count;
  });
  EXPECT_GT(count, 30U);
}

TEST(SetText, KnowsNoOtherKeys) {
  EXPECT_FALSE(find_setting("left"));
  EXPECT_FALSE(find_setting("crop"));
  EXPECT_FALSE(find_setting(""));
}

}  // namespace
}  // namespace mezzo::test::set_text_test
