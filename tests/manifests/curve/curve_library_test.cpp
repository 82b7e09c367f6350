// The look-up in a library: the curve that fits in everything, or what differs, never the nearest.
#include "manifests/curve/curve_library.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "kernels/base/error.h"
#include "tests/support/temp_folder.h"

namespace mezzo::curve::curve_library_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = PressCurve::Kind;

constexpr const char* kScreen =
    "am ruling=175 angle=15 dot=euclidean minimum_dot=9 cell_repeats=31 cell_m=411 cell_n=110";

LibraryCurvePtr curve_of(const std::string& name, Kind kind, const std::string& ink) {
  LibraryCurve curve{.name = name, .file = {}};
  curve.file.press = "XL 106, board";
  curve.file.ink = ink;
  curve.file.screen = kScreen;
  curve.file.dpi = 2400;
  curve.file.curve.kind = kind;
  curve.file.curve.points = {{0, 0}, {50, 40}, {100, 100}};
  if (kind == Kind::kPress) curve.file.paper = "GC1";
  return std::make_shared<const LibraryCurve>(curve);
}

Wanted wanted() {
  return {.kind = Kind::kPress,
          .press = "XL 106, board",
          .ink = "Cyan",
          .screen = kScreen,
          .dpi = 2400,
          .paper = "GC1"};
}

std::string refusal(const Library& library, const Wanted& wish) {
  try {
    library.find(wish);
    return "found";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    return error.what();
  }
}

TEST(CurveLibrary, FindsTheCurveThatFitsInEverything) {
  const Library library("curves",
                        {curve_of("c.yaml", Kind::kPress, "cyan"),
                         curve_of("k.yaml", Kind::kPress, "black"),
                         curve_of("setter.yaml", Kind::kPlate, "cyan")});
  EXPECT_EQ(library.find(wanted())->name, "c.yaml");
  Wanted plate = wanted();
  plate.kind = Kind::kPlate;
  EXPECT_EQ(library.find(plate)->name, "setter.yaml");
  plate.paper = "any other";
  EXPECT_EQ(library.find(plate)->name, "setter.yaml") << "its curve is for no paper";
  Wanted key = wanted();
  key.ink = "Schwarz";
  EXPECT_EQ(library.find(key)->name, "k.yaml");
  key.press = "XL\u00A0106, BOARD";
  key.paper = "gc1";
  EXPECT_EQ(library.find(key)->name, "k.yaml") << "of a press and paper of those names";
  key.ink = "PANTONE 185 C";
  EXPECT_EQ(library.find(key), nullptr);
}

TEST(CurveLibrary, SaysWhatDiffersAndTakesNoOther) {
  const Library library("curves/xl106", {curve_of("c.yaml", Kind::kPress, "cyan")});
  Wanted wish = wanted();
  wish.screen =
      "am ruling=150 angle=15 dot=euclidean minimum_dot=9 cell_repeats=4 cell_m=62 cell_n=16";
  EXPECT_EQ(refusal(library, wish),
            "the press curve of Cyan is not in curves/xl106: c.yaml is for ruling 175 lpi, the job "
            "has 150 lpi. Measure a wedge that is printed as the job is, or change the job");
  wish = wanted();
  wish.paper = "GC2";
  wish.dpi = 2540;
  EXPECT_THAT(
      refusal(library, wish),
      HasSubstr("c.yaml is for resolution 2400 dpi, the job has 2540 dpi; paper GC1, the job "
                "has GC2."));
  wish = wanted();
  wish.press = "XL 75";
  wish.paper = "";
  EXPECT_THAT(refusal(library, wish),
              HasSubstr("press XL 106, board, the job has XL 75; paper GC1, the job has none."));
  wish = wanted();
  wish.screen = "fm dot=2";
  EXPECT_THAT(refusal(library, wish), HasSubstr("is for method am, the job has fm."));
  wish.screen = std::string(kScreen) + " levels=0,50,100% overlap=100";
  EXPECT_THAT(
      refusal(library, wish),
      HasSubstr("is for levels none, the job has 0,50,100%; overlap none, the job has 100."));
}

TEST(CurveLibrary, SaysWhereOnlyTheCellDiffers) {
  Wanted wish = wanted();
  const CurveFile file = curve_of("c.yaml", Kind::kPress, "cyan")->file;
  EXPECT_THAT(differences(file, wish), IsEmpty());
  wish.screen.replace(wish.screen.find("cell_n=110"), 10, "cell_n=111");
  EXPECT_THAT(differences(file, wish), ElementsAre("cell_n 110, the job has 111"));
}

TEST(CurveLibrary, NamesTheNearestOfManyAndTwoThatFit) {
  std::vector<LibraryCurvePtr> curves;
  for (const char* paper : {"a", "b", "c", "d", "e"}) {
    LibraryCurve other = *curve_of(std::string(paper) + ".yaml", Kind::kPress, "cyan");
    other.file.paper = paper;
    curves.push_back(std::make_shared<const LibraryCurve>(other));
  }
  EXPECT_THAT(refusal(Library("curves", curves), wanted()),
              HasSubstr("c.yaml is for paper c, the job has GC1. 2 others differ more. Measure"));
  curves = {curve_of("c.yaml", Kind::kPress, "cyan"), curve_of("old.yaml", Kind::kPress, "cyan")};
  EXPECT_EQ(refusal(Library("curves", curves), wanted()),
            "the press curve of Cyan is twice in curves, as c.yaml and old.yaml; take one of them "
            "out");
}

TEST(CurveLibrary, ReadsItsFolder) {
  const test::TempFolder folder;
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
  };
  write("c.yaml", curve_file_text(curve_of("", Kind::kPress, "cyan")->file));
  write("notes.txt", "not a curve");
  EXPECT_EQ(Library(folder.path()).find(wanted())->name, "c.yaml");
  write("m.yml", "mezzotint-curve: 1\nkind: pres\n");
  try {
    Library(folder.path());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_THAT(error.what(), HasSubstr("m.yml:1:1: the curve file has no 'press'"));
  }
  try {
    Library((folder / "elsewhere"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kMissing);
    EXPECT_THAT(error.what(), HasSubstr("elsewhere' cannot be read: there is no such folder"));
  }
}

}  // namespace
}  // namespace mezzo::curve::curve_library_test
