// Every manifest of invalid/ and the whole text that it is refused with, in NAME.expected; every
// example and every manifest of valid/ is accepted. The same for settings of hot folders, in
// folder/, and for press files, in press/, and for curve files, in curve/; press/jobs/ has manifests that go wrong with their press.
//
// Lists that grow with the registry of methods stand as <methods> and the like. To write the
// .expected files anew, run this test with MEZZOTINT_UPDATE=1, then read the difference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "kernels/registry.h"
#include "manifests/curve/curve_file.h"
#include "manifests/fields.h"
#include "manifests/folder.h"
#include "manifests/press_file.h"
#include "manifests/source_text.h"
#include "tests/manifests/manifest_support.h"

namespace mezzo::test::invalid_test {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(stream), {});
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// The text without what the registry alone decides.
std::string without_registry(std::string text) {
  std::string all, keys = "method, engine, schedule, file", schedules;
  const auto count = methods().size();
  for (size_t i = 0; i < count; ++i) {
    all += (i == 0 ? "" : i + 1 == count ? " or " : ", ") + std::string(methods()[i].name);
  }
  for (const ScheduleInfo& schedule : methods().front().schedules) {
    schedules += (schedules.empty() ? "" : ", ") + std::string(schedule.name);
  }
  for (const std::string_view name : manifests::all_parameters()) {
    std::string owners;
    keys += ", " + std::string(name);
    for (const MethodInfo& method : methods()) {
      const auto& own = method.parameters;
      if (std::ranges::find(own, name, &ParameterInfo::name) == own.end()) continue;
      owners += (owners.empty() ? "" : ", ") + std::string(method.name);
    }
    replace_all(text,
                "it is a parameter of " + owners + "\n",
                "it is a parameter of <methods with a parameter>\n");
  }
  for (const std::string_view name : manifests::all_schedules()) {
    std::string owners;
    for (const MethodInfo& method : methods()) {
      const auto& own = method.schedules;
      if (std::ranges::find(own, name, &ScheduleInfo::name) == own.end()) continue;
      owners += (owners.empty() ? "" : ", ") + std::string(method.name);
    }
    replace_all(text,
                "it is a schedule of " + owners + "\n",
                "it is a schedule of <methods with a schedule>\n");
  }
  replace_all(text, all, "<methods>");
  replace_all(text, "the keys here are " + keys, "the keys here are <keys of halftone>");
  replace_all(text, "its schedules are " + schedules, "its schedules are <schedules>");
  return text;
}

template <typename T>
std::string refusal(const manifests::Checked<T>& parsed) {
  const auto* diagnostics = std::get_if<std::vector<Diagnostic>>(&parsed);
  if (diagnostics == nullptr) return "accepted\n";
  const auto place = [](const Diagnostic& diagnostic) {
    return std::pair(diagnostic.file, diagnostic.line);
  };
  EXPECT_TRUE(std::ranges::is_sorted(*diagnostics, {}, place));
  std::string text;
  for (const Diagnostic& diagnostic : *diagnostics) {
    text += to_string(diagnostic) + "\n";
    EXPECT_TRUE(is_clean_text(diagnostic.message)) << diagnostic.message;
    EXPECT_TRUE(is_clean_text(diagnostic.hint)) << diagnostic.hint;
  }
  return without_registry(text);
}

/// Press files below the folder of a manifest, by the names that it has for them.
manifests::PressSource presses_of(const fs::path& manifest) {
  manifests::PressSource presses = manifests::press_files_from("");
  presses.read = [folder = manifest.parent_path(),
                  usual = presses.read](const std::string& written) {
    if (!fs::is_regular_file(folder / written)) return usual(written);
    return manifests::parse_press_file(content(folder / written), written);
  };
  return presses;
}

std::string manifest_refusal(const fs::path& path) {
  return refusal(
      manifests::parse_manifest(content(path), path.filename().string(), presses_of(path)));
}

std::string press_refusal(const fs::path& path) {
  return refusal(manifests::parse_press_file(content(path), path.filename().string()));
}

