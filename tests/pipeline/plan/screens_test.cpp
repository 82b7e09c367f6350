// The screens of a sheet: what inks and plates without words of their own get, what is refused, and
// what is said.

#include "pipeline/plan/screens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/base/error.h"
#include "pipeline/plan/provenance.h"

namespace mezzo::test::screens_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Screens : public ::testing::Test {
 protected:
  Screens() {
    sheet_.input = "page.tif";
    sheet_.pages = {0};
    sheet_.settings.halftone = {.method = "am", .parameters = {{"ruling", 175}}};
    sheet_.infos.push_back(page_of(2400));
    sheet_.sources.push_back(page_of(300));
    set_inks({"cyan", "magenta", "yellow", "black"});
  }

  static PageInfo page_of(double dpi) {
    PageInfo page;
    page.resolution = {dpi, dpi};
    return page;
  }

  void set_inks(const std::vector<std::string>& inks) {
    sheet_.plates.clear();
    for (const std::string& ink : inks) sheet_.plates.push_back({.ink = ink, .path = {}});
  }

  /// Gives the ink parameters of its own.
  void set(const std::string& ink, plan::ParameterNumbers parameters) {
    manifests::InkSettings own{.ink = ink, .label = {}};
    own.halftone.method = "am";
    own.halftone.parameters = std::move(parameters);
    sheet_.settings.inks.push_back(own);
  }

  void pin(const std::string& ink, const screen::Cell& cell) {
    set(ink, {{"cell_repeats", cell.repeats}, {"cell_m", cell.m}, {"cell_n", cell.n}});
  }

  std::string refusal(ErrorKind kind) {
    try {
      plan::plan_screens(sheet_);
      return "planned";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind);
      return error.what();
    }
  }

  plan::PlateScreen of(size_t plate) const {
    return plan::screen_of(sheet_, sheet_.plates[plate]).value();
  }

  plan::SheetPlan sheet_;
};

TEST_F(Screens, FollowFromInksAndResolution) {
  plan::plan_screens(sheet_);
  EXPECT_EQ(of(0).angle, 15);
  EXPECT_EQ(of(1).angle, 75);
  EXPECT_EQ(of(2).angle, 0);
  EXPECT_EQ(of(3).angle, 45);
  EXPECT_EQ(of(0).cell, screen::choose_cell(2400, 175, 15));
  EXPECT_EQ(of(3).cell, screen::choose_cell(2400, 175, 45));
  EXPECT_GE(plan::moire_of(sheet_), 3000);
  EXPECT_THAT(sheet_.warnings, IsEmpty());
  EXPECT_EQ(
      plan::screen_text(of(0)),
      "175 lpi at 15 degrees: 174.87 lpi at 14.98 degrees, 4097 levels, cells of (411, 110) / "
      "31 px");
}

TEST_F(Screens, AreThoseOfAnInkWhateverElseIsPrinted) {
  plan::plan_screens(sheet_);
  const auto cyan = sheet_.plates[0].screen;
  set_inks({"C"});
  plan::plan_screens(sheet_);
  EXPECT_EQ(sheet_.plates[0].screen, cyan);
}

TEST_F(Screens, LeaveOtherMethodsAlone) {
  sheet_.settings.halftone = {.method = "bayer"};
  sheet_.infos.front().resolution = {};
  plan::plan_screens(sheet_);
  EXPECT_FALSE(plan::has_screens(sheet_));
  EXPECT_FALSE(plan::screen_of(sheet_, sheet_.plates[0]));
  EXPECT_EQ(plan::settings_of(sheet_, sheet_.plates[0]).halftone, sheet_.settings.halftone);
}

TEST_F(Screens, OfExtraInksGoByTheInkTheyHardlyMeet) {
  set_inks({"cyan", "orange"});
  plan::plan_screens(sheet_);
  EXPECT_THAT(sheet_.warnings, IsEmpty());
}

TEST_F(Screens, TakeWhatInksAreGiven) {
  set("cyan", {{"angle", 20}});
  pin("black", {4, 39, 39});
  plan::plan_screens(sheet_);
  EXPECT_EQ(of(0).angle, 20);
  EXPECT_EQ(of(0).cell, screen::choose_cell(2400, 175, 20));
  EXPECT_EQ(of(3).cell, (screen::Cell{4, 39, 39}));
}

TEST_F(Screens, AreInTagsAndRecordsAsNumbers) {
  plan::plan_screens(sheet_);
  EXPECT_THAT(plan::provenance_text(sheet_, 0, "cyan", "0"),
              HasSubstr("method=am; ruling=175; angle=15; dot=euclidean; minimum_dot=1; "
                        "dpi=2400; cell_repeats=31; cell_m=411; cell_n=110; tone="));
  EXPECT_THAT(plan::settings_text(sheet_, "magenta"),
              HasSubstr("cell_repeats=31\ncell_m=110\ncell_n=411\n"));
}

