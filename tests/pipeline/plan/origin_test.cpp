// What a plate's tag says of its origin, written and read back.
#include "pipeline/plan/origin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "kernels/base/error.h"
#include "pipeline/plan/linework.h"
#include "pipeline/plan/mapping_text.h"
#include "pipeline/plan/provenance.h"

namespace mezzo::test::origin_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::string_view kDigest = "0123456789abcdef";

plan::SheetPlan plain_sheet() {
  plan::SheetPlan sheet;
  sheet.input = "in/page.tif";
  sheet.settings.halftone.method = "floyd-steinberg";
  sheet.settings.extra_channels = "ignore";
  sheet.pages = {0, 4};
  return sheet;
}

/// A sheet with everything that a tag can say.
plan::SheetPlan full_sheet() {
  plan::SheetPlan sheet = plain_sheet();
  sheet.ink = "Orange; page=7";
  sheet.sha256 = std::string(64, 'a');
  manifests::PageSettings& settings = sheet.settings;
  settings.tone = {.invert = true, .gamma = 1.0 / 3, .points = {{0, 0}, {33.1, 50.25}, {100, 100}}};
  settings.protect = {true, true};
  settings.output.mirror = settings.output.negative = true;
  settings.output.resolution_dpi = 2400;
  settings.scale = "linear";
  settings.assumed_dpi = 300;
  settings.geometry = {.crop = manifests::Crop{0, 1, 20'000, 30'500},
                       .trim = {.left_um = 1000, .bottom_um = 2},
                       .rotate_degrees = 270,
                       .copies = {.across = 3, .down = 1000, .gap_um = 2500}};
  settings.ink_limit = {.percent = 287.5, .counts_spots = true, .only_checks = true};
  settings.extra_channels = "inks";
  settings.spot_polarity = "paper";
  settings.inks = {{.ink = "Orange; page=7",
                    .label = {},
                    .shares = {{"magenta", 100.0 / 3}, {"a \"b\" + \\c", 100}}},
                   {.ink = "Lack, \"x\" dropped", .label = {}, .is_dropped = true},
                   {.ink = "Gold", .label = {}, .plate = "Gelb\\x22"},
                   {.ink = "light cyan", .label = {}, .from = "cyan"}};
  settings.halftone.levels = LevelSettings{.drops = {0, 1.0 / 3, 100},
                                           .overlap_percent = 62.5,
                                           .format = LevelFormat::kPlanes,
                                           .bit = 1};
  sheet.linework.emplace_back().settings = {.file = "in/a; \"b\".tif",
                                            .ink = "PANTONE 185 C",
                                            .overprint = {},
                                            .xxh3 = std::string(32, 'b')};
  sheet.linework.push_back({.settings = {"in/c.tif", "black", {}, std::string(32, 'c')}});
  return sheet;
}

std::string line_of(const plan::SheetPlan& sheet, size_t page = 0) {
  return plan::provenance_text(sheet, page, "black", std::string(kDigest));
}

void expect_round_trip(const plan::SheetPlan& sheet) {
  const std::string line = line_of(sheet, 1);
  SCOPED_TRACE(line);
  const plan::Origin origin = plan::read_provenance(line);
  EXPECT_EQ(origin.input, "page.tif");
  EXPECT_EQ(origin.page, 5U);
  EXPECT_EQ(origin.ink, "black");
  EXPECT_EQ(origin.page_ink, sheet.settings.inks.empty() ? "" : sheet.ink);
  manifests::PageSettings expected = sheet.settings;
  EXPECT_EQ(origin.settings.halftone.levels, sheet.settings.halftone.levels);
  expected.halftone = origin.settings.halftone;  // nothing else of it is read
  EXPECT_EQ(origin.settings, expected);
  std::vector<manifests::Linework> all;
  for (const plan::LineworkPlan& one : sheet.linework) {
    manifests::Linework& linework = all.emplace_back(one.settings);
    linework.file = std::filesystem::path(linework.file).filename();
    linework.overprint = plan::overprints(linework);
  }
  EXPECT_EQ(origin.linework, all);
}

TEST(Origin, OfAPlainPlateIsReadBack) {
  expect_round_trip(plain_sheet());
}

