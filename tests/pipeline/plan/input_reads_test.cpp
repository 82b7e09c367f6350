// How often a plan, its run and its resumption open and describe an input.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>

#include "kernels/gpu/context.h"
#include "pipeline/plan/plan.h"
#include "pipeline/resume/resume.h"
#include "pipeline/run/job_runner.h"
#include "stages/tiff/plate/contone_writer.h"
#include "stages/tiff/read/reader.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::input_reads_test {
namespace {

constexpr uint32_t kRows = 20'000;

/// Offsets and sizes of the strips of the page: what describing it reads at the least.
constexpr uint64_t kTableBytes = uint64_t{kRows} * 6;

/// Counts how often inputs are opened.
class CountingFiles final : public files::FileSystem {
 public:
  int open(files::At at, int flags, unsigned mode) override {
    opens += at.name.ends_with("page.tif") && (flags & O_ACCMODE) == O_RDONLY;
    return FileSystem::open(at, flags, mode);
  }
  int opens = 0;
};

/// Bytes that this process has read so far.
uint64_t bytes_read() {
  std::ifstream io("/proc/self/io");
  std::string name;
  uint64_t bytes = 0;
  io >> name >> bytes;
  EXPECT_EQ(name, "rchar:");
  return bytes;
}

/// A job of one page with a strip for each of its rows.
class InputReads : public testing::Test {
 protected:
  explicit InputReads(uint32_t width_px = 8) {
    tiff::ContoneOptions options;
    options.width_px = width_px;
    options.height_px = kRows;
    options.compression = tiff::Compression::kPackBits;
    options.rows_per_strip = 1;
    const auto writer = tiff::ContoneWriter::create(input(), options);
    const std::vector<std::byte> row(width_px, std::byte{100});
    for (uint32_t y = 0; y < kRows; ++y) writer->write_rows(row.data(), 1);
    writer->finish();
    manifests::JobPage page;
    page.input = input();
    page.settings.output.path = folder_ / "plate.tif";
    page.settings.output.compression = "none";
    job_.pages.push_back(page);
    job_.limits.threads = 1;
  }
  std::string input() const { return folder_ / "page.tif"; }

  run::JobResult run(const plan::JobPlan& plan, const run::RunOptions& options = {}) {
    run::JobObserver nobody;
    const std::atomic<bool> stop = false;
    return run::run_job(plan, options, nobody, stop);
  }

  TempFolder folder_;
  CountingFiles files_;
  manifests::Job job_;
};

TEST_F(InputReads, APageIsDescribedWhenItsFileIsOpenedAndNotAgain) {
  const uint64_t before = bytes_read();
  const auto file = tiff::TiffFile::open(input());
  const uint64_t opened = bytes_read();
  EXPECT_GT(opened - before, kTableBytes);
  const auto reader = file->open_page(0, uint64_t{64} << 20);
  EXPECT_LT(bytes_read() - opened, kTableBytes / 2);
  EXPECT_EQ(reader->row_quantum(), 1U);
}

TEST_F(InputReads, AFileIsOpenedOnceForThePlanAndOnceForTheRun) {
  const plan::JobPlan plan = plan::make_plan(job_, {.files = &files_});
  EXPECT_EQ(files_.opens, 1);
  ASSERT_TRUE(run(plan).all_good());
  EXPECT_EQ(files_.opens, 2);
}

TEST_F(InputReads, AFileThatIsListedPageByPageIsOpenedOnceForThePlan) {
  for (const char* plate : {"second.tif", "third.tif"}) {
    job_.pages.push_back(job_.pages.front());
    job_.pages.back().pages = {0};
    job_.pages.back().settings.output.path = folder_ / plate;
  }
  const plan::JobPlan plan = plan::make_plan(job_, {.files = &files_});
  EXPECT_EQ(plan.sheets.size(), 3U);
  EXPECT_EQ(files_.opens, 1);
}

TEST_F(InputReads, ATouchedInputIsReadForItsDigestAlone) {
  const auto journal = resume::Journal::open(folder_ / "journal.db");
  run::RunOptions options;
  options.on_sealed = resume::enter_into(*journal);
  ASSERT_TRUE(run(plan::make_plan(job_), options).all_good());
  std::filesystem::last_write_time(input(), std::filesystem::file_time_type::clock::now());
  plan::JobPlan plan = plan::make_plan(job_);
  const uint64_t before = bytes_read();
  const resume::Resumed resumed = resume::take_done_sheets(plan, *journal);
  EXPECT_LT(bytes_read() - before, std::filesystem::file_size(input()) + kTableBytes / 2);
  EXPECT_EQ(resumed.done.size(), 1U);
}

/// A page that a search works on for many seconds.
class GpuInputReads : public InputReads {
 protected:
  GpuInputReads() : InputReads(4000) {}
};

TEST_F(GpuInputReads, AnEngineThatIsChosenLaterIsPlannedWithoutTheFile) {
  if (gpu::device_count() == 0) GTEST_SKIP() << "no GPU on this machine";
  job_.pages.front().settings.halftone = {.method = "dbs"};
  const plan::JobPlan plan = plan::make_plan(job_, {.files = &files_});
  EXPECT_EQ(plan.sheets.front().engine, Engine::kGpu) << plan.sheets.front().schedule_reason;
  EXPECT_EQ(files_.opens, 1);
}

}  // namespace
}  // namespace mezzo::test::input_reads_test
