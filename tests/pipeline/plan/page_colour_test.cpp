// Which pages are converted to the inks of their press, and by which profiles.
#include "pipeline/plan/page_colour.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "kernels/base/error.h"
#include "pipeline/plan/plan.h"
#include "pipeline/run/job_runner.h"
#include "stages/colour/table_file.h"
#include "stages/icc/make_table.h"
#include "stages/tiff/plate/plate_reader.h"
#include "tests/stages/icc/written_profile.h"
#include "tests/stages/tiff/read/reader_fixture.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::page_colour_test {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const PageSpec kRgbPage{.samples = 3, .photometric = PHOTOMETRIC_RGB};
const PageSpec kCmykPage{.samples = 4, .photometric = PHOTOMETRIC_SEPARATED};
const PageSpec kLabPage{.samples = 3, .photometric = PHOTOMETRIC_CIELAB};

class PageColours : public ::testing::Test {
 protected:
  PageColours() {
    ::setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    write_bytes("press.icc", written_profile({}));
    write_bytes("other.icc", written_profile({.black = 0.7}));
    write_bytes("link.icc", written_link(cmsSigCmykData, 4));
  }

  void write_bytes(const std::string& name, const ProfileBytes& bytes) const {
    std::ofstream(folder_ / name, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<long>(bytes.size()));
  }

  void write_page(PageSpec spec, const ProfileBytes& profile = {}) const {
    if (!profile.empty()) {
      spec.more_tags = [&](TIFF* tiff) {
        TIFFSetField(
            tiff, TIFFTAG_ICCPROFILE, static_cast<uint32_t>(profile.size()), profile.data());
      };
    }
    write_file(folder_ / "page.tif", spec, make_samples(spec));
  }

  manifests::Job job(const manifests::ColourSettings& colour) const {
    manifests::Job job;
    manifests::JobPage& page = job.pages.emplace_back();
    page.input = folder_ / "page.tif";
    page.settings.colour = colour;
    page.settings.halftone.method = "bayer";
    page.settings.output.path = folder_ / "{ink}.tif";
    return job;
  }

  manifests::ColourSettings to_press() const { return {.profile = folder_ / "press.icc"}; }

  plan::SheetPlan planned(const manifests::ColourSettings& colour) const {
    return plan::make_plan(job(colour)).sheets.at(0);
  }

  std::string refusal(const manifests::ColourSettings& colour) const {
    const plan::SheetPlan sheet = planned(colour);
    return sheet.failure ? sheet.failure->text() : "not refused";
  }

  static std::string text_of(const plan::SheetPlan& sheet) {
    if (sheet.failure) return sheet.failure->text();
    const chain::PageColourPtr& colour = colour_of(sheet, 0);
    return colour == nullptr ? "not converted" : colour->conversion.text;
  }

  const TempFolder folder_;
};

TEST_F(PageColours, TakeTheProfileOfTheFileOrElseTheAssumedOne) {
  manifests::ColourSettings colour = to_press();
  write_page(kRgbPage);
  EXPECT_THAT(refusal(colour),
              EndsWith("page.tif: page 1 is RGB and has no profile, so its colours are not known; "
                       "name the profile with 'colour: {assume: {rgb: sRGB}}', or embed it"));
  colour.assumed_rgb = "sRGB";
  EXPECT_THAT(text_of(planned(colour)), HasSubstr("to a made-up press, relative"));
  write_page(kCmykPage, written_profile({.black = 0.6}));
  EXPECT_EQ(text_of(planned(colour)), "colour from a made-up press to a made-up press, relative");
  colour.ignores_embedded = true;
  EXPECT_EQ(text_of(planned(colour)), "not converted");
  EXPECT_THAT(planned(colour).warnings, ElementsAre(HasSubstr("the page keeps its CMYK")));
  colour.assumed_cmyk = folder_ / "other.icc";
  EXPECT_NE(text_of(planned(colour)), "not converted");
}

TEST_F(PageColours, StayAsTheyAreWithoutAProfileOfThePress) {
  write_page(kRgbPage);
  EXPECT_EQ(text_of(planned({.assumed_rgb = "sRGB"})), "not converted");
  EXPECT_THAT(planned({}).infos.at(0).inks, ElementsAre("black"));
  write_page(kLabPage);
  EXPECT_THAT(refusal({}),
              HasSubstr("is CIELAB, which is supported with a profile of the press only"));
  EXPECT_THAT(planned(to_press()).infos.at(0).inks,
              ElementsAre("cyan", "magenta", "yellow", "black"));
}

TEST_F(PageColours, OfThePressItselfStayAsTheyAre) {
  write_page(kCmykPage, written_profile({}));
  const plan::SheetPlan sheet = planned(to_press());
  EXPECT_EQ(text_of(sheet), "not converted");
  EXPECT_THAT(sheet.warnings, IsEmpty());
}

TEST_F(PageColours, OfGreyAreBlackUnlessManaged) {
  write_page({});
  manifests::ColourSettings colour = to_press();
  EXPECT_EQ(text_of(planned(colour)), "not converted");
  colour.grey = "managed";
  EXPECT_THAT(refusal(colour), HasSubstr("is grey and has no profile"));
  colour.assumed_grey = "sRGB";
  EXPECT_THAT(refusal(colour), HasSubstr("is of RGB, and the page is grey"));
}

