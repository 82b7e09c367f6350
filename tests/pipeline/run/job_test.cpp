// Whole jobs, from TIFF files to published plates.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <random>
#include <utility>

#include "pipeline/run/job_runner.h"
#include "stages/tiff/plate/contone_writer.h"
#include "stages/tiff/plate/plate_reader.h"
#include "tests/stages/tiff/plate/writer_support.h"

namespace mezzo::test::job_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Writes a page of noise and ramps; the same seed gives the same page.
void write_page_file(const std::string& path, tiff::ContoneOptions options, uint32_t seed = 1) {
  std::mt19937 random(seed);
  const auto writer = tiff::ContoneWriter::create(path, options);
  std::vector<std::byte> row(size_t{options.width_px} * options.planes * options.bits / 8);
  for (uint32_t y = 0; y < options.height_px; ++y) {
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] = static_cast<std::byte>(((i + y) / 2 + random() % 40) & 0xFF);
    }
    writer->write_rows(row.data(), 1);
  }
  writer->finish();
}

tiff::ContoneOptions grey(uint32_t width, uint32_t height) {
  tiff::ContoneOptions options;
  options.width_px = width;
  options.height_px = height;
  options.dpi = 600;
  return options;
}

const plan::PlanOptions kRecompute{.verify = tiff::VerifyLevel::kRecompute};

class Jobs : public ::testing::Test {
 protected:
  /// Adds a page to the job; its plate goes to `plate`.
  manifests::JobPage& add(const std::string& input, const std::string& plate) {
    manifests::JobPage page;
    page.input = folder_ / input;
    page.settings.output.path = folder_ / plate;
    job_.pages.push_back(page);
    return job_.pages.back();
  }

  run::JobResult run(const run::RunOptions& options = {}, const plan::PlanOptions& plan = {}) {
    run::JobObserver nobody;
    return run::run_job(plan::make_plan(job_, plan), options, nobody, stop_);
  }

  /// Writes type.tif, of one bit a pixel and 600 dpi.
  void make_linework(uint32_t width, uint32_t height, const std::string& compression = "auto") {
    const manifests::Job job = job_;
    job_.pages.clear();
    write_page_file(folder_ / "art.tif", grey(width, height), 5);
    manifests::PageSettings& settings = add("art.tif", "type.tif").settings;
    settings.halftone.method = "threshold";
    settings.output.compression = compression;
    ASSERT_TRUE(run().all_good());
    job_ = job;
  }

  manifests::Linework linework() const {
    manifests::Linework linework;
    linework.file = folder_ / "type.tif";
    return linework;
  }

  /// Runs the job by every executor, with bands of so many rows and several threads, each time
  /// recomputed: always the same plate.tif.
  void expect_one_plate(std::initializer_list<uint32_t> heights) {
    const run::JobResult expected = run({.simple = true, .shuffle_seed = {}}, kRecompute);
    ASSERT_TRUE(expected.all_good()) << expected.sheets.at(0).failure->text();
    const std::string bytes = content_of(folder_ / "plate.tif");
    for (const uint32_t rows : heights) {
      for (const uint32_t threads : {1U, 3U}) {
        job_.limits.threads = threads;
        const run::JobResult found =
            run({.simple = false, .shuffle_seed = rows},
                {.band_rows = rows, .verify = tiff::VerifyLevel::kRecompute});
        ASSERT_TRUE(found.all_good()) << found.sheets.at(0).failure->text();
        EXPECT_EQ(content_of(folder_ / "plate.tif"), bytes) << rows << " rows";
        EXPECT_EQ(found.sheets[0].plates[0].protection, expected.sheets[0].plates[0].protection);
      }
    }
  }

  /// Names in the folder that are neither inputs nor published plates.
  std::vector<std::string> leftovers() const {
    std::vector<std::string> found;
    for (const std::string& name : folder_.names()) {
      if (name.find(".part") != std::string::npos) found.push_back(name);
    }
    return found;
  }

  TempFolder folder_;
  manifests::Job job_;
  std::atomic<bool> stop_{false};
};

TEST_F(Jobs, GiveTheSamePlateByEveryExecutorAndBandHeight) {
  write_page_file(folder_ / "page.tif", grey(517, 389));
  add("page.tif", "plate.tif");
  expect_one_plate({1, 7, 64, 100, 389});
}

TEST_F(Jobs, OfAChainGiveTheSamePlateByEveryExecutorAndBandHeight) {
  write_page_file(folder_ / "page.tif", grey(61, 83));
  manifests::PageSettings& settings = add("page.tif", "plate.tif").settings;
  settings.halftone.method = "pinwheel";
  settings.output.resolution_dpi = 2540;
  settings.output.mirror = true;
  settings.protect = {true, true};
  expect_one_plate({1, 7, 32, 100, 351});
}

TEST_F(Jobs, WithLineworkGiveTheSamePlateByEveryExecutorAndBandHeight) {
  make_linework(517, 389);
  write_page_file(folder_ / "page.tif", grey(517, 389));
  add("page.tif", "plate.tif").linework = {linework()};
  expect_one_plate({1, 7, 64, 100, 389});
}

TEST_F(Jobs, WithSeveralLineworkGiveTheSamePlateByEveryExecutorAndBandHeight) {
  make_linework(517, 389);
  manifests::Linework knocked_out = linework(), each = linework();
  std::filesystem::rename(folder_ / "type.tif", folder_ / "other.tif");
  make_linework(517, 389, "lzw");
  std::filesystem::copy(folder_ / "type.tif", folder_ / "type_black.tif");
  knocked_out.file = folder_ / "other.tif";
  each.file = folder_ / "type_{ink}.tif";
  each.is_of_each_ink = true;
  write_page_file(folder_ / "page.tif", grey(517, 389));
  add("page.tif", "plate.tif").linework = {linework(), each, knocked_out};
  expect_one_plate({1, 7, 64, 100, 389});
}

