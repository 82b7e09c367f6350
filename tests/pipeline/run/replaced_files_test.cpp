#include "pipeline/run/replaced_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/stages/tiff/plate/writer_support.h"

namespace mezzo::test::replaced_files_test {
namespace {

using ::testing::HasSubstr;

class ReplacedFiles : public ::testing::Test {
 protected:
  ReplacedFiles() {
    sheet_.input = folder_ / "page.tif";
    sheet_.plates = {{"cyan", folder_ / "c.tif"}, {"black", folder_ / "k.tif"}};
  }

  void write(const std::string& name, const std::string& text = "mine") {
    std::ofstream(folder_ / name) << text;
  }

  void write_a_plate(const std::string& name) {
    Bits bits(20, 10);
    SoloTeam solo;
    const auto file = tiff::PlateFile::create(folder_ / name, 1 << 20);
    write_page(*file, page_of(bits.band()), bits.band(), tiff::Compression::kNone, "mezzotint 0.1");
    publish(*file, solo);
  }

  /// The message of the refusal; empty without one.
  std::string refusal() {
    try {
      run::refuse_foreign_files(sheet_, files_);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.what();
    }
    return "";
  }

  std::string side_refusal(const std::string& name) {
    try {
      run::refuse_foreign_side_file(sheet_, folder_ / name, files_);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  TempFolder folder_;
  files::FileSystem& files_ = files::FileSystem::real();
  plan::SheetPlan sheet_;
};

TEST_F(ReplacedFiles, AreTheProgramsPlatesAlone) {
  EXPECT_EQ(refusal(), "");
  write_a_plate("c.tif");
  EXPECT_EQ(refusal(), "");
  write("k.tif");
  EXPECT_EQ(refusal(),
            (folder_ / "k.tif") +
                ": this file was not written by mezzotint, and would be replaced; give another "
                "name, or replace it with --force or 'existing: overwrite' of the output");
}

TEST_F(ReplacedFiles, AreAnyFilesWhereTheSettingsSaySo) {
  write("k.tif");
  sheet_.settings.output.replace_any = true;
  EXPECT_EQ(refusal(), "");
}

TEST_F(ReplacedFiles, AreThoseThatTheJobKnows) {
  write("k.tif");
  sheet_.plates[1].own = files::mark_of(files_, folder_ / "k.tif");
  EXPECT_EQ(refusal(), "");
  write("k.tif", "mine, later");
  EXPECT_THAT(refusal(), HasSubstr("k.tif: this file was not written by mezzotint"));
}

TEST_F(ReplacedFiles, OfProofsAreNoPlates) {
  write_a_plate("proof.tif");
  EXPECT_THAT(side_refusal("proof.tif"), HasSubstr("a plate has that name"));
  sheet_.settings.output.replace_any = true;
  EXPECT_THAT(side_refusal("proof.tif"), HasSubstr("a plate has that name"));
  write("proof.png");
  EXPECT_EQ(side_refusal("proof.png"), "");
  sheet_.settings.output.replace_any = false;
  EXPECT_THAT(side_refusal("proof.png"), HasSubstr("not written by mezzotint"));
}

TEST_F(ReplacedFiles, OfASheetThatIsDoneStay) {
  plan::JobPlan plan;
  plan.sheets = {sheet_, sheet_};
  write("k.tif");
  run::refuse_foreign_files(plan, {{1, {}}});
  ASSERT_TRUE(plan.sheets[0].failure);
  EXPECT_EQ(plan.sheets[0].failure->kind, ErrorKind::kUsage);
  EXPECT_THAT(plan.sheets[0].failure->advice, HasSubstr("give another name"));
  EXPECT_FALSE(plan.sheets[1].failure);
}

}  // namespace
}  // namespace mezzo::test::replaced_files_test
