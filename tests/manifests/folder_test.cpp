#include "manifests/folder.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "kernels/base/error.h"
#include "manifests/draft.h"
#include "tests/manifests/manifest_support.h"

namespace mezzo::test::folder_test {
namespace {

using namespace std::chrono_literals;

manifests::FolderSettings settings_of(const std::string& text) {
  auto parsed = manifests::parse_folder_settings(text, "folder.yaml");
  if (auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed)) {
    ADD_FAILURE() << messages(*wrong);
    return {};
  }
  return std::get<manifests::FolderSettings>(parsed);
}

TEST(FolderSettings, AreDefaultsWhereNothingIsSaid) {
  EXPECT_EQ(settings_of("mezzotint: 1\n"), manifests::FolderSettings());
}

TEST(FolderSettings, HoldEverythingThatIsSaid) {
  const manifests::FolderSettings read = settings_of(R"(mezzotint: 1
defaults: {halftone: {method: bayer, order: 4}, tone: {invert: true}, output: {path: "p/{stem}.tif"}}
limits: {memory: 512 MiB, threads: 3}
plates: ../plates
stability: {looks: 4, every: 5 s, age: 6 min}
scan: 7 s
poll: true
order: smallest
priority: 80
hours: ["22:00-06:00", "Sat-Sun 00:00-24:00"]
throttle: 9
tries: 10
stall: 11 min
separations: {inks: [cyan, black], pattern: "{ink}-{page}.tiff", wait: 12 h}
tickets: required
redrops: print
name_clashes: replace
keep: {done: 13 days, failed: 0 s}
reserve: 14 MiB
)");
  manifests::FolderSettings wanted;
  wanted.defaults.halftone.method = "bayer";
  wanted.defaults.halftone.parameters["order"] = 4;
  wanted.defaults.tone.invert = true;
  wanted.defaults.output.path = "p/{stem}.tif";
  wanted.limits = {.memory_bytes = 512ULL << 20, .threads = 3};
  wanted.names_memory = true;
  wanted.plates = "../plates";
  wanted.looks = 4;
  wanted.every = 5s;
  wanted.age = 6min;
  wanted.scan = 7s;
  wanted.poll = true;
  wanted.order = manifests::TakeOrder::kSmallest;
  wanted.priority = 80;
  wanted.hours = {{22 * 60, 6 * 60, 0x7F}, {0, 24 * 60, 0x60}};
  wanted.throttle = 9;
  wanted.tries = 10;
  wanted.stall = 11min;
  wanted.separations = {{"cyan", "black"}, "{ink}-{page}.tiff", 12h};
  wanted.needs_tickets = true;
  wanted.print_again = true;
  wanted.replaces_others = true;
  wanted.keep_done = 13 * 24h;
  wanted.keep_failed = 0s;
  wanted.reserve_bytes = 14ULL << 20;
  EXPECT_EQ(read, wanted);
  constexpr std::pair<const char*, manifests::TakeOrder> kOrders[] = {
      {"oldest", manifests::TakeOrder::kOldest},
      {"newest", manifests::TakeOrder::kNewest},
      {"smallest", manifests::TakeOrder::kSmallest},
      {"largest", manifests::TakeOrder::kLargest},
      {"name", manifests::TakeOrder::kName}};
  for (const auto& [name, order] : kOrders) {
    EXPECT_EQ(settings_of("mezzotint: 1\norder: " + std::string(name) + "\n").order, order);
  }
}

TEST(FolderSettings, RefuseMethodsWhoseParametersDoNotFit) {
  const auto parsed = manifests::parse_folder_settings(
      "mezzotint: 1\ndefaults: {halftone: {method: bayer, block: 4}}\n", "folder.yaml");
  const auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed);
  ASSERT_NE(wrong, nullptr);
  EXPECT_EQ(messages(*wrong).substr(0, 57),
            "2:38: method 'bayer' has no parameter 'block'\n  it is a p");
}