TEST_F(Jobs, RefuseLineworkOfEachInkWithoutAFile) {
  write_page_file(folder_ / "page.tif", grey(64, 64));
  manifests::Linework each = linework();
  each.file = folder_ / "type_{ink}.tif";
  each.is_of_each_ink = true;
  add("page.tif", "plate.tif").linework = {each};
  const plan::JobPlan plan = plan::make_plan(job_);
  ASSERT_TRUE(plan.sheets.at(0).failure);
  EXPECT_EQ(plan.sheets[0].failure->kind, ErrorKind::kMissing);
  EXPECT_THAT(plan.sheets[0].failure->text(), HasSubstr("type_black.tif is missing"));
  ASSERT_EQ(plan.sheets[0].linework.size(), 1U);
  EXPECT_EQ(plan.sheets[0].linework[0].settings, each);
}

TEST_F(Jobs, RefuseLineworkThatChangesAfterThePlan) {
  make_linework(64, 64);
  write_page_file(folder_ / "page.tif", grey(64, 64));
  add("page.tif", "plate.tif").linework = {linework()};
  const plan::JobPlan plan = plan::make_plan(job_);
  make_linework(64, 65);
  run::JobObserver nobody;
  const run::JobResult found = run::run_job(plan, {}, nobody, stop_);
  ASSERT_TRUE(found.sheets.at(0).failure);
  EXPECT_EQ(found.sheets[0].failure->text(),
            (folder_ / "type.tif") +
                ": the line work changed after the job was planned; run the job again");
  EXPECT_THAT(leftovers(), IsEmpty());
}

TEST_F(Jobs, RefuseLineworkOtherThanAnotherMachinePlanned) {
  make_linework(64, 64);
  write_page_file(folder_ / "page.tif", grey(64, 64));
  add("page.tif", "plate.tif").linework = {linework()};
  job_.pages[0].linework.front().xxh3 = std::string(32, 'a');
  const plan::JobPlan plan = plan::make_plan(job_);
  ASSERT_TRUE(plan.sheets.at(0).failure);
  EXPECT_EQ(plan.sheets[0].failure->kind, ErrorKind::kChecksum);
}