TEST(Origin, OfAPlateWithAllSettingsIsReadBack) {
  expect_round_trip(full_sheet());
}

TEST(Origin, OfAPlateOfAPressTellsTheInksNameThere) {
  plan::SheetPlan sheet = full_sheet();
  sheet.settings.press = {"XL \"106\"; board", std::string(32, 'c'), {{"black"}, {"cyan"}}};
  EXPECT_THAT(line_of(sheet), HasSubstr("; press=\"XL \\x22106\\x22\\x3b board\"; press-xxh3=ccc"));
  EXPECT_FALSE(plan::read_provenance(line_of(sheet)).settings.press);
  sheet.settings.press->inks = {{"Deep; 7", {"black"}}, {"cyan"}};
  const plan::Origin origin = plan::read_provenance(line_of(sheet));
  EXPECT_TRUE(manifests::is_one_ink(origin.settings, "black", "Deep; 7"));
  EXPECT_TRUE(origin.settings.press->place_of("magenta"));
  EXPECT_NE(plan::settings_text(sheet, "black").find("press_ink=\"Deep"), std::string::npos);
}

TEST(Origin, OfAPlateWithANameOfItsOwnTellsTheInkOfThePress) {
  plan::SheetPlan sheet = full_sheet();
  sheet.settings.press = {"XL 106", std::string(32, 'c'), {{"black"}, {"cyan"}}};
  sheet.plates = {{.ink = "Deep", .path = {}, .page_ink = "black"}};
  const std::string line = plan::provenance_text(sheet, 0, "Deep", std::string(kDigest));
  EXPECT_THAT(line, HasSubstr("; press_ink=\"black\";"));
  EXPECT_TRUE(manifests::is_one_ink(plan::read_provenance(line).settings, "Deep", "black"));
  EXPECT_THAT(plan::settings_text(sheet, "Deep"), HasSubstr("\npress_ink=\"black\"\n"));
}

TEST(Origin, IsReadBackWithEachSettingLeftOut) {
  const std::vector<void (*)(plan::SheetPlan&)> changes = {
      [](plan::SheetPlan& sheet) { sheet.ink.clear(); },
      [](plan::SheetPlan& sheet) { sheet.sha256.reset(); },
      [](plan::SheetPlan& sheet) { sheet.linework.clear(); },
      [](plan::SheetPlan& sheet) { sheet.settings.tone.invert = false; },
      [](plan::SheetPlan& sheet) { sheet.settings.tone.gamma = 1; },
      [](plan::SheetPlan& sheet) { sheet.settings.tone.points.clear(); },
      [](plan::SheetPlan& sheet) {
        sheet.settings.protect = {false, true};
      },
      [](plan::SheetPlan& sheet) { sheet.settings.output.mirror = false; },
      [](plan::SheetPlan& sheet) { sheet.settings.output.negative = false; },
      [](plan::SheetPlan& sheet) { sheet.settings.assumed_dpi = 0; },
      [](plan::SheetPlan& sheet) { sheet.settings.inks.clear(); },
      [](plan::SheetPlan& sheet) { sheet.settings.geometry.crop.reset(); },
      [](plan::SheetPlan& sheet) { sheet.settings.geometry.trim = {}; },
      [](plan::SheetPlan& sheet) { sheet.settings.geometry.rotate_degrees = 0; },
      [](plan::SheetPlan& sheet) { sheet.settings.geometry.copies = {}; },
      [](plan::SheetPlan& sheet) {
        sheet.settings.geometry = {};
        sheet.settings.assumed_dpi = 0;
      },
      [](plan::SheetPlan& sheet) {
        sheet.settings.extra_channels = "ignore";
        sheet.settings.spot_polarity.clear();
      },
      [](plan::SheetPlan& sheet) {
        sheet.settings.output.resolution_dpi = 0;
        sheet.settings.scale = "auto";
      },
  };
  for (const auto& change : changes) {
    plan::SheetPlan sheet = full_sheet();
    change(sheet);
    expect_round_trip(sheet);
  }
}

std::string refusal(const std::string& line) {
  try {
    plan::read_provenance(line);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUnsupported);
    return error.what();
  }
  return "read";
}

