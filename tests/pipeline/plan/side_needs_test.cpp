#include "pipeline/plan/side_needs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pipeline/plan/plan.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tests/support/temp_folder.h"

namespace mezzo::plan::side_needs_test {
namespace {

constexpr uint64_t kMiB = 1 << 20;

class SideNeedsOfPage : public testing::Test {
 protected:
  /// A job of one page of four inks.
  manifests::Job job(uint32_t width_px, uint32_t height_px, double dpi, uint64_t memory_bytes) {
    tiff::ContoneOptions options;
    options.width_px = width_px;
    options.height_px = height_px;
    options.planes = 4;
    options.dpi = dpi;
    const auto writer = tiff::ContoneWriter::create(folder_ / "page.tif", options);
    const std::vector<std::byte> row(size_t{4} * width_px);
    for (uint32_t y = 0; y < height_px; ++y) writer->write_rows(row.data(), 1);
    writer->finish();
    manifests::Job job;
    job.limits.threads = 2;
    job.limits.memory_bytes = memory_bytes;
    manifests::JobPage page;
    page.input = folder_ / "page.tif";
    page.settings.halftone.method = "threshold";
    page.settings.output.path = folder_ / "{ink}.tif";
    job.pages.push_back(page);
    return job;
  }

  static SheetPlan sheet_of(const manifests::Job& job) { return make_plan(job).sheets.at(0); }

  manifests::ProofSettings proof() const {
    manifests::ProofSettings settings;
    settings.dpi = 1200;
    settings.path = folder_ / "proof.png";
    return settings;
  }

  test::TempFolder folder_;
};

TEST_F(SideNeedsOfPage, AProofAsFineAsAWidePlateTakesRowsOfAllOverprints) {
  manifests::Job wide = job(100'000, 8, 1200, 96 * kMiB);
  const SheetPlan plain = sheet_of(wide);
  wide.pages[0].settings.proof = proof();
  const SheetPlan sheet = sheet_of(wide);
  ASSERT_FALSE(sheet.failure) << sheet.failure->text();
  // 16 overprints of 8 bytes for each pixel of a row at least.
  EXPECT_GT(side_needs(sheet, 0, 2).memory_bytes, 100'000 * 16 * 8U);
  EXPECT_GE(sheet.memory_bytes, side_needs(sheet, 0, 2).memory_bytes);
  EXPECT_GE(sheet.disk_bytes, plain.disk_bytes + 3 * 100'000 * 8);
  // More threads make more rows at a time only as far as some MiB hold them.
  EXPECT_LT(side_needs(sheet, 0, 64).memory_bytes, 40 * kMiB);
}

TEST_F(SideNeedsOfPage, AProofThatDoesNotFitIsRefusedWithWhatWouldDo) {
  manifests::Job wide = job(100'000, 8, 1200, 512 * kMiB);
  wide.pages[0].settings.proof = proof();
  const uint64_t needed = side_needs(sheet_of(wide), 0, 2).memory_bytes + kProgramBytes;
  wide.limits.memory_bytes = needed;
  EXPECT_FALSE(sheet_of(wide).failure);
  wide.limits.memory_bytes = needed - 1;
  const SheetPlan sheet = sheet_of(wide);
  ASSERT_TRUE(sheet.failure);
  EXPECT_EQ(sheet.failure->kind, ErrorKind::kLimit);
  EXPECT_THAT(sheet.failure->text(), testing::HasSubstr("of memory for its proof, the limit is"));
}

TEST_F(SideNeedsOfPage, PreviewsAreOnDiskAndNotInMemory) {
  manifests::Job low = job(3000, 3000, 51, 96 * kMiB);
  const SheetPlan plain = sheet_of(low);
  low.pages[0].settings.ppf.emplace().path = folder_ / "page.ppf";
  const SheetPlan sheet = sheet_of(low);
  ASSERT_FALSE(sheet.failure) << sheet.failure->text();
  // Nearly as many pixels as the page, two digits for each ink.
  EXPECT_GT(sheet.disk_bytes, plain.disk_bytes + 4 * 2 * 2980 * 2980);
  EXPECT_LT(side_needs(sheet, 0, 2).memory_bytes, 16 * kMiB);
}

}  // namespace
}  // namespace mezzo::plan::side_needs_test