TEST_F(Jobs, CountTheMemoryOfLinework) {
  make_linework(20'000, 64);
  write_page_file(folder_ / "page.tif", grey(20'000, 64));
  add("page.tif", "plate.tif");
  const uint64_t without = plan::make_plan(job_, {.band_rows = 16}).sheets[0].memory_bytes;
  job_.pages[0].linework = {linework()};
  const uint64_t with = plan::make_plan(job_, {.band_rows = 16}).sheets[0].memory_bytes;
  EXPECT_GE(with, without + 20'000 * 32 + 20'000 / 8 * 16);
}

TEST_F(Jobs, RepeatPixelsOfAPageThatIsScaledToTheNearest) {
  write_page_file(folder_ / "page.tif", grey(61, 47));
  for (const char* plate : {"plain.tif", "scaled.tif"}) {
    add("page.tif", plate).settings.halftone.method = "threshold";
  }
  manifests::PageSettings& scaled_settings = job_.pages.back().settings;
  scaled_settings.output.resolution_dpi = 2400;
  scaled_settings.scale = "nearest";
  scaled_settings.output.mirror = true;
  ASSERT_TRUE(run().all_good());
  const tiff::Plate plain = tiff::read_plate(folder_ / "plain.tif");
  const tiff::Plate scaled = tiff::read_plate(folder_ / "scaled.tif");
  ASSERT_EQ(scaled.page.width_px, 4U * 61);
  ASSERT_EQ(scaled.page.height_px, 4U * 47);
  EXPECT_EQ(scaled.page.resolution.x_dpi, 2400);
  const auto ink = [](const tiff::Plate& plate, uint32_t x, uint32_t y) {
    const size_t row = y * bit_row_bytes(plate.page.width_px);
    return (plate.bits[row + x / 8] >> (7 - x % 8) & 1) != 0;
  };
  for (uint32_t y = 0; y < scaled.page.height_px; ++y) {
    for (uint32_t x = 0; x < scaled.page.width_px; ++x) {
      ASSERT_EQ(ink(scaled, x, y), ink(plain, 60 - x / 4, y / 4)) << x << ", " << y;
    }
  }
}

/// Threads of this process while a page is made.
class CountedThreads final : public run::JobObserver {
 public:
  void pixels_done(uint64_t /*pixels*/) override {
    std::error_code error;
    size_t now = 0;
    for (std::filesystem::directory_iterator task("/proc/self/task", error), end;
         !error && task != end;
         task.increment(error)) {
      ++now;
    }
    if (now > most) most = now;
  }
  std::atomic<size_t> most = 0;
};

TEST_F(Jobs, StartNoMoreThreadsThanFindWork) {
  write_page_file(folder_ / "page.tif", grey(30, 20));
  add("page.tif", "plate.tif");
  job_.limits.threads = 1000;
  const plan::JobPlan plan = plan::make_plan(job_);
  EXPECT_EQ(plan.threads, 1000U) << "the plan may be for another machine";
  CountedThreads threads;
  ASSERT_TRUE(run::run_job(plan, {}, threads, stop_).all_good());
  EXPECT_GT(threads.most, 0U);
  EXPECT_LT(threads.most, 2 * std::max(16U, plan::available_threads()) + 40);
}

TEST_F(Jobs, ShowPicturesAndTimesWhereAskedForAndChangeNoBit) {
  tiff::ContoneOptions cmyk = grey(700, 500);
  cmyk.planes = 4;
  write_page_file(folder_ / "page.tif", cmyk);
  add("page.tif", "page_{ink}.tif");
  const run::JobResult without = run();
  ASSERT_TRUE(without.all_good());
  EXPECT_THAT(without.sheets[0].timeline, IsEmpty());

  struct Seen final : run::PictureSink {
    std::vector<PreviewImages> pages;
    void page_seen(const plan::SheetPlan&, size_t page, PreviewImages pictures) override {
      EXPECT_EQ(page, pages.size());
      pages.push_back(std::move(pictures));
    }
  } sink;
  const std::vector<PreviewImages>& seen = sink.pages;
  run::RunOptions options;
  options.pictures = &sink;
  const run::JobResult with = run(options, {.band_rows = 64});
  ASSERT_TRUE(with.all_good());
  ASSERT_EQ(seen.size(), 1U);
  ASSERT_EQ(seen[0].inks.size(), 4U);
  EXPECT_FALSE(with.sheets[0].timeline.empty());
  for (size_t i = 0; i < 4; ++i) {
    const run::PlateResult& plate = with.sheets[0].plates.at(i);
    EXPECT_EQ(plate.content_sum, without.sheets[0].plates.at(i).content_sum);
    const PreviewImages::Ink& ink = seen[0].inks[i];
    EXPECT_EQ(ink.name, plate.ink);
    double mean = 0;
    for (const uint8_t value : ink.plate.coverage) mean += value;
    mean /= 2.55 * static_cast<double>(ink.plate.coverage.size());
    EXPECT_NEAR(mean, plate.coverage_percent, 0.3);
    tiff::Plate read = tiff::read_plate(plate.path);
    const BitBand rows{read.bits.data(), 700, 500, bit_row_bytes(700)};
    for (uint32_t y = 0; y < ink.dots.height_px; ++y) {
      for (uint32_t x = 0; x < ink.dots.width_px; ++x) {
        const bool dot = ink.dots.coverage[size_t{y} * ink.dots.width_px + x] != 0;
        ASSERT_EQ(dot, rows.ink(seen[0].dots_x + x, seen[0].dots_y + y)) << x << ", " << y;
      }
    }
  }
}

TEST_F(Jobs, MakeANegativeOfTheFinishedPlate) {
  write_page_file(folder_ / "page.tif", grey(517, 89));
  const ToneSettings tone = {.points = {{0, 0}, {50, 70}, {100, 100}}};
  add("page.tif", "plate.tif").settings.tone = tone;
  manifests::PageSettings& settings = add("page.tif", "negative.tif").settings;
  settings.tone = tone;
  settings.output.negative = true;
  settings.output.compression = "g4";
  for (const bool simple : {true, false}) {
    const run::JobResult result = run({.simple = simple, .shuffle_seed = {}},
                                      {.band_rows = 7, .verify = tiff::VerifyLevel::kRecompute});
    ASSERT_TRUE(result.all_good()) << result.sheets.at(1).failure->text();
    const tiff::Plate plate = tiff::read_plate(folder_ / "plate.tif");
    const tiff::Plate negative = tiff::read_plate(folder_ / "negative.tif");
    ASSERT_EQ(plate.bits.size(), negative.bits.size());
    for (size_t i = 0; i < plate.bits.size(); ++i) {
      // Of 517 pixels the last byte of a row has 5; its padding is 0.
      const int mask = i % bit_row_bytes(517) == bit_row_bytes(517) - 1 ? 0xF8 : 0xFF;
      ASSERT_EQ(plate.bits[i] ^ mask, negative.bits[i]) << i;
    }
    EXPECT_NEAR(
        result.sheets[0].plates[0].coverage_percent + result.sheets[1].plates[0].coverage_percent,
        100,
        1e-9);
  }
}

TEST_F(Jobs, LookBelowTheMarginOfAPageThatIsReadFromItsTop) {
  tiff::ContoneOptions options = grey(2100, 2400);
  options.compression = tiff::Compression::kLzw;
  options.rows_per_strip = options.height_px;  // too large to be kept
  std::mt19937 random(1);
  const auto writer = tiff::ContoneWriter::create(folder_ / "page.tif", options);
  for (uint32_t y = 0; y < options.height_px; ++y) {
    std::vector<std::byte> row(options.width_px, std::byte{255});
    for (uint32_t x = 800; y >= 100 && x < 1300; ++x)
      row[x] = static_cast<std::byte>(random() % 256);
    writer->write_rows(row.data(), 1);
  }
  writer->finish();
  add("page.tif", "plate.tif");
  const run::JobResult result = run();
  ASSERT_TRUE(result.all_good()) << result.sheets.at(0).failure->text();
  // G4, the choice for blank paper, would be larger than raw.
  EXPECT_EQ(result.sheets[0].plates[0].compression, "packbits");
}

/// Writes a page that is blank where automatic compression looks at it, and noise elsewhere.
void write_page_that_turns(const std::string& path) {
  constexpr uint32_t kHeight = 2400;
  const tiff::ContoneOptions options = grey(1600, kHeight);
  std::mt19937 random(3);
  const auto writer = tiff::ContoneWriter::create(path, options);
  std::vector<std::byte> row(options.width_px);
  for (uint32_t y = 0; y < kHeight; ++y) {
    const uint32_t from_sample = (y + kHeight / 10) % (kHeight / 5);
    const bool is_blank = from_sample < 90 || from_sample > kHeight / 5 - 90;
    for (std::byte& sample : row) sample = std::byte(is_blank ? 255 : random() & 0xFF);
    writer->write_rows(row.data(), 1);
  }
  writer->finish();
}

TEST_F(Jobs, EndTheCodingOfAPageThatGetsLargerWhereverBandsEnd) {
  write_page_that_turns(folder_ / "page.tif");
  manifests::PageSettings& settings = add("page.tif", "plate.tif").settings;
  settings.halftone.method = "threshold";
  settings.output.compression = "g4";
  ASSERT_TRUE(run().all_good());
  ASSERT_GT(std::filesystem::file_size(folder_ / "plate.tif"), 200 * 2400U);
  settings.output.compression = "none";
  ASSERT_TRUE(run().all_good());
  const std::string raw = content_of(folder_ / "plate.tif");
  settings.output.compression = "auto";
  for (const bool simple : {false, true}) {
    for (const uint32_t rows : {1U, 41U, 500U}) {
      const run::JobResult result =
          run({.simple = simple, .shuffle_seed = rows}, {.band_rows = rows});
      ASSERT_TRUE(result.all_good()) << result.sheets.at(0).failure->text();
      EXPECT_EQ(result.sheets[0].plates[0].compression, "none");
      EXPECT_TRUE(content_of(folder_ / "plate.tif") == raw) << rows << " rows";
    }
  }
}

TEST_F(Jobs, TellByWhichLevelTheyWereVerified) {
  write_page_file(folder_ / "page.tif", grey(300, 200));
  for (const char* plate : {"a.tif", "b.tif"}) add("page.tif", plate);
  job_.pages[1].settings.output.verify = tiff::VerifyLevel::kBytes;
  add("missing.tif", "c.tif");
  const auto levels = [&](const plan::PlanOptions& plan) {
    const run::JobResult result = run({}, plan);
    EXPECT_FALSE(result.sheets.at(2).verified);
    return std::vector({result.sheets[0].verified.value(), result.sheets[1].verified.value()});
  };
  using tiff::VerifyLevel;
  EXPECT_THAT(levels({}), ElementsAre(VerifyLevel::kDecode, VerifyLevel::kBytes));
  for (const tiff::VerifyLevelInfo& info : tiff::verify_levels()) {
    EXPECT_THAT(levels({.verify = info.level}), ElementsAre(info.level, info.level));
  }
}

TEST_F(Jobs, MakeAPlateOfEveryInk) {
  tiff::ContoneOptions cmyk = grey(200, 150);
  cmyk.planes = 4;
  write_page_file(folder_ / "page.tif", cmyk);
  add("page.tif", "page_{ink}.tif");
  const run::JobResult result = run({.simple = false, .shuffle_seed = {}}, kRecompute);
  ASSERT_TRUE(result.all_good()) << result.sheets.at(0).failure->text();
  std::vector<std::string> inks;
  for (const run::PlateResult& plate : result.sheets[0].plates) {
    inks.push_back(plate.ink);
    const tiff::Plate read = tiff::read_plate(plate.path);
    EXPECT_EQ(read.page.ink, plate.ink);
    EXPECT_EQ(read.page.width_px, 200U);
    EXPECT_EQ(read.page.resolution.x_dpi, 600);
    EXPECT_GT(plate.coverage_percent, 10);
  }
  EXPECT_THAT(inks, ElementsAre("cyan", "magenta", "yellow", "black"));
}

TEST_F(Jobs, RefuseTwoPlatesOfOneName) {
  tiff::ContoneOptions cmyk = grey(20, 15);
  cmyk.planes = 4;
  write_page_file(folder_ / "a.tif", cmyk);
  write_page_file(folder_ / "b.tif", grey(20, 15));
  add("a.tif", "same.tif");
  add("b.tif", "same.tif");
  const run::JobResult result = run();
  ASSERT_TRUE(result.sheets.at(0).failure);
  EXPECT_THAT(result.sheets[0].failure->text(), HasSubstr("put {ink} into output.path"));
  ASSERT_TRUE(result.sheets.at(1).failure);
  EXPECT_THAT(result.sheets[1].failure->text(), HasSubstr("has that name already"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "same.tif"));
}

TEST_F(Jobs, RefuseTwoPlatesOfOneNameInAFolderOfTwoNames) {
  write_page_file(folder_ / "a.tif", grey(20, 15));
  write_page_file(folder_ / "b.tif", grey(20, 15));
  std::filesystem::create_directory_symlink(folder_.path(), folder_ / "link");
  add("a.tif", "new/same.tif");
  add("b.tif", "link/new/same.tif");
  const run::JobResult result = run();
  EXPECT_FALSE(result.sheets.at(0).failure);
  ASSERT_TRUE(result.sheets.at(1).failure);
  EXPECT_THAT(result.sheets[1].failure->text(), HasSubstr("has that name already"));
}

TEST_F(Jobs, LeaveNothingOfAFailedPageAndLoseNothingOfAGoodOne) {
  write_page_file(folder_ / "good1.tif", grey(300, 200));
  write_page_file(folder_ / "good2.tif", grey(100, 400), 2);
  tiff::ContoneOptions packed = grey(300, 200);
  packed.compression = tiff::Compression::kDeflate;
  write_page_file(folder_ / "damaged.tif", packed);
  std::string bytes = content_of(folder_ / "damaged.tif");
  for (size_t i = bytes.size() / 3; i < bytes.size() / 2; ++i) bytes[i] = 'x';
  std::ofstream(folder_ / "damaged.tif", std::ios::binary) << bytes;
  add("good1.tif", "p1.tif");
  add("damaged.tif", "p2.tif");
  add("good2.tif", "p3.tif");
  add("missing.tif", "p4.tif");
  const run::JobResult result = run();
  ASSERT_EQ(result.sheets.size(), 4U);
  EXPECT_FALSE(result.sheets[0].failure);
  EXPECT_FALSE(result.sheets[2].failure);
  ASSERT_TRUE(result.sheets[1].failure);
  EXPECT_EQ(result.sheets[1].failure->kind, ErrorKind::kData);
  EXPECT_THAT(result.sheets[1].failure->text(), HasSubstr("damaged.tif"));
  ASSERT_TRUE(result.sheets[3].failure);
  EXPECT_EQ(result.sheets[3].failure->kind, ErrorKind::kMissing);
  EXPECT_TRUE(std::filesystem::exists(folder_ / "p1.tif"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "p3.tif"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "p2.tif"));
  EXPECT_THAT(leftovers(), IsEmpty());
}

TEST_F(Jobs, RefuseAFileThatTheManifestDoesNotName) {
  write_page_file(folder_ / "page.tif", grey(30, 20));
  add("page.tif", "plate.tif").sha256 = std::string(64, '0');
  const run::JobResult result = run();
  ASSERT_TRUE(result.sheets.at(0).failure);
  EXPECT_EQ(result.sheets[0].failure->kind, ErrorKind::kChecksum);
  EXPECT_THAT(result.sheets[0].failure->text(), HasSubstr("expected 0000"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "plate.tif"));
}

TEST_F(Jobs, KeepAnOlderPlateWhenToldTo) {
  write_page_file(folder_ / "page.tif", grey(30, 20));
  std::ofstream(folder_ / "plate.tif") << "older";
  add("page.tif", "plate.tif").settings.output.replace = false;
  const run::JobResult result = run();
  ASSERT_TRUE(result.sheets.at(0).failure);
  EXPECT_EQ(result.sheets[0].failure->kind, ErrorKind::kCannotCreate);
  EXPECT_EQ(content_of(folder_ / "plate.tif"), "older");
}

TEST_F(Jobs, KeepAFileThatIsNoPlate) {
  write_page_file(folder_ / "page.tif", grey(30, 20));
  write_page_file(folder_ / "plate.tif", grey(30, 20), 2);
  const std::string bytes = content_of(folder_ / "plate.tif");
  manifests::JobPage& page = add("page.tif", "plate.tif");
  const run::JobResult result = run();
  ASSERT_TRUE(result.sheets.at(0).failure);
  EXPECT_EQ(result.sheets[0].failure->kind, ErrorKind::kUsage);
  EXPECT_EQ(content_of(folder_ / "plate.tif"), bytes);
  EXPECT_THAT(leftovers(), IsEmpty());
  page.settings.output.replace_any = true;
  EXPECT_TRUE(run().all_good());
  EXPECT_NE(content_of(folder_ / "plate.tif"), bytes);
}

TEST_F(Jobs, KeepAFileThatComesWhileThePageIsMade) {
  write_page_file(folder_ / "page.tif", grey(30, 20));
  add("page.tif", "plate.tif");
  struct Stranger final : run::JobObserver {
    explicit Stranger(std::string file) : path(std::move(file)) {}
    void pixels_done(uint64_t /*pixels*/) override { std::ofstream(path) << "mine"; }
    const std::string path;
  } stranger(folder_ / "plate.tif");
  const run::JobResult result = run::run_job(plan::make_plan(job_), {}, stranger, stop_);
  ASSERT_TRUE(result.sheets.at(0).failure);
  EXPECT_THAT(result.sheets[0].failure->message, HasSubstr("was not written by mezzotint"));
  EXPECT_EQ(content_of(folder_ / "plate.tif"), "mine");
  EXPECT_THAT(leftovers(), IsEmpty());
}

/// Does something to a file once the first band of its page is halftoned, and puts its modification time
/// back, until the disk's clock gives it a new time of the last change.
class Meddler final : public run::JobObserver {
 public:
  Meddler(std::string path, std::function<void(int file)> change)
      : path_(std::move(path)), change_(std::move(change)) {}

  void pixels_done(uint64_t pixels) override {
    if (pixels == 0 || std::exchange(is_done_, true)) return;
    const auto before = files::mark_of(files::FileSystem::real(), path_);
    const int file = ::open(path_.c_str(), O_RDWR);
    struct stat found {};
    ASSERT_EQ(::fstat(file, &found), 0);
    const timespec times[] = {found.st_atim, found.st_mtim};
    do {
      change_(file);
      ASSERT_EQ(::futimens(file, times), 0);
    } while (files::mark_of(files::FileSystem::real(), path_) == before);
    ::close(file);
  }

 private:
  const std::string path_;
  const std::function<void(int file)> change_;
  bool is_done_ = false;
};

class TouchedJobs : public Jobs {
 protected:
  TouchedJobs() {
    tiff::ContoneOptions options = grey(64, 600);
    options.rows_per_strip = 8;
    write_page_file(folder_ / "page.tif", options);
    add("page.tif", "plate.tif");
  }

  /// The only sheet, during whose run `change` is done to `name`.
  run::SheetResult run_with(const std::string& name, std::function<void(int file)> change) {
    Meddler meddler(folder_ / name, std::move(change));
    run::RunOptions options{.simple = true, .shuffle_seed = {}};
    options.on_sealed = [this](const run::SealedSheet& sealed) { digest_ = sealed.input_digest; };
    return run::run_job(plan::make_plan(job_, {.band_rows = 8}), options, meddler, stop_)
        .sheets.at(0);
  }

  /// Rows of the page, from `first` on. The first 8 are read by then.
  static void write_rows(int file, uint32_t first) {
    const std::vector<char> rows(64 * 100, 'x');
    constexpr off_t kHeader = 8;
    ASSERT_EQ(::pwrite(file, rows.data(), rows.size(), kHeader + 64 * first), 64 * 100);
  }

  std::string digest_;
};

TEST_F(TouchedJobs, MakeNoPlateOfAPageThatIsRewrittenBehindItsTime) {
  const auto result = run_with("page.tif", [](int file) { write_rows(file, 0); });
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.failure->kind, ErrorKind::kData);
  EXPECT_THAT(result.failure->message, HasSubstr("its modification time was put back"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "plate.tif"));
  EXPECT_THAT(leftovers(), IsEmpty());
  ASSERT_TRUE(run().all_good()) << "it is whole now";
  // Rows that are not read yet: the plate is of the page as it is then.
  EXPECT_FALSE(run_with("page.tif", [](int file) { write_rows(file, 400); }).failure);
  const std::string plate = content_of(folder_ / "plate.tif");
  ASSERT_TRUE(run().all_good());
  EXPECT_EQ(content_of(folder_ / "plate.tif"), plate);
}

TEST_F(TouchedJobs, AreMadeOfPagesWithNewRightsOrNames) {
  ASSERT_FALSE(run_with("page.tif", [](int) {}).failure);
  const std::string plate = content_of(folder_ / "plate.tif"), digest = digest_;
  EXPECT_FALSE(run_with("page.tif", [](int file) { ASSERT_EQ(::fchmod(file, 0600), 0); }).failure);
  EXPECT_EQ(digest_, digest);
  EXPECT_FALSE(run_with("page.tif", [this](int) {
                 std::filesystem::create_hard_link(folder_ / "page.tif", folder_ / "copy.tif");
                 std::filesystem::remove(folder_ / "copy.tif");
               }).failure);
  EXPECT_EQ(digest_, digest);
  // Another file takes its name: that which is open is read to its end.
  EXPECT_FALSE(run_with("page.tif", [this](int) {
                 write_page_file(folder_ / "new.tif", grey(64, 600), 3);
                 std::filesystem::rename(folder_ / "new.tif", folder_ / "page.tif");
               }).failure);
  EXPECT_EQ(content_of(folder_ / "plate.tif"), plate);
}

TEST_F(TouchedJobs, AreOfOneStateOfTheirLinework) {
  make_linework(64, 600, "none");
  job_.pages[0].linework = {linework()};
  EXPECT_FALSE(run_with("type.tif", [](int file) { ASSERT_EQ(::fchmod(file, 0600), 0); }).failure);
  const auto result = run_with("type.tif", [this](int file) {
    const auto bytes = std::filesystem::file_size(folder_ / "type.tif");
    ASSERT_EQ(::pwrite(file, "\x55\x54\x55", 3, static_cast<off_t>(bytes / 2)), 3);
  });
  ASSERT_TRUE(result.failure);
  EXPECT_THAT(result.failure->message, HasSubstr("the line work was changed while it was read"));
}

TEST_F(Jobs, KeepThePlatesOfOtherPagesWhenToldTo) {
  const run::RunOptions keep{.keep_others = true};
  write_page_file(folder_ / "page.tif", grey(30, 20));
  manifests::JobPage& page = add("page.tif", "plate.tif");
  ASSERT_TRUE(run(keep).all_good());
  page.settings.halftone.method = "threshold";
  ASSERT_TRUE(run(keep).all_good());  // the same page, made anew
  const std::string bytes = content_of(folder_ / "plate.tif");

  write_page_file(folder_ / "page.tif", grey(30, 20), 2);
  const run::JobResult other = run(keep);
  ASSERT_TRUE(other.sheets.at(0).failure);
  EXPECT_EQ(other.sheets[0].failure->kind, ErrorKind::kUsage);
  EXPECT_THAT(other.sheets[0].failure->text(),
              HasSubstr("a plate of another page, or another file, has this name"));
  EXPECT_EQ(content_of(folder_ / "plate.tif"), bytes);
  EXPECT_THAT(leftovers(), IsEmpty());

  std::ofstream(folder_ / "plate.tif") << "of another program";
  ASSERT_TRUE(run(keep).sheets.at(0).failure);
  ASSERT_TRUE(run().sheets.at(0).failure);
  EXPECT_EQ(content_of(folder_ / "plate.tif"), "of another program");
}

TEST_F(Jobs, KeepThePlatesOfOtherPagesWhoseNamesManyDisksTakeForTheirs) {
  const run::RunOptions keep{.keep_others = true};
  write_page_file(folder_ / "page.tif", grey(30, 20));
  manifests::JobPage& page = add("page.tif", "Gr\u00FCn.tif");
  ASSERT_TRUE(run(keep).all_good());
  write_page_file(folder_ / "page.tif", grey(30, 20), 2);
  for (const char* name : {"gr\u00FCn.tif", "Gru\u0308n.tif"}) {
    page.settings.output.path = folder_ / name;
    const run::JobResult other = run(keep);
    ASSERT_TRUE(other.sheets.at(0).failure) << name;
    EXPECT_THAT(other.sheets[0].failure->message, HasSubstr("Gr\u00FCn.tif differs in "));
    EXPECT_THAT(leftovers(), IsEmpty());
  }
  page.settings.output.path = folder_ / "Grun.tif";
  EXPECT_TRUE(run(keep).all_good());
  page.settings.output.path = folder_ / "gr\u00FCn.tif";
  EXPECT_TRUE(run().all_good());
}

TEST_F(Jobs, KeepThePlatesOfOtherPagesBeforeTheWork) {
  struct Pixels final : run::JobObserver {
    void pixels_done(uint64_t pixels) override { done += pixels; }
    std::atomic<uint64_t> done{0};
  } pixels;
  const run::RunOptions keep{.keep_others = true};
  write_page_file(folder_ / "page.tif", grey(30, 20));
  add("page.tif", "plate.tif");
  ASSERT_TRUE(run::run_job(plan::make_plan(job_), keep, pixels, stop_).all_good());
  EXPECT_EQ(pixels.done, 600U);
  ASSERT_TRUE(run::run_job(plan::make_plan(job_), keep, pixels, stop_).all_good());
  EXPECT_EQ(pixels.done, 1200U) << "the same page is made again";
  write_page_file(folder_ / "page.tif", grey(30, 20), 2);
  ASSERT_TRUE(run::run_job(plan::make_plan(job_), keep, pixels, stop_).sheets.at(0).failure);
  EXPECT_EQ(pixels.done, 1200U) << "another page is not begun";
}

TEST_F(Jobs, NameTheMemoryThatAPageNeeds) {
  tiff::ContoneOptions wide = grey(20'000, 64);
  wide.planes = 4;
  wide.bits = 16;
  wide.tile_width_px = 512;
  wide.tile_height_px = 256;
  write_page_file(folder_ / "page.tif", wide);
  add("page.tif", "plate_{ink}.tif");
  job_.limits.memory_bytes = plan::kLeastMemoryBytes;
  const run::JobResult result = run();
  ASSERT_TRUE(result.sheets.at(0).failure);
  EXPECT_EQ(result.sheets[0].failure->kind, ErrorKind::kLimit);
  EXPECT_THAT(result.sheets[0].failure->text(),
              HasSubstr("MiB of memory, the limit is 48 MiB; raise limits.memory or --memory"));
}

TEST_F(Jobs, NameTheLeastMemoryOfAll) {
  write_page_file(folder_ / "page.tif", grey(50, 64));
  add("page.tif", "plate.tif");
  job_.limits.memory_bytes = 20 << 20;
  const run::JobResult result = run();
  ASSERT_TRUE(result.sheets.at(0).failure);
  EXPECT_THAT(result.sheets[0].failure->text(),
              HasSubstr("the memory limit is 20 MiB, a job needs at least 48 MiB"));
}

TEST_F(Jobs, NeverReplaceAnInput) {
  write_page_file(folder_ / "page.tif", grey(50, 64));
  const std::string bytes = content_of(folder_ / "page.tif");
  std::filesystem::create_directory_symlink(folder_.path(), folder_ / "link");
  std::filesystem::create_directory(folder_ / "plates");
  std::filesystem::create_hard_link(folder_ / "page.tif", folder_ / "other.tif");
  for (const char* plate : {"page.tif", "link/page.tif", "plates/../page.tif", "other.tif"}) {
    job_.pages.clear();
    add("page.tif", plate);
    const run::JobResult result = run();
    ASSERT_TRUE(result.sheets.at(0).failure) << plate;
    EXPECT_EQ(result.sheets[0].failure->kind, ErrorKind::kCannotCreate);
    EXPECT_THAT(result.sheets[0].failure->text(), HasSubstr("would replace an input"));
    EXPECT_EQ(content_of(folder_ / "page.tif"), bytes);
  }
}

TEST_F(Jobs, NeverReplaceADevice) {
  write_page_file(folder_ / "page.tif", grey(50, 64));
  ASSERT_EQ(::mkfifo((folder_ / "pipe.tif").c_str(), 0600), 0);
  add("page.tif", "pipe.tif");
  const run::JobResult result = run();
  ASSERT_TRUE(result.sheets.at(0).failure);
  EXPECT_EQ(result.sheets[0].failure->kind, ErrorKind::kCannotCreate);
  EXPECT_THAT(result.sheets[0].failure->text(), HasSubstr("a device, pipe or socket"));
  EXPECT_TRUE(std::filesystem::is_fifo(folder_ / "pipe.tif"));
}

TEST_F(Jobs, StopWhenAsked) {
  for (int i = 0; i < 8; ++i) {
    const std::string name = "page" + std::to_string(i);
    write_page_file(folder_ / (name + ".tif"), grey(400, 400));
    add(name + ".tif", name + "_plate.tif");
  }
  struct StopSoon final : run::JobObserver {
    explicit StopSoon(std::atomic<bool>& flag) : stop(flag) {}
    void pixels_done(uint64_t) override { stop = true; }
    std::atomic<bool>& stop;
  } observer(stop_);
  job_.limits.threads = 2;
  const run::JobResult result =
      run::run_job(plan::make_plan(job_, {.band_rows = 16}), {}, observer, stop_);
  EXPECT_TRUE(result.interrupted);
  EXPECT_LT(result.sheets.size(), 8U);
  for (const run::SheetResult& sheet : result.sheets) {
    ASSERT_TRUE(sheet.failure);
    EXPECT_EQ(sheet.failure->kind, ErrorKind::kInterrupted);
  }
  EXPECT_THAT(leftovers(), IsEmpty());
}

/// Throws once, as a halftoner does on a GPU that is lost; everything else is on the CPU.
struct LoseTheGpuOnce final : run::JobObserver {
  void pixels_done(uint64_t) override {
    if (!thrown.exchange(true)) throw Error(ErrorKind::kDeviceLost, "the GPU is gone");
  }
  std::atomic<bool> thrown{false};
};

TEST_F(Jobs, BeginNoMoreWhenAGpuIsLostAndFinishWhatIsElsewhere) {
  for (int i = 0; i < 8; ++i) {
    const std::string name = "page" + std::to_string(i);
    write_page_file(folder_ / (name + ".tif"), grey(400, 400));
    add(name + ".tif", name + "_plate.tif");
  }
  LoseTheGpuOnce observer;
  job_.limits.threads = 1;
  const run::JobResult result =
      run::run_job(plan::make_plan(job_, {.band_rows = 16}), {}, observer, stop_);
  EXPECT_TRUE(result.device_lost);
  EXPECT_FALSE(result.interrupted);
  EXPECT_FALSE(result.all_good());
  EXPECT_LT(result.sheets.size(), 8U);
  int lost = 0;
  for (const run::SheetResult& sheet : result.sheets) {
    if (!sheet.failure) {
      EXPECT_TRUE(std::filesystem::exists(sheet.plates.at(0).path));
      continue;
    }
    ++lost;
    EXPECT_EQ(sheet.failure->kind, ErrorKind::kDeviceLost);
    EXPECT_EQ(sheet.failure->text(), sheet.input + ": the GPU is gone");
  }
  EXPECT_EQ(lost, 1);
  EXPECT_THAT(leftovers(), IsEmpty());
}

TEST_F(Jobs, RunAgainAfterAGpuWasLost) {
  write_page_file(folder_ / "page.tif", grey(400, 400));
  add("page.tif", "plate.tif");
  LoseTheGpuOnce observer;
  EXPECT_TRUE(run::run_job(plan::make_plan(job_), {}, observer, stop_).device_lost);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "plate.tif"));
  EXPECT_TRUE(run({.simple = false, .shuffle_seed = {}}, kRecompute).all_good());
}

TEST_F(Jobs, DoNotPublishWhatIsStoppedWhileItIsVerified) {
  write_page_file(folder_ / "page.tif", grey(400, 400));
  add("page.tif", "plate.tif");
  struct StopAtTheEnd final : run::JobObserver {
    explicit StopAtTheEnd(std::atomic<bool>& flag) : stop(flag) {}
    void pixels_done(uint64_t pixels) override {
      done += pixels;
      if (done == 400 * 400) stop = true;
    }
    std::atomic<uint64_t> done{0};
    std::atomic<bool>& stop;
  } observer(stop_);
  const run::JobResult result = run::run_job(
      plan::make_plan(job_, kRecompute), {.simple = false, .shuffle_seed = {}}, observer, stop_);
  ASSERT_TRUE(result.sheets.at(0).failure);
  EXPECT_EQ(result.sheets[0].failure->kind, ErrorKind::kInterrupted);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "plate.tif"));
  EXPECT_THAT(leftovers(), IsEmpty());
}

