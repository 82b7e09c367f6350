// How many of several GPUs a job is worth.
#include "pipeline/plan/gpus_that_pay.h"

#include <gtest/gtest.h>

#include "kernels/gpu/context.h"
#include "tests/stages/tiff/read/raw_tiff.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::gpus_that_pay_test {
namespace {

/// A page of 1000 x 1000 pixels of an ink, whose plate at 10,000 dpi has a hundred times a hundred as many: 10
/// gigapixels.
void write_page(const std::string& path) {
  RawTiff tiff;
  const uint32_t strip = tiff.size();
  tiff.append(std::string(1'000'000, 'x'));
  tiff.add_directory({{256, {1000}},
                      {257, {1000}},
                      {258, {8}},
                      {259, {1}},
                      {262, {0}},
                      {273, {strip}},
                      {277, {1}},
                      {278, {1000}},
                      {279, {1'000'000}}});
  tiff.save(path);
}

manifests::Job job_of(const std::string& file, size_t pages, const std::string& method) {
  manifests::Job job;
  for (size_t i = 0; i < pages; ++i) {
    manifests::JobPage page;
    page.input = file;
    page.settings.assumed_dpi = 100;
    page.settings.output.resolution_dpi = 10'000;
    page.settings.halftone.method = method;
    job.pages.push_back(page);
  }
  return job;
}

uint32_t of_four(const manifests::Job& job) {
  return plan::gpus_that_pay(job, files::FileSystem::real(), 4);
}

TEST(GpusThatPay, AreAsManyAsThePixelsOfScreensAreWorth) {
  const TempFolder folder;
  const std::string file = folder / "page.tif";
  write_page(file);
  EXPECT_EQ(of_four(job_of(file, 9, "am")), 1U);
  EXPECT_EQ(of_four(job_of(file, 10, "am")), 2U);
  EXPECT_EQ(of_four(job_of(file, 29, "am")), 3U);
  EXPECT_EQ(of_four(job_of(file, 30, "am")), 4U);
  EXPECT_EQ(of_four(job_of(file, 100, "am")), 4U);
  EXPECT_EQ(plan::gpus_that_pay(job_of(file, 1, "am"), files::FileSystem::real(), 0), 0U);
}

TEST(GpusThatPay, CountAllCopiesOfAPage) {
  const TempFolder folder;
  const std::string file = folder / "page.tif";
  write_page(file);
  manifests::Job job = job_of(file, 1, "am");
  job.pages.front().settings.geometry.copies = {.across = 3, .down = 3};
  EXPECT_EQ(of_four(job), 1U);
  job.pages.front().settings.geometry.copies = {.across = 5, .down = 2};
  EXPECT_EQ(of_four(job), 2U);
}

TEST(GpusThatPay, AreAllForOtherMethods) {
  const TempFolder folder;
  const std::string file = folder / "page.tif";
  write_page(file);
  EXPECT_EQ(of_four(job_of(file, 1, "dbs")), 4U);
  EXPECT_EQ(of_four(job_of(file, 1, "floyd-steinberg")), 4U);
  manifests::Job job = job_of(file, 1, "am");
  manifests::InkSettings& ink = job.pages.front().settings.inks.emplace_back();
  EXPECT_EQ(of_four(job), 1U) << "it has the page's method";
  ink.halftone.method = "dbs";
  EXPECT_EQ(of_four(job), 4U);
}

TEST(GpusThatPay, CountNoPageThatCannotBeOpened) {
  EXPECT_EQ(of_four(job_of("/nowhere/page.tif", 1000, "am")), 1U);
}

TEST(GpusThatPay, AreTheFirstOfTheList) {
  EXPECT_EQ(gpu::first_devices("0,1,2,3", 1), "0");
  EXPECT_EQ(gpu::first_devices("3,GPU-5ab,2", 2), "3,GPU-5ab");
  EXPECT_EQ(gpu::first_devices("3,1", 2), "3,1");
  EXPECT_EQ(gpu::first_devices("3,1", 5), "3,1");
}

}  // namespace
}  // namespace mezzo::test::gpus_that_pay_test
