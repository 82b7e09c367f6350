// How the settings of an entry are merged over the defaults. The inputs are made, because only a
// resolved job shows its settings.
#include <gtest/gtest.h>

#include "kernels/halftoner.h"
#include "kernels/registry.h"
#include "tests/manifests/manifest_support.h"

namespace mezzo::test {
namespace {

/// The settings of the pages of a manifest whose inputs are a.tif, b.tif and so on.
std::vector<manifests::PageSettings> settings_of(const std::string& text) {
  const TempFolder folder;
  for (const char* name : {"a.tif", "b.tif", "c.tif", "d.tif"}) folder.write(name);
  const auto job = job_of("mezzotint: 1\njob: x\n" + text, folder);
  std::vector<manifests::PageSettings> settings;
  for (const manifests::JobPage& page : job.pages) settings.push_back(page.settings);
  return settings;
}

TEST(Merge, LeavesTheBuiltInDefaults) {
  const auto settings = settings_of("pages: [a.tif]\n");
  ASSERT_EQ(settings.size(), 1U);
  manifests::PageSettings expected;
  expected.output.path = settings[0].output.path;
  EXPECT_EQ(settings[0], expected);
}

TEST(Merge, TakesARectangleOrMarginsAsAWhole) {
  const auto settings = settings_of(
      "defaults:\n"
      "  crop: {left: 5 mm, top: 6 mm, width: 50 mm, height: 60 mm}\n"
      "  trim: 3 mm\n"
      "  rotate: 90\n"
      "  copies: {across: 2, down: 3, gap: 1.5 mm}\n"
      "pages:\n"
      "  - a.tif\n"
      "  - {input: b.tif, crop: {width: 10 mm, height: 20 mm}, trim: {top: 4 mm}, rotate: 0}\n"
      "  - {input: c.tif, copies: {down: 4}, trim: 0 mm}\n");
  ASSERT_EQ(settings.size(), 3U);
  const manifests::Geometry common{.crop = manifests::Crop{5'000, 6'000, 50'000, 60'000},
                                   .trim = {3'000, 3'000, 3'000, 3'000},
                                   .rotate_degrees = 90,
                                   .copies = {2, 3, 1'500}};
  EXPECT_EQ(settings[0].geometry, common);
  manifests::Geometry own = common;
  own.crop = manifests::Crop{0, 0, 10'000, 20'000};
  own.trim = {0, 4'000, 0, 0};
  own.rotate_degrees = 0;
  EXPECT_EQ(settings[1].geometry, own);
  own = common;
  own.trim = {};
  own.copies = {1, 4, 0};
  EXPECT_EQ(settings[2].geometry, own);
}

TEST(Merge, GoesKeyByKey) {
  const auto settings = settings_of(
      "defaults:\n"
      "  tone: {gamma: 2, invert: true, curve: [[0%, 0%], [100%, 90%]]}\n"
      "  output: {compression: lzw, existing: refuse}\n"
      "  halftone: {engine: cpu}\n"
      "  extra_channels: ignore\n"
      "pages:\n"
      "  - a.tif\n"
      "  - {input: b.tif, tone: {gamma: 1.5}, output: {compression: g4}, extra_channels: refuse}\n"
      "  - {input: c.tif, tone: {invert: false, curve: [[0%, 5%], [50%, 60%], [100%, 100%]]}}\n");
  ASSERT_EQ(settings.size(), 3U);
  EXPECT_EQ(settings[0].tone,
            (ToneSettings{.invert = true, .gamma = 2, .points = {{0, 0}, {100, 90}}}));
  EXPECT_EQ(settings[1].tone,
            (ToneSettings{.invert = true, .gamma = 1.5, .points = {{0, 0}, {100, 90}}}));
  EXPECT_EQ(settings[2].tone,
            (ToneSettings{.invert = false, .gamma = 2, .points = {{0, 5}, {50, 60}, {100, 100}}}));
  EXPECT_EQ(settings[0].output.compression, "lzw");
  EXPECT_EQ(settings[1].output.compression, "g4");
  EXPECT_EQ(settings[2].output.compression, "lzw");
  EXPECT_EQ(settings[0].extra_channels, "ignore");
  EXPECT_EQ(settings[1].extra_channels, "refuse");
  for (const manifests::PageSettings& page : settings) {
    EXPECT_FALSE(page.output.replace);
    EXPECT_EQ(page.halftone.engine, Engine::kCpu);
  }
}

TEST(Merge, KeepsParametersOfTheSameMethod) {
  const auto settings = settings_of(
      "defaults:\n"
      "  halftone: {method: threshold, level: 40%, schedule: rows}\n"
      "pages:\n"
      "  - {input: a.tif, halftone: {method: threshold, engine: cpu}}\n"
      "  - {input: b.tif, halftone: {level: 12.5}}\n");
  ASSERT_EQ(settings.size(), 2U);
  EXPECT_EQ(settings[0].halftone,
            (HalftoneSettings{"threshold", Engine::kCpu, "rows", {{"level", 40}}}));
  EXPECT_EQ(settings[1].halftone,
            (HalftoneSettings{"threshold", Engine::kAutomatic, "rows", {{"level", 12.5}}}));
}

TEST(Merge, DropsParametersAndScheduleWithTheMethod) {
  const auto settings = settings_of(
      "defaults:\n"
      "  halftone: {method: threshold, level: 40%, schedule: rows, engine: cpu}\n"
      "pages:\n"
      "  - {input: a.tif, halftone: {method: floyd-steinberg}}\n"
      "  - {input: b.tif, halftone: {order: 2, method: bayer}}\n"
      "  - {input: c.tif, halftone: {schedule: ed, method: floyd-steinberg}}\n"
      "  - d.tif\n");
  ASSERT_EQ(settings.size(), 4U);
  EXPECT_EQ(settings[0].halftone, (HalftoneSettings{"floyd-steinberg", Engine::kCpu, "", {}}));
  EXPECT_EQ(settings[1].halftone, (HalftoneSettings{"bayer", Engine::kCpu, "", {{"order", 2}}}));
  EXPECT_EQ(settings[2].halftone, (HalftoneSettings{"floyd-steinberg", Engine::kCpu, "ed", {}}));
  EXPECT_EQ(settings[3].halftone,
            (HalftoneSettings{"threshold", Engine::kCpu, "rows", {{"level", 40}}}));
}

TEST(Merge, TurnsTheNamesOfChoicesIntoNumbers) {
  const auto settings = settings_of(
      "defaults:\n"
      "  halftone: {method: pinwheel, path: serpentine}\n"
      "pages:\n"
      "  - a.tif\n"
      "  - {input: b.tif, halftone: {path: \"spiral\", weights: fs}}\n");
  ASSERT_EQ(settings.size(), 2U);
  EXPECT_EQ(settings[0].halftone,
            (HalftoneSettings{"pinwheel", Engine::kAutomatic, "", {{"path", 1}}}));
  EXPECT_EQ(settings[1].halftone,
            (HalftoneSettings{"pinwheel", Engine::kAutomatic, "", {{"path", 0}, {"weights", 0}}}));
}

TEST(Merge, GivesSettingsThatEveryMethodTakes) {
  for (const manifests::PageSettings& page :
       settings_of("pages:\n"
                   "  - {input: a.tif, halftone: {method: bayer}}\n"
                   "  - {input: b.tif, halftone: {method: threshold}}\n"
                   "  - c.tif\n")) {
    EXPECT_NE(make_halftoner(page.halftone).halftoner, nullptr) << page.halftone.method;
  }
}

}  // namespace
}  // namespace mezzo::test