TEST_F(Jobs, NeverMakeAPlateLargerThanRawByThemselves) {
  write_page_file(folder_ / "page.tif", grey(1000, 900));
  add("page.tif", "plate.tif");
  const run::JobResult result = run();
  ASSERT_TRUE(result.all_good());
  const uint64_t raw = bit_row_bytes(1000) * 900;
  EXPECT_LE(result.sheets[0].plates[0].file_bytes, raw + 4096);
}

TEST(Manifests, KnowTheCompressionsOfTheWriter) {
  const auto is_accepted = [](std::string_view name) {
    const std::string text =
        "mezzotint: 1\njob: x\npages: [{input: a.tif, output: {compression: " + std::string(name) +
        "}}]\n";
    return std::holds_alternative<manifests::JobDraftPtr>(
        manifests::parse_manifest(text, "m.yaml"));
  };
  std::string all;
  for (const tiff::CompressionInfo& info : tiff::compressions()) {
    EXPECT_TRUE(is_accepted(info.name)) << info.name;
    all += (all.empty() ? "\"" : ", \"") + std::string(info.name) + "\"";
  }
  EXPECT_FALSE(is_accepted("jpeg"));
  std::string schema = manifests::manifest_schema();
  std::erase_if(schema, [](char c) { return c == '\n' || c == ' '; });
  std::erase(all, ' ');
  EXPECT_THAT(schema, HasSubstr("\"enum\":[" + all + "]"));
}