std::string folder_refusal(const fs::path& path) {
  return refusal(manifests::parse_folder_settings(content(path), path.filename().string()));
}

std::string curve_refusal(const fs::path& path) {
  return refusal(curve::parse_curve_file(content(path), path.filename().string()));
}

/// Holds every .yaml of a folder against its .expected; gives their number.
size_t check_refusals(const std::string& folder, std::string (*refusal_of)(const fs::path&)) {
  size_t cases = 0;
  for (const auto& entry : fs::directory_iterator(source_folder() + folder)) {
    fs::path path = entry.path();
    if (path.extension() != ".yaml") continue;
    ++cases;
    const std::string text = refusal_of(path);
    EXPECT_NE(text, "accepted\n") << path;
    path.replace_extension(".expected");
    if (std::getenv("MEZZOTINT_UPDATE") != nullptr) std::ofstream(path, std::ios::binary) << text;
    EXPECT_EQ(text, content(path)) << path;
  }
  return cases;
}

constexpr const char* kFolderExample = "folder.yaml";

TEST(InvalidManifests, AreRefusedWithTheWholeExpectedText) {
  EXPECT_GE(check_refusals("/tests/manifests/invalid", manifest_refusal), 60U);
}

TEST(InvalidFolderSettings, AreRefusedWithTheWholeExpectedText) {
  EXPECT_GE(check_refusals("/tests/manifests/folder/invalid", folder_refusal), 60U);
}

TEST(InvalidPressFiles, AreRefusedWithTheWholeExpectedText) {
  EXPECT_GE(check_refusals("/tests/manifests/press/invalid", press_refusal), 40U);
}

TEST(InvalidJobsOfAPress, AreRefusedInTheFileWithTheMistake) {
  EXPECT_GE(check_refusals("/tests/manifests/press/jobs", manifest_refusal), 20U);
}

TEST(InvalidCurveFiles, AreRefusedWithTheWholeExpectedText) {
  EXPECT_GE(check_refusals("/tests/manifests/curve/invalid", curve_refusal), 20U);
}

TEST(ValidCurveFiles, AreAccepted) {
  for (const auto& entry :
       fs::directory_iterator(source_folder() + "/tests/manifests/curve/valid")) {
    EXPECT_EQ(curve_refusal(entry.path()), "accepted\n") << entry.path();
  }
}

TEST(ValidPressFiles, AreAccepted) {
  size_t cases = 0;
  for (const char* folder : {"/manifests/examples/presses", "/tests/manifests/press/valid"}) {
    for (const auto& entry : fs::directory_iterator(source_folder() + folder)) {
      ++cases;
      EXPECT_EQ(press_refusal(entry.path()), "accepted\n") << entry.path();
      EXPECT_NE(manifest_refusal(entry.path()), "accepted\n") << entry.path();
    }
  }
  EXPECT_GE(cases, 3U);
}

TEST(ValidManifests, AreAccepted) {
  size_t cases = 0;
  for (const char* folder : {"/manifests/examples", "/tests/manifests/valid"}) {
    for (const auto& entry : fs::directory_iterator(source_folder() + folder)) {
      if (entry.path().filename() == kFolderExample || entry.is_directory()) continue;
      ++cases;
      EXPECT_EQ(manifest_refusal(entry.path()), "accepted\n") << entry.path();
    }
  }
  EXPECT_GE(cases, 8U);
}

TEST(ValidFolderSettings, AreAccepted) {
  const fs::path example = source_folder() + "/manifests/examples/" + kFolderExample;
  EXPECT_EQ(folder_refusal(example), "accepted\n");
  EXPECT_NE(manifest_refusal(example), "accepted\n");
  size_t cases = 0;
  for (const auto& entry :
       fs::directory_iterator(source_folder() + "/tests/manifests/folder/valid")) {
    ++cases;
    EXPECT_EQ(folder_refusal(entry.path()), "accepted\n") << entry.path();
  }
  EXPECT_GE(cases, 3U);
}

}  // namespace
}  // namespace mezzo::test::invalid_test
