#include "pipeline/plan/provenance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "tests/support/every_setting.h"

namespace mezzo::test::provenance_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

plan::SheetPlan sheet_of(const manifests::PageSettings& settings) {
  plan::SheetPlan sheet;
  sheet.input = "in/a.tif";
  sheet.settings = settings;
  sheet.pages = {0};
  sheet.plates = {{"black", "a_black.tif"}};
  return sheet;
}

std::string text_of(const manifests::PageSettings& settings) {
  return plan::provenance_text(sheet_of(settings), 0, "black", "0123");
}

TEST(Provenance, NamesWhatTheChainOfThePageDoes) {
  EXPECT_EQ(text_of({}),
            "method=floyd-steinberg; tone=identity; ink=black; input=a.tif; page=1; "
            "samples-xxh3=0123");
  manifests::PageSettings settings;
  settings.geometry = {.crop = manifests::Crop{1, 2'500, 210'000, 99'999'999},
                       .trim = {3'000, 0, 120, 70},
                       .rotate_degrees = 270,
                       .copies = {3, 1000, 1'000'000}};
  settings.extra_channels = "inks";
  settings.spot_polarity = "paper";
  settings.inks = {{.ink = "varnish", .label = {}, .is_dropped = true}};
  settings.output.resolution_dpi = 2400;
  settings.assumed_dpi = 300;
  plan::SheetPlan sheet = sheet_of(settings);
  sheet.linework.push_back({.settings = {"work/type.tif", "black", {}, "4567"}});
  EXPECT_THAT(plan::provenance_text(sheet, 0, "black", "0123"),
              HasSubstr("; page=1; crop=0.001 mm 2.5 mm 210 mm 99999.999 mm; "
                        "trim=3 mm 0 mm 0.12 mm 0.07 mm; rotate=270; copies=3x1000 gap 1000 mm; "
                        "spots=paper; inks=\"varnish\" dropped; resolution=2400; scale=auto; "
                        "assume_resolution=300; linework=\"type.tif\"; linework_ink=\"black\"; "
                        "linework_overprint=true; linework-xxh3=4567; samples-xxh3=0123"));
}

TEST(Provenance, NamesTheTileAndTheDigestOfItsValues) {
  manifests::PageSettings settings;
  settings.halftone = {.method = "tile",
                       .parameters = {{"shift", 3}},
                       .tile = {.path = "/screens/ho;use.tif", .digest = "89ab"}};
  EXPECT_THAT(text_of(settings),
              HasSubstr("method=tile; shift=3; values=thresholds; file=\"ho\\x3buse.tif\"; "
                        "file-xxh3=89ab; tone=identity; "));
  EXPECT_THAT(plan::settings_text(sheet_of(settings), "black"), HasSubstr("\nfile=89ab\n"));
  manifests::PageSettings other = settings;
  other.halftone.tile.digest = "89ac";
  EXPECT_NE(plan::settings_text(sheet_of(settings), "black"),
            plan::settings_text(sheet_of(other), "black"));
  other = settings;
  other.halftone.tile.path = "/elsewhere/house.tif";
  EXPECT_EQ(plan::settings_text(sheet_of(settings), "black"),
            plan::settings_text(sheet_of(other), "black"))
      << "the same values give the same plates";
  settings.inks = {{.ink = "black",
                    .label = {},
                    .halftone = {.method = {}, .tile = {.path = "k.tif", .digest = "cdef"}}}};
  EXPECT_THAT(text_of(settings), HasSubstr("file=\"k.tif\"; file-xxh3=cdef; "));
  const plan::SheetPlan sheet = sheet_of(settings);
  EXPECT_EQ(plan::ink_texts(sheet, sheet.plates[0]).at(0).second,
            "tile shift 0 values thresholds file k.tif");
}

/// Else a plate would be kept though its settings have changed.
TEST(SettingsText, DiffersWithEverySetting) {
  std::set<std::string> texts = {plan::settings_text(sheet_of(every_setting()), "black")};
  size_t count = 1;
  for (const manifests::PageSettings& settings : with_one_default()) {
    texts.insert(plan::settings_text(sheet_of(settings), "black"));
    EXPECT_EQ(texts.size(), ++count);
  }
}

/// A plate is made again when one of these changes.
TEST(Provenance, DiffersWithEveryLength) {
  const std::vector<manifests::Geometry> geometries = {
      {},
      {.crop = manifests::Crop{0, 0, 1, 1}},
      {.crop = manifests::Crop{1, 0, 1, 1}},
      {.crop = manifests::Crop{0, 1, 1, 1}},
      {.crop = manifests::Crop{0, 0, 2, 1}},
      {.crop = manifests::Crop{0, 0, 1, 2}},
      {.trim = {1, 0, 0, 0}},
      {.trim = {0, 1, 0, 0}},
      {.trim = {0, 0, 1, 0}},
      {.trim = {0, 0, 0, 1}},
      {.rotate_degrees = 90},
      {.rotate_degrees = 270},
      {.copies = {2, 1, 0}},
      {.copies = {1, 2, 0}},
      {.copies = {2, 1, 1}},
  };
  std::set<std::string> texts;
  for (const manifests::Geometry& geometry : geometries) {
    manifests::PageSettings settings;
    settings.geometry = geometry;
    texts.insert(plan::settings_text(sheet_of(settings), "black"));
  }
  EXPECT_EQ(texts.size(), geometries.size());
}

TEST(Provenance, NamesAnAssumedResolutionThatHasAnEffect) {
  manifests::PageSettings settings;
  settings.assumed_dpi = 300;
  EXPECT_THAT(text_of(settings), Not(HasSubstr("assume_resolution")));
  settings.geometry.copies = {2, 1, 1'000};
  EXPECT_THAT(text_of(settings), HasSubstr("; assume_resolution=300"));
}

}  // namespace
}  // namespace mezzo::test::provenance_test