TEST_F(Jobs, SayWhereAPlateCameFrom) {
  write_page_file(folder_ / "page.tif", grey(64, 48));
  manifests::JobPage& page = add("page.tif", "plate.tif");
  page.settings.halftone.method = "threshold";
  page.settings.tone.gamma = 0.9;
  ASSERT_TRUE(run().all_good());
  const tiff::Plate plate = tiff::read_plate(folder_ / "plate.tif");
  EXPECT_THAT(plate.software, HasSubstr("mezzotint "));
  EXPECT_THAT(plate.description,
              HasSubstr("method=threshold; level=50; tone=gamma 0.9; ink=black; input=page.tif; "
                        "page=1; samples-xxh3="));
}

TEST_F(Jobs, SayWhichChoicesAPlateWasMadeWith) {
  write_page_file(folder_ / "page.tif", grey(64, 48));
  add("page.tif", "plain.tif").settings.halftone.method = "pinwheel";
  HalftoneSettings& chosen = add("page.tif", "chosen.tif").settings.halftone;
  chosen.method = "pinwheel";
  chosen.parameters = {{"path", 1.0}};
  ASSERT_TRUE(run().all_good());
  EXPECT_THAT(tiff::read_plate(folder_ / "plain.tif").description,
              HasSubstr("method=pinwheel; block=16; path=spiral; weights=tone-dependent; "));
  EXPECT_THAT(tiff::read_plate(folder_ / "chosen.tif").description,
              HasSubstr("method=pinwheel; block=16; path=serpentine; weights=tone-dependent; "));
}

