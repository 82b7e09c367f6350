// Jobs with tiles of thresholds: read once, refused where they changed, and the very screen that the
// kernels make of the same values.

#include "pipeline/plan/tiles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "kernels/base/error.h"
#include "kernels/screen/tile.h"
#include "pipeline/plan/plan.h"
#include "pipeline/run/job_runner.h"
#include "stages/screen/tile_file.h"
#include "stages/tiff/plate/contone_writer.h"
#include "stages/tiff/plate/plate_reader.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::tiles_test {
namespace {

using screen::ThresholdTile;
using ::testing::HasSubstr;

constexpr uint32_t kWidth = 150, kHeight = 90;

class Tiles : public ::testing::Test {
 protected:
  Tiles() {
    const auto writer = tiff::ContoneWriter::create(
        folder_ / "page.tif", {.width_px = kWidth, .height_px = kHeight, .planes = 4});
    std::vector<std::byte> row(kWidth * 4);
    for (uint32_t y = 0; y < kHeight; ++y) {
      for (size_t i = 0; i < row.size(); ++i) row[i] = sample(i / 4, y);
      writer->write_rows(row.data(), 1);
    }
    writer->finish();
    screen::write_tile(folder_ / "a.tif", tile_);
  }

  static std::byte sample(size_t x, size_t y) { return static_cast<std::byte>((x + 2 * y) % 256); }

  manifests::Job job(const HalftoneSettings& halftone) const {
    manifests::Job job;
    manifests::JobPage& page = job.pages.emplace_back();
    page.input = folder_ / "page.tif";
    page.settings.halftone = halftone;
    page.settings.output.path = folder_ / "{ink}.tif";
    return job;
  }

  static ThresholdTile some_tile(uint32_t factor) {
    ThresholdTile tile{23, 5, 9, {}};
    for (uint32_t i = 0; i < tile.width * tile.height; ++i) {
      tile.thresholds.push_back(static_cast<uint16_t>(i * factor % 115 * 35));
    }
    return tile;
  }

  void expect_screened(const std::string& ink, const ThresholdTile& tile) const {
    const tiff::Plate plate = tiff::read_plate(folder_ / (ink + ".tif"));
    for (uint32_t y = 0; y < kHeight; ++y) {
      for (uint32_t x = 0; x < kWidth; ++x) {
        const auto value = static_cast<uint32_t>(sample(x, y));
        const uint32_t tone = (value * 4096 + 127) / 255;  // rounded
        const uint8_t byte = plate.bits[y * ((kWidth + 7) / 8) + x / 8];
        ASSERT_EQ((byte >> (7 - x % 8) & 1) != 0, tone > tile.at(x, y))
            << ink << " " << x << " " << y;
      }
    }
  }

  const TempFolder folder_;
  const ThresholdTile tile_ = some_tile(37);
  const HalftoneSettings halftone_ = {.method = "tile", .tile = {.path = folder_ / "a.tif"}};
  const std::atomic<bool> stop_ = false;
};

TEST_F(Tiles, ScreenEachInkWithItsFile) {
  const ThresholdTile black = some_tile(41);
  screen::write_tile(folder_ / "k.tif", black);
  manifests::Job both = job(halftone_);
  both.pages[0].settings.inks = {
      {.ink = "black",
       .label = {},
       .halftone = {.method = {}, .tile = {.path = folder_ / "k.tif"}}},
      {.ink = "cyan", .label = {}, .halftone = {.method = {}, .parameters = {{"shift", 0}}}}};
  run::JobObserver nobody;
  const plan::JobPlan plan = plan::make_plan(both);
  ASSERT_TRUE(run::run_job(plan, {}, nobody, stop_).all_good());
  ThresholdTile unmoved = tile_;
  unmoved.shift = 0;
  expect_screened("magenta", tile_);
  expect_screened("yellow", tile_);
  expect_screened("cyan", unmoved);
  expect_screened("black", black);
  EXPECT_THAT(tiff::read_plate(folder_ / "magenta.tif").description,
              HasSubstr("method=tile; shift=9; values=thresholds; file=\"a.tif\"; file-xxh3="));
}

TEST_F(Tiles, AreThoseOfThePlanEvenIfTheFileChangesLater) {
  const plan::JobPlan plan = plan::make_plan(job(halftone_));
  screen::write_tile(folder_ / "a.tif", some_tile(41));
  run::JobObserver nobody;
  ASSERT_TRUE(run::run_job(plan, {}, nobody, stop_).all_good());
  expect_screened("cyan", tile_);
}

TEST_F(Tiles, AreRefusedWithAnotherDigest) {
  const plan::JobPlan first = plan::make_plan(job(halftone_));
  HalftoneSettings planned = first.sheets.at(0).settings.halftone;
  EXPECT_EQ(planned.tile.digest.size(), 32U);
  EXPECT_EQ(planned.parameters.at("shift"), 9);
  planned.tile.values = nullptr;
  EXPECT_FALSE(plan::make_plan(job(planned)).sheets.at(0).failure);
  screen::write_tile(folder_ / "a.tif", some_tile(41));
  const auto failure = plan::make_plan(job(planned)).sheets.at(0).failure;
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->kind, ErrorKind::kChecksum);
  EXPECT_EQ(
      failure->text(),
      (folder_ / "a.tif") +
          ": the thresholds are not those that the job was planned with; put the file back, or "
          "plan the job anew");
}

TEST_F(Tiles, FailTheirPageAlone) {
  manifests::Job two = job({.method = "tile", .tile = {.path = folder_ / "page.tif"}});
  two.pages.push_back(job(halftone_).pages[0]);
  two.pages[1].settings.output.path = folder_ / "second_{ink}.tif";
  const plan::JobPlan plan = plan::make_plan(two);
  ASSERT_TRUE(plan.sheets.at(0).failure);
  EXPECT_EQ(plan.sheets[0].failure->kind, ErrorKind::kUnsupported);
  EXPECT_FALSE(plan.sheets.at(1).failure);
}

TEST_F(Tiles, AreCountedOnceInThePlan) {
  manifests::Job two = job(halftone_);
  two.pages.push_back(two.pages[0]);
  plan::TileReader reader(files::FileSystem::real());
  for (manifests::JobPage& page : two.pages) reader.read(page.settings, nullptr);
  EXPECT_EQ(reader.bytes(), 2U * 23 * 5);
  EXPECT_EQ(two.pages[0].settings.halftone.tile.values, two.pages[1].settings.halftone.tile.values);
}

TEST_F(Tiles, AreDescribedByTheirLevels) {
  const plan::JobPlan plan = plan::make_plan(job(halftone_));
  EXPECT_EQ(plan::tile_text(plan.sheets.at(0).settings.halftone),
            "a.tif, 23 x 5 px, 116 levels, tints true to 2.6 %");
  EXPECT_EQ(plan::tile_text(halftone_), "a.tif");
  EXPECT_EQ(plan::tile_text({}), "");
}

}  // namespace
}  // namespace mezzo::test::tiles_test
