// Jobs whose plan would be too large.
#include "pipeline/plan/plan_size.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/base/error.h"
#include "pipeline/plan/plan.h"
#include "tests/stages/tiff/read/raw_tiff.h"
#include "tests/support/effort.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::plan_size_test {
namespace {

using ::testing::HasSubstr;

/// A file of many pages, 8 x 4 pixels of 16 inks each, that share one strip.
void write_pages(const std::string& path, uint32_t pages) {
  RawTiff tiff;
  const uint32_t strip = tiff.size();
  tiff.append(std::string(size_t{8} * 4 * 16, 'x'));
  for (uint32_t i = 0; i < pages; ++i) {
    tiff.add_directory({{256, {8}},
                        {257, {4}},
                        {258, std::vector<uint32_t>(16, 8)},
                        {259, {1}},
                        {262, {5}},
                        {273, {strip}},
                        {277, {16}},
                        {278, {4}},
                        {279, {8 * 4 * 16}},
                        {332, {2}}});
  }
  tiff.save(path);
}

manifests::Job job_of(const std::string& file, size_t times, uint64_t memory_bytes) {
  manifests::Job job;
  job.limits.memory_bytes = memory_bytes;
  for (size_t i = 0; i < times; ++i) {
    manifests::JobPage page;
    page.input = file;
    page.settings.output.path = file + "_" + std::to_string(i) + "_{page}_{ink}.tif";
    job.pages.push_back(page);
  }
  return job;
}

std::string refusal(const manifests::Job& job) {
  try {
    plan::make_plan(job);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kLimit);
    return error.what();
  }
  return "";
}

TEST(PlanSize, HasAPartOfTheMemory) {
  const TempFolder folder;
  write_pages(folder / "pages.tif", 1000);
  EXPECT_EQ(refusal(job_of(folder / "pages.tif", 1, 1ULL << 30)), "");
  EXPECT_THAT(refusal(job_of(folder / "pages.tif", 1, 48ULL << 20)),
              HasSubstr("pages.tif on the plan of the job is too large: that of all 16000 plates "
                        "would take about"));
}

TEST(PlanSize, HasNoRoomForThePagesOfOtherSheets) {
  const TempFolder folder;
  write_pages(folder / "pages.tif", 50);
  const plan::JobPlan plan = plan::make_plan(job_of(folder / "pages.tif", 1, 1ULL << 30));
  ASSERT_EQ(plan.sheets.size(), 50U);
  EXPECT_EQ(plan.sheets[7].pages.capacity(), 1U);
}

TEST(PlanSize, NamesTheMemoryThatWouldDo) {
  const TempFolder folder;
  write_pages(folder / "pages.tif", 1000);
  constexpr std::string_view kBegin = "needs at least ";
  const std::string text = refusal(job_of(folder / "pages.tif", 2, 48ULL << 20));
  EXPECT_THAT(text, HasSubstr("32000 plates"));
  const uint64_t mib = std::stoull(text.substr(text.find(kBegin) + kBegin.size()));
  EXPECT_EQ(refusal(job_of(folder / "pages.tif", 2, mib << 20)), "");
}

TEST(PlanSize, CountsThePlatesThatSettingsAdd) {
  const TempFolder folder;
  write_pages(folder / "pages.tif", 100);
  manifests::Job job = job_of(folder / "pages.tif", 1, 200ULL << 20);
  for (int i = 0; i < 240; ++i) {
    job.pages[0].settings.inks.push_back({.ink = "light" + std::to_string(i), .label = {}});
    job.pages[0].settings.inks.back().from = "ink1";
  }
  job.pages[0].settings.halftone.levels =
      LevelSettings{.drops = {0, 1, 2, 3, 4}, .format = LevelFormat::kPlanes};
  EXPECT_THAT(refusal(job_of(folder / "pages.tif", 1, 200ULL << 20)), "");
  EXPECT_THAT(refusal(job),
              HasSubstr("the plan of the job is too large: that of all 76800 plates"));
  job.pages[0].settings.inks.front().halftone.levels =
      LevelSettings{.drops = std::vector<double>(16), .format = LevelFormat::kPlanes};
  EXPECT_THAT(refusal(job), HasSubstr("the job has 102400 plates, the limit is 100000"));
}

TEST(PlanSize, HasRoomForTheSettingsAndPathsOfInks) {
  const TempFolder folder;
  write_pages(folder / "pages.tif", 100);
  manifests::Job job = job_of(folder / "pages.tif", 1, 48ULL << 20);
  ASSERT_EQ(refusal(job), "");
  job.pages[0].settings.inks = {
      {.ink = "ink1", .label = {}, .over = {{"output.path", "{page}" + std::string(4000, 'x')}}}};
  EXPECT_THAT(refusal(job), HasSubstr("that of all 1600 plates would take about"));
  job.pages[0].settings.inks.assign(300, {.ink = "ink1", .label = {}});
  EXPECT_THAT(refusal(job), HasSubstr("that of all 1600 plates would take about"));
}

TEST(PlanSize, IsCountedBeforeThePlanIsMade) {
  const TempFolder folder;
  // The second of many entries passes the limit; with plates for planes of levels, fewer pages do.
  const auto pages = effort::choose(1100U, 4096U);
  write_pages(folder / "pages.tif", pages);
  manifests::Job job = job_of(folder / "pages.tif", 5000, 8ULL << 30);
  for (manifests::JobPage& page : job.pages) {
    if (effort::full()) break;
    page.settings.halftone.levels =
        LevelSettings{.drops = {0, 1, 2, 3, 4}, .format = LevelFormat::kPlanes};
  }
  const uint64_t plates = uint64_t{2} * pages * 16 * effort::choose(3U, 1U);
  EXPECT_THAT(
      refusal(job),
      HasSubstr("the job has " + std::to_string(plates) + " plates, the limit is 100000; split"));
}

}  // namespace
}  // namespace mezzo::test::plan_size_test