TEST_F(Jobs, BeginNoSheetAfterTheDeadline) {
  write_page_file(folder_ / "page.tif", grey(64, 48));
  add("page.tif", "plate.tif");
  run::RunOptions options;
  options.deadline = std::chrono::system_clock::time_point{};
  const run::JobResult late = run(options);
  EXPECT_TRUE(late.out_of_time);
  EXPECT_THAT(late.sheets, IsEmpty());
  EXPECT_FALSE(late.all_good());
  options.deadline = std::chrono::system_clock::time_point::max();
  EXPECT_TRUE(run(options).all_good());
}

TEST_F(Jobs, KeepAPlateThatAppearsWhileTheirsIsMade) {
  struct Rival final : run::JobObserver {
    explicit Rival(std::string its_plate) : plate(std::move(its_plate)) {}
    void pixels_done(uint64_t) override { std::ofstream(plate) << "of another job"; }
    std::string plate;
  } rival(folder_ / "plate.tif");
  write_page_file(folder_ / "page.tif", grey(64, 48));
  add("page.tif", "plate.tif");
  run::RunOptions options;
  options.keep_others = true;
  const run::JobResult result = run::run_job(plan::make_plan(job_), options, rival, stop_);
  ASSERT_TRUE(result.sheets.at(0).failure);
  EXPECT_EQ(content_of(folder_ / "plate.tif"), "of another job");
  options.keep_others = false;
  EXPECT_FALSE(run::run_job(plan::make_plan(job_), options, rival, stop_).all_good());
  EXPECT_EQ(content_of(folder_ / "plate.tif"), "of another job") << "it is no plate";
}

