// The inks of a sheet that are halftoned together, in their order, and what is said of them.
#include "pipeline/plan/ink_groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/plan/warnings.h"

namespace mezzo::test::ink_groups_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class InkGroups : public ::testing::Test {
 protected:
  InkGroups() {
    sheet_.input = "page.tif";
    sheet_.pages = {0};
    sheet_.settings.halftone = {.method = "floyd-steinberg", .parameters = {{"inks", 1}}};
    sheet_.infos.emplace_back();
    for (const char* ink : {"cyan", "magenta", "yellow", "black"}) {
      sheet_.infos.front().inks.emplace_back(ink);
      sheet_.plates.push_back({.ink = ink, .path = {}});
    }
  }

  void halftone_by(const std::string& ink, HalftoneSettings halftone) {
    manifests::InkSettings own{.ink = ink, .label = {}};
    own.halftone = std::move(halftone);
    sheet_.settings.inks.push_back(own);
  }

  std::vector<std::string> warnings() const {
    plan::JobPlan plan;
    plan.sheets.push_back(sheet_);
    plan::add_warnings(plan);
    return plan.sheets.front().warnings;
  }

  plan::SheetPlan sheet_;
};

TEST_F(InkGroups, BeginWithTheDarkestInk) {
  EXPECT_THAT(plan::ink_groups(sheet_), ElementsAre(ElementsAre(3, 1, 0, 2)));
  EXPECT_EQ(plan::together_text(sheet_, "cyan"), "black, magenta, cyan, yellow");
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(InkGroups, HaveTheSameSettings) {
  halftone_by("yellow", {.method = "bayer"});
  halftone_by("black", {.method = "zhou-fang", .parameters = {{"inks", 1}}});
  EXPECT_THAT(plan::ink_groups(sheet_), ElementsAre(ElementsAre(1, 0)));
  EXPECT_EQ(plan::together_text(sheet_, "black"), "");
  EXPECT_THAT(warnings(), ElementsAre(HasSubstr("changes nothing for black: ")));
}

TEST_F(InkGroups, OfInksApartAreNone) {
  sheet_.settings.halftone.parameters.clear();
  EXPECT_THAT(plan::ink_groups(sheet_), IsEmpty());
  EXPECT_EQ(plan::together_settings_text(sheet_, "cyan"), "");
  EXPECT_THAT(warnings(), IsEmpty());
}

TEST_F(InkGroups, StayAsTheyAreWhenAPlateIsRenamed) {
  const auto colours = plan::colours_of_group(sheet_, plan::ink_groups(sheet_).front()).states;
  sheet_.plates[3].ink = "Foo";
  sheet_.plates[3].page_ink = "black";
  EXPECT_THAT(plan::ink_groups(sheet_), ElementsAre(ElementsAre(3, 1, 0, 2)));
  EXPECT_EQ(plan::colours_of_group(sheet_, plan::ink_groups(sheet_).front()).states, colours);
}

TEST_F(InkGroups, GoByTheColoursOfThePress) {
  const std::string usual = plan::together_settings_text(sheet_, "cyan");
  manifests::Press press;
  press.inks.push_back({.ink = "yellow"});
  press.inks.back().lab = proof::Lab{10, 0, 0};
  sheet_.settings.press = press;
  EXPECT_THAT(plan::ink_groups(sheet_), ElementsAre(ElementsAre(2, 3, 1, 0)));
  EXPECT_NE(plan::together_settings_text(sheet_, "cyan"), usual);
}

TEST_F(InkGroups, WarnWhereAFileHasOneInk) {
  sheet_.plates.resize(1);
  sheet_.ink = "cyan";
  EXPECT_THAT(warnings(), ElementsAre(HasSubstr("files of their own")));
  sheet_.ink.clear();
  EXPECT_THAT(warnings(), IsEmpty()) << "a grey page among others";
}

}  // namespace
}  // namespace mezzo::test::ink_groups_test
