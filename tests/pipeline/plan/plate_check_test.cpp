// Plates that would lie where a hot folder keeps files of its own.
#include "pipeline/plan/plate_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/temp_folder.h"

namespace mezzo::test {
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
    return failure->message;
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

}  // namespace
}  // namespace mezzo::test
