// Separations in files of their own: their inks, and whether they fit each other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/plan/plan.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::set_check_test {
namespace {

using ::testing::HasSubstr;

class Separations : public ::testing::Test {
 protected:
  /// Adds a grey page that stands for an ink.
  void add(const std::string& name,
           const std::string& ink,
           uint32_t height_px = 20,
           double dpi = 300,
           uint32_t planes = 1) {
    tiff::ContoneOptions options;
    options.width_px = 30;
    options.height_px = height_px;
    options.planes = planes;
    options.dpi = dpi;
    const auto writer = tiff::ContoneWriter::create(folder_ / name, options);
    const std::vector<std::byte> rows(size_t{30} * height_px * planes);
    writer->write_rows(rows.data(), height_px);
    writer->finish();
    manifests::JobPage page;
    page.input = folder_ / name;
    page.ink = ink;
    page.settings.output.path = folder_ / ("plates/" + name + "_{ink}.tif");
    job_.pages.push_back(page);
  }

  plan::JobPlan plan() const { return plan::make_plan(job_); }

  TempFolder folder_;
  manifests::Job job_;
};

TEST_F(Separations, NameTheInkOfTheirPlates) {
  add("tea_cyan.tif", "cyan");
  add("tea_gold.tif", "PANTONE 871 C");
  const plan::JobPlan found = plan();
  ASSERT_FALSE(found.sheets[0].failure || found.sheets[1].failure);
  EXPECT_EQ(found.sheets[0].plates.at(0).ink, "cyan");
  EXPECT_EQ(found.sheets[1].plates.at(0).ink, "PANTONE 871 C");
  EXPECT_EQ(found.sheets[1].plates.at(0).path, folder_ / "plates/tea_gold.tif_pantone-871-c.tif");
}

TEST_F(Separations, AreOfOneInk) {
  add("tea_cyan.tif", "cyan", 20, 300, 4);
  const plan::JobPlan found = plan();
  ASSERT_TRUE(found.sheets[0].failure.has_value());
  EXPECT_THAT(found.sheets[0].failure->text(),
              HasSubstr("page 1 has 4 inks, and 'ink: cyan' is for pages of one"));
}

TEST_F(Separations, OfOnePageMustAgree) {
  add("milk_CYAN.tif", "cyan");
  add("milk_magenta.tif", "magenta", 21);
  add("milk_black.tif", "black");
  add("tea_cyan.tif", "cyan", 40);
  add("tea_magenta.tif", "magenta", 40, 600);
  add("rum_cyan.tif", "cyan", 50);
  add("rum_black.tif", "black", 50);
  add("cover.tif", "black", 60);
  const plan::JobPlan found = plan();
  for (size_t i = 0; i < 5; ++i) ASSERT_TRUE(found.sheets[i].failure.has_value()) << i;
  EXPECT_EQ(found.sheets[2].failure->text(),
            "milk_magenta.tif has 30 x 21 px and milk_CYAN.tif 30 x 20 px. A set needs one size; "
            "export all separations of the page again");
  EXPECT_EQ(found.sheets[2].failure->kind, ErrorKind::kData);
  EXPECT_THAT(found.sheets[4].failure->text(),
              HasSubstr("tea_magenta.tif has 600 dpi and tea_cyan.tif 300 dpi. A set needs one "
                        "resolution; export"));
  for (size_t i = 5; i < 8; ++i) EXPECT_FALSE(found.sheets[i].failure.has_value()) << i;
}

/// 300 dpi as a program saves them that counts pixels per cm.
TEST_F(Separations, AgreeInResolutionAsFarAsTagsCanTell) {
  add("tea_cyan.tif", "cyan");
  add("tea_magenta.tif", "magenta", 20, 118.11 * 2.54);
  add("tea_black.tif", "black", 20, 300.1);
  add("rum_cyan.tif", "cyan");
  add("rum_black.tif", "black", 20, 300.2);
  const plan::JobPlan found = plan();
  for (size_t i = 0; i < 3; ++i) EXPECT_FALSE(found.sheets[i].failure.has_value()) << i;
  for (size_t i = 3; i < 5; ++i) EXPECT_TRUE(found.sheets[i].failure.has_value()) << i;
}

TEST_F(Separations, AreFoundUnderTheOtherNamesOfAnInk) {
  add("tea_C.tif", "cyan");
  add("tea_Schwarz.tif", "black", 21);
  const plan::JobPlan found = plan();
  ASSERT_TRUE(found.sheets[0].failure && found.sheets[1].failure);
  EXPECT_THAT(found.sheets[1].failure->text(), HasSubstr("A set needs one size"));
}

TEST_F(Separations, AreOneForEachInkOfAPress) {
  add("tea_black.tif", "black");
  add("tea_blk.tif", "blk");
  add("tea_cyan.tif", "cyan");
  add("rum_blk.tif", "blk");
  ASSERT_FALSE(plan().sheets[1].failure);
  for (manifests::JobPage& page : job_.pages) {
    page.settings.press = {"XL 106", "", {{"black", {"blk"}}, {"cyan", {}}}};
  }
  const plan::JobPlan found = plan();
  for (size_t i = 0; i < 3; ++i) ASSERT_TRUE(found.sheets[i].failure.has_value()) << i;
  EXPECT_EQ(found.sheets[0].failure->text(),
            "tea_black.tif and tea_blk.tif are one ink of the press 'XL 106', 'black'; leave one "
            "of them out, or give it the ink that it is of");
  EXPECT_FALSE(found.sheets[3].failure.has_value());
}

}  // namespace
}  // namespace mezzo::test::set_check_test