TEST_F(Screens, NeedOneResolution) {
  sheet_.infos.front().resolution = {};
  EXPECT_EQ(refusal(ErrorKind::kUnsupported),
            "page.tif: the page does not say its resolution, which method 'am' needs for its "
            "ruling; give it with 'assume_resolution: 300' or --assume-resolution 300");
  sheet_.settings.assumed_dpi = 1200;
  EXPECT_EQ(refusal(ErrorKind::kUsage), "planned");
  sheet_.settings.assumed_dpi = 0;
  sheet_.settings.halftone.parameters["dpi"] = 2400;
  EXPECT_EQ(refusal(ErrorKind::kUsage), "planned");
  sheet_.infos.front().resolution = {2540, 2540};
  EXPECT_EQ(refusal(ErrorKind::kUsage),
            "page.tif: cyan: method 'am' is set to 2400 dpi, and the plates have 2540; leave its "
            "dpi out");
  sheet_.infos.front().resolution = {2400, 1200};
  EXPECT_EQ(refusal(ErrorKind::kUnsupported),
            "page.tif: its plates have 2400 dpi across and 1200 dpi down, and method 'am' makes "
            "screens for square pixels alone; set output.resolution");
  sheet_.infos.front().resolution = {2399.999, 2400};
  EXPECT_EQ(refusal(ErrorKind::kUnsupported), "planned");
  sheet_.infos.push_back(page_of(1200));
  EXPECT_EQ(refusal(ErrorKind::kUnsupported),
            "page.tif: its pages have several resolutions, and a plate of method 'am' has one "
            "screen; set output.resolution, or use {page} in output.path");
}

TEST_F(Screens, RefuseWhatDoesNotFitThePlate) {
  sheet_.infos.front().resolution = {600, 600};
  EXPECT_EQ(
      refusal(ErrorKind::kUsage),
      "page.tif: cyan: method 'am': a ruling of 175 lpi at 600 dpi leaves less than 4 px to a "
      "cell; give the plates' resolution, such as 2400 dpi, or use at most 150 lpi");
}

TEST_F(Screens, RefuseMoireThatShows) {
  sheet_.infos.front().resolution = {2540, 2540};
  pin("cyan", {1, 14, 4});
  pin("magenta", {1, 4, 14});  // the sum is sqrt(2) (31 / 636 - 10 / 212), of 1 / 450 px
  EXPECT_EQ(refusal(ErrorKind::kData),
            "page.tif: the screens of its inks make moire with a period of 4.5 mm, which shows; "
            "give inks one ruling and angles 30 degrees apart, or set 'moire: accept'");
  sheet_.settings.halftone.parameters["moire"] = 1;
  EXPECT_EQ(refusal(ErrorKind::kData), "planned");
  ASSERT_FALSE(sheet_.warnings.empty());
  EXPECT_THAT(sheet_.warnings.front(), HasSubstr("moire with a period of 4.5 mm"));
}

TEST_F(Screens, WarnOfMoireBelowAMetre) {
  sheet_.infos.front().resolution = {2540, 2540};
  pin("cyan", {4, 56, 15});
  pin("magenta", {4, 15, 56});
  pin("black", {4, 41, 41});
  plan::plan_screens(sheet_);
  EXPECT_THAT(sheet_.warnings,
              ElementsAre("the screens of its inks make moire with a period of 487 mm; angles 30 "
                          "degrees apart at one ruling have none below 3 m"));
}

TEST_F(Screens, WarnOfPinnedCellsThatAreNotTheRulingOrAngle) {
  set_inks({"black"});
  pin("black", {3, 20, 10});
  plan::plan_screens(sheet_);
  EXPECT_THAT(sheet_.warnings,
              ::testing::Contains(
                  "black: the cell that is set has 321.99 lpi at 26.57 degrees, not 175 lpi "
                  "at 45 degrees"));
}

TEST_F(Screens, AreNotWarnedOfWhereMoireIsAccepted) {
  set_inks({"black", "PANTONE 185 C"});
  sheet_.settings.halftone.parameters["moire"] = 1;
  plan::plan_screens(sheet_);
  EXPECT_THAT(sheet_.warnings, ::testing::IsEmpty());
}

TEST_F(Screens, WarnOfInksAtOneAngle) {
  set_inks({"black", "PANTONE 185 C"});
  plan::plan_screens(sheet_);
  EXPECT_THAT(sheet_.warnings,
              ElementsAre("black at 45 degrees and PANTONE 185 C at 45 have the same screen: where "
                          "they overlap, their colour changes with the register; give one of them "
                          "another angle"));
}

TEST_F(Screens, WarnOfFewPixels) {
  set_inks({"black"});
  sheet_.infos.front().resolution = {1200, 1200};
  sheet_.sources.front().resolution = {150, 150};
  plan::plan_screens(sheet_);
  EXPECT_THAT(
      sheet_.warnings,
      ElementsAre(
          "a cell of 175 lpi at 1200 dpi is 6.9 px wide, which makes tints grainy; give the "
          "plates 1400 dpi or more, or use 150 lpi or less",
          "the page has 150 dpi, which is little detail for a screen of 175 lpi; 263 "
          "dpi and more would use it"));
}

}  // namespace
}  // namespace mezzo::test::screens_test
