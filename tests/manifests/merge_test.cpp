// How the settings of an entry are merged over the defaults. The inputs are made, because only a
// resolved job shows its settings.
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/halftoner.h"
#include "kernels/registry.h"
#include "manifests/plate_settings.h"
#include "tests/manifests/manifest_support.h"

namespace mezzo::test::merge_test {
namespace {

using Parameters = std::map<std::string, double, std::less<>>;

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
      "  output: {compression: lzw, existing: refuse, verify: bytes}\n"
      "  halftone: {engine: cpu}\n"
      "  extra_channels: ignore\n"
      "pages:\n"
      "  - a.tif\n"
      "  - {input: b.tif, tone: {gamma: 1.5}, output: {compression: g4, verify: recompute}, "
      "extra_channels: refuse}\n"
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
  EXPECT_EQ(settings[0].output.verify, tiff::VerifyLevel::kBytes);
  EXPECT_EQ(settings[1].output.verify, tiff::VerifyLevel::kRecompute);
  EXPECT_EQ(settings[2].output.verify, tiff::VerifyLevel::kBytes);
  EXPECT_EQ(settings[0].extra_channels, "ignore");
  EXPECT_EQ(settings[1].extra_channels, "refuse");
  for (const manifests::PageSettings& page : settings) {
    EXPECT_FALSE(page.output.replace);
    EXPECT_FALSE(page.output.replace_any);
    EXPECT_EQ(page.halftone.engine, Engine::kCpu);
  }
}

TEST(Merge, PutsInksOverPagesAndPagesOverDefaults) {
  const auto settings = settings_of(
      "defaults:\n"
      "  halftone: {method: threshold, level: 40%}\n"
      "  tone: {gamma: 2}\n"
      "  inks:\n"
      "    Black: {halftone: {level: 60%}, protect: both, output: {path: 'k/{stem}.tif'}}\n"
      "    cyan: {halftone: {method: bayer, order: 2}, tone: {invert: true}, label: C}\n"
      "pages:\n"
      "  - a.tif\n"
      "  - {input: b.tif, halftone: {level: 10%}, protect: none, inks: {K: {tone: {gamma: 3}}}}\n"
      "  - {input: c.tif, halftone: {method: random}, inks: {CYAN: {halftone: {order: 4}}}}\n");
  ASSERT_EQ(settings.size(), 3U);
  const auto black = [&](size_t i) { return manifests::plate_settings(settings[i], "schwarz"); };
  const auto cyan = [&](size_t i) { return manifests::plate_settings(settings[i], "cyan"); };
  EXPECT_EQ(black(0).halftone,
            (HalftoneSettings{.method = "threshold", .parameters = {{"level", 60}}}));
  EXPECT_EQ(black(0).tone.gamma, 2);
  EXPECT_EQ(black(0).protect, (prepress::Protect{true, true}));
  EXPECT_TRUE(black(0).path.ends_with("/k/a.tif")) << black(0).path;
  EXPECT_TRUE(cyan(0).path.ends_with("/plates/a_{ink}.tif")) << cyan(0).path;
  EXPECT_EQ(cyan(0).label, "C");
  EXPECT_EQ(cyan(0).tone, (ToneSettings{.invert = true, .gamma = 2}));
  EXPECT_EQ(black(1).halftone.parameters.at("level"), 60);
  EXPECT_EQ(black(1).tone.gamma, 3);
  EXPECT_EQ(black(1).protect, (prepress::Protect{true, true}));
  EXPECT_EQ(manifests::plate_settings(settings[1], "magenta").halftone.parameters.at("level"), 10);
  EXPECT_EQ(black(2).halftone, (HalftoneSettings{.method = "random"}));
  EXPECT_EQ(cyan(2).halftone, (HalftoneSettings{.method = "bayer", .parameters = {{"order", 4}}}));
}

TEST(Merge, RunsInksOnTheEngineOfTheirPageWhereTheyCan) {
  manifests::PageSettings page;
  page.halftone.engine = Engine::kGpu;
  page.inks = {
      {.ink = "cyan", .label = {}, .halftone = {.method = "bayer"}},
      {.ink = "black", .label = {}, .halftone = {.method = "threshold", .engine = Engine::kCpu}},
      {.ink = "gold", .label = {}, .halftone = {.method = {}, .schedule = "wavefront"}}};
  for (const char* ink : {"cyan", "black", "gold", "magenta"}) {
    const HalftoneSettings halftone = manifests::plate_settings(page, ink).halftone;
    const MethodInfo& method = *find_method(halftone.method);
    const bool can = std::ranges::any_of(method.schedules, [&](const ScheduleInfo& schedule) {
      return schedule.engine == halftone.engine || halftone.engine == Engine::kAutomatic;
    });
    EXPECT_TRUE(can) << ink << " " << to_string(halftone.engine);
  }
  EXPECT_EQ(manifests::plate_settings(page, "black").halftone.engine, Engine::kCpu);
}

/// A tile of a.tif and so on, whose folder is gone.
std::string tile_name(const HalftoneSettings& halftone) {
  return halftone.tile.path.empty() ? "none"
                                    : halftone.tile.path.substr(halftone.tile.path.rfind('/') + 1);
}

TEST(Merge, DropsTheShiftWithItsTileAndTheTileWithItsMethod) {
  const auto settings = settings_of(
      "defaults:\n"
      "  halftone: {method: tile, file: a.tif, shift: 3, values: ranks}\n"
      "  inks:\n"
      "    cyan: {halftone: {file: b.tif}}\n"
      "    magenta: {halftone: {shift: 7}}\n"
      "    yellow: {halftone: {shift: 2, file: c.tif}}\n"
      "pages:\n"
      "  - a.tif\n"
      "  - {input: b.tif, halftone: {file: d.tif}}\n"
      "  - {input: c.tif, halftone: {method: bayer}}\n"
      "  - {input: d.tif, inks: {cyan: {halftone: {method: bayer}}}}\n");
  ASSERT_EQ(settings.size(), 4U);
  const auto check =
      [&](size_t page, const char* ink, const char* file, const Parameters& expected) {
        const HalftoneSettings halftone = manifests::plate_settings(settings[page], ink).halftone;
        EXPECT_EQ(tile_name(halftone), file) << page << " " << ink;
        EXPECT_EQ(halftone.parameters, expected) << page << " " << ink;
      };
  check(0, "black", "a.tif", {{"shift", 3}, {"values", 1}});
  check(0, "cyan", "b.tif", {{"values", 1}});
  check(0, "magenta", "a.tif", {{"shift", 7}, {"values", 1}});
  check(0, "yellow", "c.tif", {{"shift", 2}, {"values", 1}});
  check(1, "black", "d.tif", {{"values", 1}});
  check(1, "cyan", "b.tif", {{"values", 1}});
  check(1, "magenta", "d.tif", {{"shift", 7}, {"values", 1}});
  check(2, "black", "none", {});
  check(2, "cyan", "none", {});
  check(3, "cyan", "none", {});
  check(3, "black", "a.tif", {{"shift", 3}, {"values", 1}});
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
    EXPECT_NE(make_halftoner(complete(page.halftone)).halftoner, nullptr) << page.halftone.method;
  }
}

}  // namespace
}  // namespace mezzo::test::merge_test
