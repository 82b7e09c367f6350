#include "pipeline/run/proof_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "manifests/job.h"
#include "pipeline/plan/plan.h"
#include "pipeline/run/job_runner.h"
#include "stages/files/confined_file_system.h"
#include "tests/stages/icc/written_profile.h"
#include "tests/stages/tiff/read/reader_fixture.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::proof_run_test {
namespace {

/// A job below work/, confined to it, whose proof has the colours of a profile outside.
class ConfinedProof : public ::testing::Test {
 protected:
  ConfinedProof() {
    ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    std::filesystem::create_directory(folder_ / "work");
    const ProfileBytes bytes = written_profile({});
    std::ofstream(folder_ / "press.icc", std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<long>(bytes.size()));
    const PageSpec cmyk{.samples = 4, .photometric = PHOTOMETRIC_SEPARATED};
    write_file(folder_ / "work/page.tif", cmyk, make_samples(cmyk));
    page_.input = folder_ / "work/page.tif";
    page_.settings.halftone.method = "bayer";
    page_.settings.output.path = folder_ / "work/{ink}.tif";
    page_.settings.colour.profile = folder_ / "press.icc";
    page_.settings.colour.assumed_cmyk = folder_ / "press.icc";
    page_.settings.assumed_dpi = 300;
    page_.settings.proof.emplace().path = folder_ / "work/proof.png";
    page_.settings.proof->colours = manifests::kColoursByProfile;
  }

  /// Warnings of the sheet.
  std::vector<std::string> run(bool is_press_profile) {
    manifests::Job job;
    job.pages = {page_};
    plan::JobPlan plan = plan::make_plan(job);
    plan.sheets.at(0).is_press_profile = is_press_profile;
    files::ConfinedFileSystem files({{.path = folder_ / "work", .write = true}});
    plan.files = &files;
    run::JobObserver nobody;
    const std::atomic<bool> stop = false;
    run::RunOptions options;
    options.simple = true;
    const run::SheetResult sheet = run::run_job(plan, options, nobody, stop).sheets.at(0);
    EXPECT_FALSE(sheet.failure) << sheet.failure->text();
    return sheet.warnings;
  }

  TempFolder folder_;
  manifests::JobPage page_;
};

TEST_F(ConfinedProof, HasTheProfileThatThePressFileNames) {
  EXPECT_THAT(run(true), testing::IsEmpty());
  EXPECT_TRUE(std::filesystem::exists(folder_ / "work/proof.png"));
}

TEST_F(ConfinedProof, HasNoOtherProfileFromOutside) {
  EXPECT_THAT(run(false), testing::Contains(testing::HasSubstr("press.icc")));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "work/proof.png"));
}

/// Inks over each other are mixed as filters, which a white on a dark shirt is not.
TEST_F(ConfinedProof, SaysWhichInksAreOpaque) {
  page_.settings.proof->colours = manifests::kColoursByInks;
  page_.settings.press = {"textile",
                          "",
                          {{"black", {}, proof::Lab{8, 0, 0}},
                           {"cyan", {}, proof::Lab{12, -5, -5}},
                           {"magenta", {}, proof::Lab{14, 5, 0}},
                           {"yellow", {}, proof::Lab{80, 0, 60}}},
                          proof::Lab{15, 0, 0}};
  const auto names_yellow = testing::Contains(testing::HasSubstr("over or under yellow, lighter"));
  EXPECT_THAT(run(true), names_yellow);
  page_.settings.press->overprints = {{{"black", "yellow"}, {70, 0, 50}}};
  EXPECT_THAT(run(true), testing::Not(names_yellow));
}

}  // namespace
}  // namespace mezzo::test::proof_run_test