TEST(Origin, OfALaterVersionIsRefusedByTheWordsThatAreNotKnown) {
  std::string line = line_of(full_sheet());
  EXPECT_EQ(refusal(line), "read");
  line.insert(line.find("; samples"), "; sharpen=2");
  EXPECT_THAT(refusal(line), HasSubstr("'sharpen=2'"));
}

TEST(Origin, IsNotGuessed) {
  const std::string line = line_of(full_sheet());
  for (size_t end = 0; end < line.rfind("; samples"); ++end) {
    ASSERT_NE(refusal(line.substr(0, end)), "read") << line.substr(0, end);
  }
  for (const auto& [words, others] :
       std::vector<std::pair<std::string, std::string>>{{"resolution=2400", "resolution=24e2"},
                                                        {"scale=linear", "scale=sinc"},
                                                        {"resolution=2400; ", ""},
                                                        {"; scale=linear", ""},
                                                        {"crop=0 mm", "crop=0 in"},
                                                        {"30.5 mm;", "30.5 mm 1 mm;"},
                                                        {"rotate=270", "rotate=45"},
                                                        {"copies=3x1000", "copies=3"},
                                                        {"copies=3x1000", "copies=0x1000"},
                                                        {" gap 2.5 mm", " gap 2.5"},
                                                        {"spots=paper", "spots=white"},
                                                        {"protect=both", "protect=all"},
                                                        {"gamma", "beta"},
                                                        {"33.1:50.25", "33.1"},
                                                        {"\" dropped", "\" drop"},
                                                        {"overprint=false", "overprint=0"},
                                                        {"; output=mirrored", "; output=turned"},
                                                        {"; page=5", "; page=5; page=6"}}) {
    std::string other = line_of(full_sheet(), 1);
    ASSERT_NE(other.find(words), std::string::npos) << words;
    other.replace(other.find(words), words.size(), others);
    EXPECT_NE(refusal(other), "read") << other;
  }
}

TEST(Origin, IsOfSettingsThatAManifestCanHave) {
  for (const auto& [words, others, shown] :
       std::vector<std::tuple<std::string, std::string, std::string>>{
           {"33.1:50.25", "33.1:nan", "curve 0:0 33.1:nan 100:100'"},
           {" curve 0:0 33.1:50.25 100:100", " curve", "'invert gamma 0.3333333333333333 curve'"},
           {"0:0 33.1:50.25 100:100", "50:50", "curve 50:50'"},
           {"0:0 33.1", "1:0 33.1", "curve 1:0 33.1:50.25"},
           {"33.1:50.25", "33.1:101", "33.1:101"},
           {"33.1:50.25", "100:50.25", "100:50.25"},
           {"gamma 0.3333333333333333", "gamma nan", "'invert gamma nan"},
           {"gamma 0.3333333333333333", "gamma 0", "'invert gamma 0 curve"},
           {"gamma 0.3333333333333333", "gamma 10.5", "'invert gamma 10.5"},
           {"page=5", "page=0", "'0'"},
           {"page=5", "page=4097", "'4097'"},
           {"resolution=2400", "resolution=9", "'9'"},
           {"resolution=2400", "resolution=10001", "'10001'"},
           {"assume_resolution=300", "assume_resolution=0", "'0'"},
           {"assume_resolution=300", "assume_resolution=4294967295", "'4294967295'"},
           {"gap 2.5 mm", "gap 1000.001 mm", "'3x1000 gap 1000.001 mm'"},
           {"3x1000", "3x1001", "'1001'"},
           {"33.333333333333336 %", "nan %", "'nan % + "},
           {"33.333333333333336 %", "inf %", "'inf % + "},
           {"33.333333333333336 %", "-5 %", "'-5 % + "},
           {"33.333333333333336 %", "100.5 %", "'100.5 % + "}}) {
    std::string other = line_of(full_sheet(), 1);
    ASSERT_NE(other.find(words), std::string::npos) << words;
    other.replace(other.find(words), words.size(), others);
    EXPECT_THAT(refusal(other), HasSubstr(shown)) << other;
  }
}