TEST(FolderSettings, AreReadFromAFileAndThroughNoLink) {
  const TempFolder folder;
  folder.write("folder.yaml", "mezzotint: 1\npriority: 7\n");
  const auto read = manifests::load_folder_settings(folder / "folder.yaml");
  ASSERT_EQ(read.index(), 0U);
  EXPECT_EQ(std::get<manifests::FolderSettings>(read).priority, 7U);
  std::filesystem::create_symlink("folder.yaml", folder / "link.yaml");
  const auto failure = [&](const std::string& name) {
    try {
      manifests::load_folder_settings(folder / name);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::kBug;
  };
  EXPECT_EQ(failure("none.yaml"), ErrorKind::kMissing);
  EXPECT_EQ(failure("link.yaml"), ErrorKind::kIo);
  folder.write("large.yaml", std::string(256 * 1024 + 1, '#'));
  EXPECT_EQ(failure("large.yaml"), ErrorKind::kLimit);
}

TEST(PlatesProblem, KnowsWhatBelongsToTheFolder) {
  for (const char* good : {"plates/{stem}.tif", "{job}/{stem}.tif", "./a/b/{stem}.tif"}) {
    EXPECT_EQ(manifests::plates_problem(".", good), "") << good;
  }
  EXPECT_EQ(manifests::plates_problem("out", "{stem}.tif"), "");
  EXPECT_EQ(manifests::plates_problem("../out", "{stem}.tif"), "");
  EXPECT_EQ(manifests::plates_problem("../out", "done/{stem}.tif"), "");
  EXPECT_EQ(manifests::plates_problem("/out", "{stem}.tif"), "");
  EXPECT_EQ(manifests::plates_problem("x/..", "{stem}.tif"),
            "plates would lie among the pages of the hot folder, and be taken for pages");
  for (const std::string name : {".work", "done", "failed", "incomplete", "reports"}) {
    const std::string problem =
        "plates would go to '" + name + "', where the hot folder keeps files of its own";
    EXPECT_EQ(manifests::plates_problem(".", name + "/{stem}.tif"), problem);
    EXPECT_EQ(manifests::plates_problem("./" + name + "/", "a/{stem}.tif"), problem);
  }
}

TEST(FolderSettings, TakeTilesFromPressFilesByWholePathsAlone) {
  const auto refusal = [](const std::string& text, const std::string& file) {
    const manifests::PressSource presses{.given = nullptr, .read = [&](const std::string&) {
                                           return manifests::parse_press_file(
                                               "mezzotint-press: 1\nname: P\n"
                                               "halftone: {method: tile, file: " +
                                                   file + "}\n",
                                               "/presses/p.yaml");
                                         }};
    const auto parsed = manifests::parse_folder_settings(text, "folder.yaml", presses);
    const auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed);
    return wrong == nullptr ? "none" : messages(*wrong);
  };
  const std::string press = "mezzotint: 1\npress: p.yaml\n";
  EXPECT_EQ(refusal(press, "/screens/k.tif"), "none");
  EXPECT_EQ(
      refusal(press, "k.tif"),
      "2:8: the press file names its thresholds 'k.tif', and for a hot folder it must name them "
      "by a whole path\n"
      "  write 'file: /FOLDER/k.tif' in line 3 of /presses/p.yaml\n");
  EXPECT_EQ(refusal("mezzotint: 1\ndefaults: {halftone: {method: tile, file: /k.tif}}\n", ""),
            "2:37: a hot folder takes the thresholds of its screens from a press file\n"
            "  move 'halftone' to the file that 'press' names\n");
}

TEST(FolderSettings, TakeALibraryOfCurvesByAWholePathAlone) {
  const auto refusal = [](const std::string& library) {
    const manifests::PressSource presses{
        .given = nullptr, .read = [&](const std::string&) {
          return manifests::parse_press_file(
              "mezzotint-press: 1\nname: P\ncurves: {library: " + library + "}\n",
              "/presses/p.yaml");
        }};
    const auto parsed =
        manifests::parse_folder_settings("mezzotint: 1\npress: p.yaml\n", "folder.yaml", presses);
    const auto* wrong = std::get_if<std::vector<Diagnostic>>(&parsed);
    return wrong == nullptr ? "none" : messages(*wrong);
  };
  EXPECT_EQ(refusal("/curves"), "none");
  EXPECT_EQ(refusal("../curves"),
            "2:8: the press file names its library of curves '../curves', and for a hot folder it "
            "must name it by a whole path\n"
            "  write 'library: /FOLDER/../curves' in line 3 of /presses/p.yaml\n");
}

}  // namespace
}  // namespace mezzo::test::folder_test
