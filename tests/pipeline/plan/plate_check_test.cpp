// Plates that would take each other's names, names that are too long, or places where a hot folder
// keeps files of its own.
#include "pipeline/plan/plate_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temp_folder.h"

namespace mezzo::test::plate_check_test {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class PlatesOfHotFolder : public ::testing::Test {
 protected:
  PlatesOfHotFolder() {
    for (const char* name : {"hot/done", "hot/plates", "other"}) {
      fs::create_directories(folder_ / name);
    }
  }

  /// Why a job of hot/ is refused that has this plate; empty when it is not.
  std::string refusal_of(const std::string& plate) const {
    plan::JobPlan plan;
    plan.sheets.resize(1);
    plan.sheets[0].input = "page.tif";
    plan.sheets[0].plates = {{"black", folder_ / plate}};
    plan::refuse_plates_in_hot_folder(plan, folder_ / "hot");
    const auto& failure = plan.sheets[0].failure;
    if (!failure) return {};
    EXPECT_EQ(failure->kind, ErrorKind::kUsage) << plate;
    return failure->text();
  }

  TempFolder folder_;
};

TEST_F(PlatesOfHotFolder, MayLieInFoldersOfTheirOwn) {
  for (const char* plate : {"hot/plates/a.tif",
                            "hot/plates/done/a.tif",
                            "hot/new/a.tif",
                            "hot/done-too/a.tif",
                            "other/done/a.tif",
                            "done/a.tif",
                            "a.tif"}) {
    EXPECT_EQ(refusal_of(plate), "") << plate;
  }
}

TEST_F(PlatesOfHotFolder, AreRefusedAmongItsOwnFiles) {
  for (const std::string own : {".work", "done", "failed", "incomplete", "reports"}) {
    EXPECT_THAT(
        refusal_of("hot/" + own + "/a/b.tif"),
        AllOf(HasSubstr("page.tif: 'output.path' gives the plate "),
              HasSubstr("plates would go to '" + own + "', where the hot folder keeps files of "),
              HasSubstr("a folder of the plates alone, such as plates/")));
  }
  EXPECT_THAT(refusal_of("hot/a.tif"), HasSubstr("among the pages of the hot folder"));
}

TEST_F(PlatesOfHotFolder, AreRefusedThereUnderAllNames) {
  EXPECT_THAT(refusal_of("hot/plates/../done/a.tif"), HasSubstr("'done'"));
  EXPECT_THAT(refusal_of("hot/plates/../a.tif"), HasSubstr("among the pages"));
  fs::create_directory_symlink(folder_ / "hot/done", folder_ / "hot/plates/link");
  EXPECT_THAT(refusal_of("hot/plates/link/a.tif"), HasSubstr("'done'"));
  fs::create_directory_symlink(folder_ / "hot", folder_ / "same");
  EXPECT_THAT(refusal_of("same/failed/a.tif"), HasSubstr("'failed'"));
  EXPECT_THAT(refusal_of("same/a.tif"), HasSubstr("among the pages"));
}

/// Why a sheet of such plates is refused; empty when it is not.
std::string refusal_of(plan::SheetPlan sheet) {
  plan::JobPlan plan;
  sheet.input = "page.tif";
  plan.sheets = {std::move(sheet)};
  plan::check_plates(plan);
  const auto& failure = plan.sheets[0].failure;
  if (!failure) return {};
  EXPECT_EQ(failure->kind, ErrorKind::kData);
  return failure->text();
}

TEST(PlatesOfASheet, NameTheInksThatWouldBeOneFile) {
  plan::SheetPlan sheet;
  sheet.settings.output.path = "plates/page_{label}.tif";
  sheet.settings.inks = {{.ink = "cyan", .label = "X"}, {.ink = "black", .label = "X"}};
  sheet.plates = {{"cyan", "plates/page_X.tif"},
                  {"magenta", "plates/page_magenta.tif"},
                  {"black", "plates/page_X.tif"}};
  EXPECT_EQ(refusal_of(sheet),
            "page.tif: two plates would be plates/page_X.tif: those of the inks 'cyan' and "
            "'black', with the label 'X'; give one of them another label");
  sheet.settings.inks = {
      {.ink = "cyan", .label = "X", .over = {{"output.path", "plates/page_black.tif"}}},
      {.ink = "black", .label = "X", .over = {{"output.path", "plates/./page_black.tif"}}}};
  sheet.plates = {{"cyan", "plates/page_black.tif"}, {"black", "plates/page_black.tif"}};
  EXPECT_EQ(refusal_of(sheet),
            "page.tif: two plates would be plates/page_black.tif: those of the inks 'cyan' and "
            "'black'; give one of them another output.path");
  sheet.settings.inks.clear();
  sheet.settings.output.path = "plates/page_black.tif";
  EXPECT_THAT(refusal_of(sheet), HasSubstr("it has 2 inks; put {ink} into output.path"));
}

TEST(PlatesOfASheet, NameBothPathsOfOneFile) {
  TempFolder folder;
  fs::create_directory(folder / "plates");
  fs::create_directory_symlink(folder / "plates", folder / "alias");
  plan::SheetPlan sheet;
  sheet.settings.inks = {
      {.ink = "cyan", .label = {}, .over = {{"output.path", std::string(folder / "plates/z.tif")}}},
      {.ink = "black",
       .label = {},
       .over = {{"output.path", std::string(folder / "alias/z.tif")}}}};
  sheet.plates = {{"cyan", folder / "plates/z.tif"}, {"black", folder / "alias/z.tif"}};
  EXPECT_EQ(refusal_of(sheet),
            "page.tif: two plates would be " + (folder / "alias/z.tif") + ", which is " +
                (folder / "plates/z.tif") +
                ": those of the inks 'cyan' and 'black'; give one of them another output.path");
}

TEST(PlatesOfASheet, DifferByMoreThanAFileSystemMayIgnore) {
  plan::SheetPlan sheet;
  sheet.settings.output.path = "plates/{label}.tif";
  sheet.settings.inks = {{.ink = "cyan", .label = "K"}, {.ink = "black", .label = "k"}};
  sheet.plates = {{"cyan", "plates/K.tif"}, {"black", "plates/k.tif"}};
  EXPECT_EQ(
      refusal_of(sheet),
      "page.tif: the plates plates/K.tif and plates/k.tif differ in upper and lower case alone, "
      "and many file systems take them for one file: those of the inks 'cyan' and 'black', with "
      "the label 'k'; give one of them another label");
  sheet.settings.inks.clear();
  sheet.plates = {{"cyan", "plates/Gr\u00FCn.tif"}, {"black", "plates/Gru\u0308n.tif"}};
  EXPECT_THAT(refusal_of(sheet), HasSubstr("differ in the form of Unicode alone (NFC, NFD), and "));
  sheet.plates = {{"cyan", "Plates/a/k.tif"}, {"black", "plates/A/K.tif"}};
  EXPECT_THAT(refusal_of(sheet), HasSubstr("differ in upper and lower case alone"));
  sheet.plates = {{"cyan", "plates/\xDC.tif"}, {"black", "plates/\xFC.tif"}};  // not UTF-8
  EXPECT_EQ(refusal_of(sheet), "");
}

TEST(PlatesOfASheet, AndTheirProofsDifferLikewise) {
  plan::SheetPlan sheet;
  sheet.plates = {{"black", "out/Page.PNG"}};
  sheet.side_files = {{.kind = plan::SideKind::kProof, .path = "out/page.png"}};
  EXPECT_THAT(refusal_of(sheet), HasSubstr("out/page.png would replace a plate of page.tif"));
}

TEST(PlatesOfASheet, HaveNamesThatFileSystemsTake) {
  plan::SheetPlan sheet;
  const auto name = [](size_t bytes) { return std::string(bytes - 4, 'a') + ".tif"; };
  sheet.plates = {{"cyan", "plates/c.tif"}, {"black", "plates/" + name(255)}};
  EXPECT_EQ(refusal_of(sheet), "");
  sheet.plates[1].path = "plates/" + name(256);
  EXPECT_THAT(refusal_of(sheet),
              AllOf(HasSubstr("page.tif: the plate of ink 'black' would be plates/aaaa"),
                    HasSubstr("a name of 256 bytes is too long: the limit is 255"),
                    HasSubstr("a shorter label or output.path")));
  sheet.plates[1].path = std::string(256, 'a') + "/k.tif";
  EXPECT_THAT(refusal_of(sheet), HasSubstr("a name of 256 bytes"));
}

}  // namespace
}  // namespace mezzo::test::plate_check_test