TEST(Origin, CannotBeForgedByNames) {
  for (const std::string name : {"a.tif; page=2; output=mirrored; samples-xxh3=0; page=9",
                                 "; ",
                                 "a;",
                                 "\"",
                                 "\"a\"",
                                 "a\\x22; \"b\"; "}) {
    plan::SheetPlan sheet = plain_sheet();
    sheet.input = "in/" + name;
    const std::string line = plan::provenance_text(sheet, 0, name, "0");
    ASSERT_EQ(refusal(line), "read") << line;
    const plan::Origin origin = plan::read_provenance(line);
    EXPECT_EQ(origin.input, name);
    EXPECT_EQ(origin.ink, name);
    EXPECT_EQ(origin.page, 1U);
    EXPECT_FALSE(origin.settings.output.mirror);
    EXPECT_EQ(plan::sample_hash_of(line), "0");
  }
  const std::string earlier =
      "; ink=k; input=a.tif; page=2; output=mirrored; page=9; samples-xxh3=0";
  EXPECT_THAT(refusal("method=threshold; tone=identity" + earlier), HasSubstr("'page=9'"));
}

TEST(Origin, IsOfNamesThatMessagesCanShow) {
  for (const std::string words :
       {"PANTONE 185 C", "Orange\\x3b page=7", "magenta", "Gelb", "Gold"}) {
    std::string other = line_of(full_sheet());
    other.insert(other.find(words), "\x1b[31m");
    EXPECT_THAT(refusal(other), AllOf(HasSubstr("cannot read "), Not(HasSubstr("\x1b")))) << words;
  }
  const std::string line = line_of(plain_sheet());
  const auto with = [&](const std::string& words) {
    return std::string(line).insert(line.find("; samples"), "; " + words);
  };
  EXPECT_EQ(refusal(with("\x1b]0;x\a")), "cannot read '?]0;x?'");
  EXPECT_EQ(refusal(with(std::string(3'000'000, 'A'))),
            "cannot read '" + std::string(60, 'A') + "...'");
}

TEST(Origin, NamesLineworkWithoutFolders) {
  for (const std::string file : {"/etc/passwd", "../a.tif", "in/a.tif", ""}) {
    std::string line = line_of(full_sheet());
    const std::string words = R"("a\x3b \x22b\x22.tif")";
    ASSERT_NE(line.find(words), std::string::npos);
    line.replace(line.find(words), words.size(), '"' + file + '"');
    EXPECT_EQ(refusal(line), "cannot read '\"" + file + "\"'");
  }
}

TEST(Origin, LeavesNamesAsTheyAreThatCannotBeTakenForMore) {
  plan::SheetPlan sheet = plain_sheet();
  sheet.input = "in/a;b \"c\" \\d.tif";
  const std::string line = plan::provenance_text(sheet, 0, "Spot; \"1\"", "0");
  EXPECT_THAT(line,
              HasSubstr("; ink=\"Spot\\x3b \\x221\\x22\"; input=a;b \"c\" \\d.tif; page=1; "));
}

TEST(MappingText, NamesStandInQuotes) {
  EXPECT_EQ(
      plan::mapping_text(full_sheet().settings),
      R"("Orange\x3b page=7" with "magenta" 33.333333333333336 % + "a \x22b\x22 + \x5cc" 100 %,)"
      R"( "Lack, \x22x\x22 dropped" dropped, "Gold" as "Gelb\x5cx22", "light cyan" from "cyan")");
}

TEST(Origin, PassesOverTheTileOfTheMethod) {
  plan::SheetPlan sheet;
  sheet.input = "in/a.tif";
  sheet.pages = {0};
  sheet.plates = {{"black", "a_black.tif"}};
  sheet.settings.halftone = {.method = "tile",
                             .tile = {.path = "/x; tone=y; ink=z.tif", .digest = "89ab"}};
  const plan::Origin origin =
      plan::read_provenance(plan::provenance_text(sheet, 0, "black", "0123"));
  EXPECT_EQ(origin.input, "a.tif");
  EXPECT_EQ(origin.ink, "black");
  EXPECT_EQ(origin.settings.tone, ToneSettings());
}

}  // namespace
}  // namespace mezzo::test::origin_test
