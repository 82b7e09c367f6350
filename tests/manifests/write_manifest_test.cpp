// What is written is read again as the same settings and the same files.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "kernels/base/error.h"
#include "kernels/registry.h"
#include "manifests/draft.h"
#include "manifests/folder.h"
#include "manifests/job_name.h"
#include "tests/manifests/manifest_support.h"
#include "tests/support/every_setting.h"

namespace mezzo::test::write_manifest_test {
namespace {

using Pages = std::vector<manifests::WrittenPage>;

/// The draft that a written manifest is read as.
manifests::JobDraftPtr written(const manifests::PageSettings& settings,
                               const manifests::JobLimits& limits = {},
                               const Pages& pages = {{"a.tif"}}) {
  const std::string text = manifests::write_manifest("x", limits, settings, pages);
  auto parsed = manifests::parse_manifest(text, "m.yaml");
  if (auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed)) {
    ADD_FAILURE() << messages(*wrong) << text;
    return nullptr;
  }
  return std::move(std::get<manifests::JobDraftPtr>(parsed));
}

bool is_valid(const HalftoneSettings& halftone) {
  try {
    with_defaults(halftone);
  } catch (const Error&) {
    return false;
  }
  return true;
}

TEST(WriteManifest, KeepsEveryMethodScheduleAndParameter) {
  std::mt19937_64 random(20260801);
  std::uniform_real_distribution<double> share(0, 1);
  size_t cases = 0;
  const auto expect_kept = [&](const HalftoneSettings& halftone) {
    if (!is_valid(halftone)) return;  // values that do not fit each other
    manifests::PageSettings settings;
    settings.halftone = halftone;
    const manifests::JobDraftPtr draft = written(settings);
    ASSERT_NE(draft, nullptr);
    EXPECT_EQ(draft->pages.front().settings, settings);
    ++cases;
  };
  for (const MethodInfo& method : methods()) {
    const HalftoneSettings plain{.method = std::string(method.name),
                                 .tile = {.path = method.takes_tile ? "a \"b\": #1.tif" : ""}};
    HalftoneSettings halftone = plain;
    const size_t before = cases;
    expect_kept(halftone);
    for (const EngineInfo& engine : engines()) {
      halftone.engine = engine.engine;
      expect_kept(halftone);
    }
    for (const ScheduleInfo& schedule : method.schedules) {
      halftone.schedule = schedule.name;
      halftone.engine = schedule.engine;
      expect_kept(halftone);
    }
    halftone = plain;
    EXPECT_GT(cases, before) << method.name;
    for (const ParameterInfo& parameter : method.parameters) {
      const size_t before_parameter = cases;
      std::vector<double> values = {parameter.minimum, parameter.maximum, parameter.default_value};
      for (int i = 0; i < 5; ++i) {
        const double value =
            parameter.minimum + share(random) * (parameter.maximum - parameter.minimum);
        values.push_back(parameter.integer ? std::round(value) : value);
      }
      for (const double value : values) {
        HalftoneSettings one = halftone;
        one.parameters[std::string(parameter.name)] = value;
        expect_kept(one);
      }
      EXPECT_GT(cases, before_parameter) << method.name << " " << parameter.name;
    }
  }
  EXPECT_GT(cases, 100U);
}

TEST(WriteManifest, KeepsToneOutputAndLimits) {
  manifests::PageSettings settings;
  settings.tone = {
      .invert = true, .gamma = 1.0 / 3, .points = {{0, 1e-7}, {33.3, 50.1}, {100, 100}}};
  settings.output = {.path = "out \"x\" #1/{stem}: {ink}.tif",
                     .compression = "g4",
                     .replace = false,
                     .mirror = true,
                     .negative = true,
                     .resolution_dpi = 2540};
  settings.extra_channels = "inks";
  settings.spot_polarity = "paper";
  settings.scale = "linear";
  settings.protect = {true, false};
  settings.assumed_dpi = 72;
  settings.geometry = {.crop = manifests::Crop{1, 2'500, 210'000, 99'999'999},
                       .trim = {3'000, 0, 120, 70},
                       .rotate_degrees = 270,
                       .copies = {3, 1000, 1'000'000}};
  settings.inks = {
      {.ink = "PANTONE \"185\" C",
       .label = "P: #185",
       .halftone = {.method = "threshold", .parameters = {{"level", 0.5}}},
       .over = {{"tone.invert", true},
                {"tone.gamma", 1.0 / 3},
                {"tone.curve", std::vector<CurvePoint>{{0, 1e-7}, {100, 90}}},
                {"protect", "solid"},
                {"output.path", "spots/{label}.tif"},
                {"output.compression", "none"}}},
      {.ink = "varnish", .label = {}, .is_dropped = true},
      {.ink = "red", .label = "R", .plate = "PANTONE 185 C"},
      {.ink = "marks", .label = {}, .shares = {{"all", 100}}},
      {.ink = "green", .label = {}, .shares = {{"cyan", 100}, {"yellow", 0.25}}},
      {.ink = "true", .label = "C", .halftone = {.method = {}, .engine = Engine::kCpu}}};
  const manifests::JobLimits limits = {
      .memory_bytes = (1ULL << 40) + 1, .device_memory_bytes = (1ULL << 33) + 7, .threads = 1024};
  const manifests::JobDraftPtr draft = written(settings, limits);
  ASSERT_NE(draft, nullptr);
  EXPECT_EQ(draft->pages.front().settings, settings);
  EXPECT_EQ(draft->limits, limits);
  const manifests::JobDraftPtr usual = written({});
  ASSERT_NE(usual, nullptr);
  EXPECT_EQ(usual->pages.front().settings, manifests::PageSettings());
  EXPECT_EQ(usual->limits, manifests::JobLimits());
}

TEST(WriteManifest, KeepsEverySetting) {
  manifests::PageSettings settings = every_setting();
  settings.press.reset();
  const manifests::JobDraftPtr draft = written(settings);
  ASSERT_NE(draft, nullptr);
  EXPECT_EQ(draft->pages.front().settings, settings);
}

// Its digest tells whether a hot folder has done a job already. MEZZOTINT_UPDATE=1 writes the file anew.
TEST(WriteManifest, WritesEverySettingAsItAlwaysDid) {
  manifests::PageSettings settings = every_setting();
  settings.press.reset();
  const std::string text = manifests::write_manifest("every", {}, settings, {{"a.tif"}});
  const std::string path = source_folder() + "/tests/manifests/settings/every_setting.yaml";
  if (std::getenv("MEZZOTINT_UPDATE") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ifstream file(path, std::ios::binary);
  EXPECT_EQ(text, std::string(std::istreambuf_iterator<char>(file), {}));
}

TEST(WriteManifest, NamesFilesLetterForLetter) {
  const TempFolder folder;
  Pages pages;
  for (const char* name : {"a.tif",
                           "scan[1].tif",
                           "scan1.tif",
                           "*.tif",
                           "?.tif",
                           "\"q\" 'r'.tif",
                           "back\\slash.tif",
                           "\\*.tif",
                           "# no comment.tif",
                           "a: b.tif",
                           "true",
                           "007",
                           "~",
                           "- x.tif",
                           "{stem}.tif",
                           "Weiß ✓.tif",
                           " spaces .tif",
                           "x.tif.part",
                           "&a.tif",
                           "!b.tif",
                           "%c.tif",
                           "@d.tif",
                           "null"}) {
    folder.write(name);
    pages.push_back({name});
  }
  pages[1].sha256 = std::string(64, 'a');
  pages[2].sha256 = std::string(64, 'b');
  pages[3].ink = "Weiß \"1\"";
  pages[4].ink = "cyan";
  manifests::PageSettings settings;
  settings.output.path = "p/{stem}_{ink}.tif";
  const auto draft = written(settings, {}, pages);
  ASSERT_NE(draft, nullptr);
  const auto job = manifests::resolve(*draft, folder.path(), folder / "out");
  // 'true', '007', '~' and 'null' have stems of their own; nothing else collides.
  ASSERT_EQ(job.index(), 0U) << messages(std::get<1>(job));
  const auto& found = std::get<manifests::Job>(job).pages;
  ASSERT_EQ(found.size(), pages.size());
  for (size_t i = 0; i < pages.size(); ++i) {
    EXPECT_EQ(found[i].input, folder / pages[i].input);
    EXPECT_EQ(found[i].sha256, pages[i].sha256);
    EXPECT_EQ(found[i].ink, pages[i].ink);
  }
  std::filesystem::remove(folder / "scan[1].tif");
  const auto missing = manifests::resolve(*draft, folder.path(), folder / "out");
  ASSERT_EQ(missing.index(), 1U) << "scan1.tif must not stand in for scan[1].tif";
  EXPECT_EQ(std::get<1>(missing).front().message, "input 'scan[1].tif' does not exist");
}

TEST(WriteManifest, IsRefusedWhenItIsCutOff) {
  const std::string text =
      manifests::write_manifest("x", {}, {}, {{"a.tif"}, {"b[1].tif"}, {"c.tif"}});
  for (size_t length = 0; length + 1 < text.size(); ++length) {
    EXPECT_EQ(manifests::parse_manifest(text.substr(0, length), "m.yaml").index(), 1U) << length;
  }
  EXPECT_EQ(manifests::parse_manifest(text, "m.yaml").index(), 0U);
}

TEST(WriteManifest, SaysWhatNoManifestCanHold) {
  const auto failure = [](const manifests::PageSettings& settings, const Pages& pages) {
    try {
      manifests::write_manifest("x", {}, settings, pages);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData);
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(failure({}, {{"a.tif"}}), "none");
  EXPECT_EQ(failure({}, Pages(5'000, {"a.tif"})), "none");
  EXPECT_NE(failure({}, Pages(5'001, {"a.tif"})), "none");
  EXPECT_NE(failure({}, {}), "none");
  EXPECT_NE(failure({}, {{"a\nb.tif"}}), "none");
  EXPECT_NE(failure({}, {{"latin\xFC.tif"}}), "none");
  EXPECT_NE(failure({}, {{""}}), "none");
  manifests::PageSettings steep, outside;
  steep.tone.gamma = 11;
  EXPECT_NE(failure(steep, {{"a.tif"}}), "none");
  outside.output.path = "../x.tif";
  EXPECT_EQ(failure(outside, {{"a.tif"}}),
            "no manifest can be written for the job 'x': 'path' must stay below the manifest's "
            "folder, found a '..' in it");
}

TEST(JobName, IsMadeOfAnyText) {
  const std::pair<const char*, const char*> cases[] = {
      {"Night 7", "Night 7"},
      {"a_b-c.d", "a_b-c.d"},
      {"scan[1]", "scan_1_"},
      {"a/b\\c:d", "a_b_c_d"},
      {"..x", "x"},
      {" x ", "x"},
      {"Weiß", "Weiß"},
      {"\xFFx\xFFy", "x_y"},
      {"a\nb", "a_b"},
      {"a\xE2\x80\xAE"
       "b",
       "a_b"},
      {"", "job"},
      {"***", "job"},
  };
  for (const auto& [text, name] : cases) {
    EXPECT_EQ(manifests::as_job_name(text), name) << text;
    EXPECT_FALSE(manifests::check_job_name(manifests::as_job_name(text))) << text;
  }
  EXPECT_EQ(manifests::as_job_name(std::string(300, 'x')), std::string(100, 'x'));
  EXPECT_FALSE(manifests::check_job_name(manifests::as_job_name(std::string(99, 'x') + " y")));
}

}  // namespace
}  // namespace mezzo::test::write_manifest_test