TEST_F(Jobs, FailWithoutSpaceOrWaitForItUntilTheDeadline) {
  class Pauses final : public run::JobObserver {
   public:
    void paused(const run::Pause& pause) override { reasons.push_back(pause.reason); }
    std::vector<std::string> reasons;
  };
  write_page_file(folder_ / "page.tif", grey(64, 48));
  add("page.tif", "plate.tif");
  run::RunOptions options;
  options.reserve_bytes = uint64_t{1} << 60;
  const run::JobResult failed = run(options);
  ASSERT_EQ(failed.sheets.size(), 1U);
  ASSERT_TRUE(failed.sheets[0].failure);
  EXPECT_EQ(failed.sheets[0].failure->kind, ErrorKind::kDiskFull);
  options.wait_for_space = true;
  Pauses pauses;
  options.deadline = std::chrono::system_clock::time_point{};
  options.now = [&] {  // the deadline passes once the sheet waits
    return *options.deadline - std::chrono::seconds(pauses.reasons.empty() ? 1 : 0);
  };
  const run::JobResult late = run::run_job(plan::make_plan(job_), options, pauses, stop_);
  EXPECT_TRUE(late.out_of_time);
  EXPECT_THAT(late.sheets, IsEmpty());
  EXPECT_THAT(pauses.reasons, ElementsAre(HasSubstr("must be free before a page begins")));
}

}  // namespace
}  // namespace mezzo::test::job_test