TEST_F(PageColours, MustFitTheirProfiles) {
  write_page(kRgbPage, written_profile({}));
  EXPECT_THAT(refusal(to_press()), HasSubstr("is of CMYK, and the page is RGB"));
  EXPECT_THAT(refusal(to_press()), HasSubstr("'embedded: ignore'"));
  write_page(kRgbPage, ProfileBytes(200));
  EXPECT_THAT(refusal(to_press()), HasSubstr("page.tif: page 1: its profile"));
  EXPECT_THAT(refusal({.link = folder_ / "link.icc"}),
              HasSubstr("page 1 is RGB, and the device link"));
  write_page(kRgbPage);
  EXPECT_THAT(refusal({.profile = "sRGB", .assumed_rgb = "sRGB"}), HasSubstr("sRGB"));
  EXPECT_THAT(refusal({.profile = folder_ / "missing.icc"}), HasSubstr("missing.icc"));
}

TEST_F(PageColours, AreThoseOfADeviceLink) {
  write_page(kCmykPage);
  const plan::SheetPlan sheet = planned({.link = folder_ / "link.icc"});
  EXPECT_THAT(text_of(sheet), HasSubstr("colour by the device link"));
}

TEST_F(PageColours, AreInPlatesAndTheirDigests) {
  write_page(kCmykPage, written_profile({.black = 0.6}));
  const plan::JobPlan plan = plan::make_plan(job(to_press()));
  run::JobObserver nobody;
  const std::atomic<bool> stop = false;
  ASSERT_TRUE(run::run_job(plan, {}, nobody, stop).all_good());
  const std::string digest = colour_of(plan.sheets[0], 0)->conversion.digest;
  EXPECT_THAT(tiff::read_plate(folder_ / "cyan.tif").description,
              HasSubstr("colour=\"colour from a made-up press to a made-up press, relative\"; "
                        "colour-table=" +
                        digest));
}

TEST_F(PageColours, ComeFromFrozenTablesAlone) {
  write_page(kCmykPage, written_profile({.black = 0.6}));
  manifests::ColourSettings frozen = to_press();
  frozen.tables = folder_ / "tables";
  std::filesystem::create_directory(frozen.tables);
  EXPECT_THAT(refusal(frozen), HasSubstr("run 'mezzotint colour freeze' again"));
  const plan::SheetPlan made =
      plan::make_plan(job(to_press()), {.freeze_folder = frozen.tables}).sheets.at(0);
  const std::filesystem::path of_user = std::filesystem::directory_iterator(frozen.tables)->path();
  std::ofstream(of_user) << "mine";
  const plan::SheetPlan kept =
      plan::make_plan(job(to_press()), {.freeze_folder = frozen.tables}).sheets.at(0);
  ASSERT_TRUE(kept.failure);
  EXPECT_THAT(kept.failure->message, HasSubstr("was not written by mezzotint"));
  EXPECT_EQ(std::filesystem::file_size(of_user), 4);
  std::filesystem::remove(of_user);
  plan::make_plan(job(to_press()), {.freeze_folder = frozen.tables});
  const plan::SheetPlan read = planned(frozen);
  ASSERT_FALSE(read.failure) << read.failure->text();
  EXPECT_EQ(colour_of(read, 0)->conversion, colour_of(made, 0)->conversion);
  const std::filesystem::path table = std::filesystem::directory_iterator(frozen.tables)->path();
  const auto page = icc::Profile::parse(written_profile({.black = 0.6}), "page");
  const auto press = icc::Profile::read(frozen.profile);
  const std::string old = icc::old_table_key(page, &press, {});
  std::filesystem::rename(table, std::filesystem::path(frozen.tables) / (old + ".lut"));
  const plan::SheetPlan from_old = planned(frozen);
  ASSERT_FALSE(from_old.failure) << "a table of version 0.1: " << from_old.failure->text();
  EXPECT_EQ(colour_of(from_old, 0)->conversion, colour_of(made, 0)->conversion);
  for (const auto& entry : std::filesystem::directory_iterator(frozen.tables)) {
    std::filesystem::resize_file(entry.path(), 100);
  }
  EXPECT_THAT(refusal(frozen), HasSubstr("tables/"));
}

TEST_F(PageColours, OfAPlanAreReadAndNeverMade) {
  write_page(kCmykPage, written_profile({.black = 0.6}));
  const chain::PageColourPtr made = colour_of(planned(to_press()), 0);
  manifests::Job task = job(to_press());
  manifests::JobPage& page = task.pages[0];
  page.pages = {0};
  page.conversions = {made->conversion};
  page.table_folder = folder_ / "plan";
  page.settings.colour.profile = folder_ / "not on this machine.icc";
  EXPECT_THAT(plan::make_plan(task).sheets.at(0).failure->text(),
              HasSubstr(made->conversion.digest + ".lut"));
  std::filesystem::create_directory(page.table_folder);
  const std::string file = page.table_folder + "/" + made->conversion.digest + ".lut";
  colour::write_table(file, *made->table);
  EXPECT_EQ(colour_of(plan::make_plan(task).sheets.at(0), 0)->conversion, made->conversion);
  std::vector<uint16_t> nodes = made->table->nodes();
  nodes[1000] ^= 1;
  colour::write_table(file, prepress::ColourTable(made->table->shape(), nodes));
  EXPECT_EQ(plan::make_plan(task).sheets.at(0).failure->kind, ErrorKind::kData);
}

}  // namespace
}  // namespace mezzo::test::page_colour_test
