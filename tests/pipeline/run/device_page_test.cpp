// Pages whose planes go to their strips on a GPU: the files of the CPU, by any executor. Skipped
// without a GPU.

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <random>

#include "kernels/gpu/gpu.h"
#include "pipeline/run/job_runner.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tests/kernels/prepress/edge_pages.h"
#include "tests/stages/tiff/plate/writer_support.h"

namespace mezzo::test::device_page_test {
namespace {

/// Keeps the reports at the ends of rounds.
struct Rounds final : run::JobObserver {
  void round_done(const plan::SheetPlan&,
                  const std::string& ink,
                  const RoundReport& report) override {
    if (report.part < 1) return;
    const std::lock_guard lock(mutex);
    by_ink[ink] += std::to_string(report.first_row) + "/" + std::to_string(report.round) + ": " +
                   std::to_string(report.changed) + "\n";
  }
  std::mutex mutex;
  std::map<std::string, std::string> by_ink;
};

class GpuPages : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpu::list_gpus().gpus.empty()) GTEST_SKIP() << "no GPU on this machine";
    std::mt19937 random(1);
    write_page([&](size_t i, uint32_t y) { return ((i + y) / 2 + random() % 40) & 0xFF; });
  }

  /// CMYK, with sample(i, y) at place i of row y.
  template <typename Sample>
  void write_page(const Sample& sample) const {
    tiff::ContoneOptions options;
    options.width_px = 131;
    options.height_px = 97;
    options.dpi = 300;
    options.planes = 4;
    const auto writer = tiff::ContoneWriter::create(folder_ / "page.tif", options);
    std::vector<std::byte> row(size_t{4} * options.width_px);
    for (uint32_t y = 0; y < options.height_px; ++y) {
      for (size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::byte>(sample(i, y));
      writer->write_rows(row.data(), 1);
    }
    writer->finish();
  }

  /// The plates' bytes, made with these settings on an engine.
  std::vector<std::string> plates(manifests::PageSettings settings,
                                  Engine engine,
                                  const run::RunOptions& options = {},
                                  uint32_t band_rows = 0) {
    manifests::JobPage page;
    page.input = folder_ / "page.tif";
    settings.output.path = folder_ / "plate_{ink}.tif";
    settings.halftone.engine = engine;
    page.settings = settings;
    page.linework = page_linework_;
    manifests::Job job;
    job.pages.push_back(page);
    plan::PlanOptions plan;
    if (band_rows > 0) {
      plan.band_rows = band_rows;
      plan.verify = tiff::VerifyLevel::kRecompute;
    }
    rounds_.by_ink.clear();
    const std::atomic<bool> stop{false};
    const run::JobResult result = run::run_job(plan::make_plan(job, plan), options, rounds_, stop);
    EXPECT_TRUE(result.all_good()) << result.sheets.at(0).failure->text();
    std::vector<std::string> bytes;
    drops_.clear();
    for (const run::PlateResult& plate : result.sheets.at(0).plates) {
      bytes.push_back(content_of(plate.path));
      linework_px_ = plate.linework;
      drops_.push_back(plate.drops);
    }
    return bytes;
  }

  /// Bars of the size of the plates at 2400 dpi.
  void write_linework() const {
    Bits bars = Bits::bars(131 * 8, 97 * 8);
    tiff::PlatePage page = page_of(bars.band());
    page.resolution = {2400, 2400};
    write_plate(folder_ / "type.tif", page, bars.band(), tiff::Compression::kG4);
  }

  void expect_the_plates_of_the_cpu(const manifests::PageSettings& settings) {
    const auto expected = plates(settings, Engine::kCpu);
    EXPECT_EQ(plates(settings, Engine::kGpu), expected);
    for (const uint32_t rows : {1U, 64U, 100U}) {
      run::RunOptions options;
      options.shuffle_seed = rows;
      EXPECT_EQ(plates(settings, Engine::kGpu, options, rows), expected) << rows << " rows";
    }
    run::RunOptions simple;
    simple.simple = true;
    EXPECT_EQ(plates(settings, Engine::kGpu, simple), expected);
  }

  void expect_the_pictures_of_the_cpu(const manifests::PageSettings& settings);

  TempFolder folder_;
  Rounds rounds_;  // of the last plates that were made
  std::vector<manifests::Linework> page_linework_;
  std::optional<prepress::OverlayPixels> linework_px_;  // of the last plate that was made
  std::vector<std::vector<uint64_t>> drops_;            // of all plates of the last job
};

/// Keeps the pictures of the pages.
struct Pictures final : run::PictureSink {
  void page_seen(const plan::SheetPlan&, size_t, PreviewImages images) override {
    seen.push_back(std::move(images));
  }
  std::vector<PreviewImages> seen;
};

void GpuPages::expect_the_pictures_of_the_cpu(const manifests::PageSettings& settings) {
  Pictures of_cpu, of_gpu;
  run::RunOptions options;
  options.pictures = &of_cpu;
  const auto expected = plates(settings, Engine::kCpu, options);
  options.pictures = &of_gpu;
  EXPECT_EQ(plates(settings, Engine::kGpu, options, 64), expected);
  ASSERT_EQ(of_cpu.seen.size(), 1U);
  ASSERT_EQ(of_gpu.seen.size(), 1U);
  EXPECT_EQ(of_gpu.seen[0].dots_x, of_cpu.seen[0].dots_x);
  EXPECT_EQ(of_gpu.seen[0].dots_y, of_cpu.seen[0].dots_y);
  for (size_t ink = 0; ink < 4; ++ink) {
    EXPECT_EQ(of_gpu.seen[0].inks.at(ink).contone, of_cpu.seen[0].inks.at(ink).contone);
    EXPECT_EQ(of_gpu.seen[0].inks.at(ink).plate, of_cpu.seen[0].inks.at(ink).plate);
    EXPECT_EQ(of_gpu.seen[0].inks.at(ink).dots, of_cpu.seen[0].inks.at(ink).dots);
  }
}

LevelSettings levels_of(size_t count) {
  LevelSettings levels;
  for (size_t i = 0; i < count; ++i) levels.drops.push_back(static_cast<double>(i * (i + 3)));
  return levels;
}

TEST_F(GpuPages, AreTheFilesOfTheCpuByEveryMethodAndCompression) {
  for (const char* method : {"floyd-steinberg", "am", "fm", "pinwheel", "ostromoukhov"}) {
    for (const char* compression : {"none", "g4", "lzw"}) {
      SCOPED_TRACE(std::string(method) + ", " + compression);
      manifests::PageSettings settings;
      settings.halftone.method = method;
      settings.output.compression = compression;
      settings.output.resolution_dpi = 2400;
      settings.protect = {true, true};
      expect_the_plates_of_the_cpu(settings);
    }
  }
}

TEST_F(GpuPages, AreTheFilesOfTheCpuBySearchesAndTellOfTheirRounds) {
  for (const char* method : {"les", "pes", "dbs"}) {
    for (const double slab_rows : {0, 40}) {
      SCOPED_TRACE(std::string(method) + ", " + std::to_string(slab_rows));
      manifests::PageSettings settings;
      settings.halftone.method = method;
      settings.halftone.parameters = {{"slab_rows", slab_rows}, {"rounds", 2}};
      if (method != std::string("dbs")) settings.halftone.parameters["start"] = 0;
      settings.output.resolution_dpi = 600;
      settings.output.compression = slab_rows == 0 ? "g4" : "lzw";
      const auto expected = plates(settings, Engine::kCpu);
      const auto rounds = rounds_.by_ink;
      EXPECT_EQ(rounds.size(), 4U);
      EXPECT_EQ(plates(settings, Engine::kGpu), expected);
      EXPECT_EQ(rounds_.by_ink, rounds);
      expect_the_plates_of_the_cpu(settings);
    }
  }
}

TEST_F(GpuPages, AreTheFilesOfTheCpuScaledAndFinishedInAnyWay) {
  for (const uint32_t dpi : {0U, 200U, 1270U}) {
    for (const char* scale : {"nearest", "linear", "cubic", "edges", "area"}) {
      SCOPED_TRACE(std::to_string(dpi) + " dpi, " + scale);
      manifests::PageSettings settings;
      settings.output.resolution_dpi = dpi;
      settings.output.compression = "g4";
      settings.output.mirror = settings.output.negative = dpi != 200;
      if (dpi != 0) settings.scale = scale;
      expect_the_plates_of_the_cpu(settings);
    }
  }
}

TEST_F(GpuPages, HaveThePicturesOfTheCpu) {
  for (const uint32_t dpi : {0U, 2400U, 9600U}) {
    for (const char* compression : {"none", "g4"}) {
      SCOPED_TRACE(std::to_string(dpi) + " dpi, " + compression);
      manifests::PageSettings settings;
      settings.output.resolution_dpi = dpi;
      settings.output.compression = compression;
      settings.output.mirror = settings.output.negative = dpi == 2400;
      expect_the_pictures_of_the_cpu(settings);
    }
  }
}

TEST_F(GpuPages, HaveThePicturesOfTheCpuWithLevels) {
  for (const uint32_t dpi : {0U, 2400U}) {
    for (const size_t levels : {3U, 4U, 16U}) {
      SCOPED_TRACE(std::to_string(dpi) + " dpi, " + std::to_string(levels) + " levels");
      manifests::PageSettings settings;
      settings.halftone.levels = levels_of(levels);
      settings.output.resolution_dpi = dpi;
      settings.output.mirror = dpi == 2400;
      expect_the_pictures_of_the_cpu(settings);
    }
  }
}

TEST_F(GpuPages, HaveTheLevelsOfTheCpu) {
  for (const char* method : {"floyd-steinberg", "am", "bayer"}) {
    for (const size_t levels : {2U, 3U, 8U}) {
      for (const LevelFormat format : {LevelFormat::kPacked, LevelFormat::kPlanes}) {
        SCOPED_TRACE(std::string(method) + ", " + std::to_string(levels) + " levels");
        manifests::PageSettings settings;
        settings.halftone.method = method;
        settings.halftone.levels = levels_of(levels);
        settings.halftone.levels->format = format;
        settings.output.compression = levels == 3 ? "lzw" : "none";
        settings.output.resolution_dpi = 2400;
        settings.output.mirror = levels == 8;
        settings.protect = {true, true};
        plates(settings, Engine::kCpu);
        const auto expected = drops_;
        plates(settings, Engine::kGpu);
        EXPECT_EQ(drops_, expected);
        expect_the_plates_of_the_cpu(settings);
      }
    }
  }
}

/// Plates of one page whose strips are of several heights.
TEST_F(GpuPages, HaveTheLevelsOfTheCpuInSomeInks) {
  manifests::PageSettings settings;
  settings.output.compression = "packbits";
  settings.output.resolution_dpi = 2400;
  manifests::InkSettings light, heavy;
  light.ink = "cyan";
  light.halftone.levels = levels_of(4);
  heavy.ink = "black";
  heavy.halftone.levels = levels_of(16);
  settings.inks = {light, heavy};
  expect_the_plates_of_the_cpu(settings);
}

TEST_F(GpuPages, HaveTheLineworkOfTheCpu) {
  write_linework();
  for (const char* compression : {"none", "g4"}) {
    SCOPED_TRACE(compression);
    manifests::PageSettings settings;
    settings.output.resolution_dpi = 2400;
    settings.output.compression = compression;
    settings.output.mirror = true;
    page_linework_.assign(1, {});
    page_linework_.front().file = folder_ / "type.tif";
    page_linework_.front().overprint = false;
    const auto expected = plates(settings, Engine::kCpu);
    const auto laid_over = linework_px_;
    ASSERT_TRUE(laid_over && laid_over->printed_px > 0);
    EXPECT_EQ(plates(settings, Engine::kGpu), expected);
    EXPECT_EQ(linework_px_, laid_over);
    expect_the_plates_of_the_cpu(settings);
  }
}

manifests::PageSettings with_inks_together(const char* method = "floyd-steinberg") {
  manifests::PageSettings settings;
  settings.halftone.method = method;
  settings.halftone.parameters["inks"] = 1;
  settings.output.resolution_dpi = 2400;
  settings.output.compression = "g4";
  return settings;
}

TEST_F(GpuPages, AreTheFilesOfTheCpuWithInksTogether) {
  manifests::PageSettings apart;
  apart.output.resolution_dpi = 2400;
  apart.output.compression = "g4";
  EXPECT_NE(plates(apart, Engine::kCpu), plates(with_inks_together(), Engine::kCpu));
  for (const char* compression : {"none", "g4", "lzw"}) {
    SCOPED_TRACE(compression);
    manifests::PageSettings settings = with_inks_together();
    settings.output.compression = compression;
    settings.protect = {true, true};
    expect_the_plates_of_the_cpu(settings);
  }
  for (const char* method : {"ostromoukhov", "zhou-fang", "tone-dependent", "green-noise"}) {
    SCOPED_TRACE(method);
    expect_the_plates_of_the_cpu(with_inks_together(method));
  }
}

TEST_F(GpuPages, AreTheFilesOfTheCpuWithInksTogetherScaledAndFinishedInAnyWay) {
  for (const uint32_t dpi : {0U, 200U, 1270U}) {
    for (const double light_tones : {0, 1}) {
      SCOPED_TRACE(std::to_string(dpi) + " dpi, light tones " + std::to_string(light_tones));
      manifests::PageSettings settings = with_inks_together();
      settings.halftone.parameters["light_tones"] = light_tones;
      settings.output.resolution_dpi = dpi;
      settings.output.mirror = settings.output.negative = dpi != 200;
      expect_the_plates_of_the_cpu(settings);
    }
  }
}

/// Type in rich black, in a tint that it is knocked out of, and a plane with type of its own.
TEST_F(GpuPages, HaveTheBordersOfTheCpu) {
  const std::vector<Plane> planes = edge_pages::planes_of(131, 97, 4);
  write_page([&](size_t i, uint32_t y) {
    return planes[i % 4].at(static_cast<int64_t>(i / 4), y) / 128U;
  });
  manifests::PageSettings screened, diffused;
  screened.halftone = {.method = "am", .parameters = {{"ruling", 100}}};
  diffused.halftone.method = "floyd-steinberg";
  for (const uint32_t dpi : {400U, 1270U, 2400U}) {
    for (manifests::PageSettings settings : {screened, diffused, with_inks_together()}) {
      SCOPED_TRACE(std::to_string(dpi) + " dpi, " + settings.halftone.method);
      settings.output.resolution_dpi = dpi;
      settings.output.compression = "g4";
      settings.scale = "edges";
      expect_the_plates_of_the_cpu(settings);
    }
  }
}

/// Three inks together and one by itself; then two and two, by methods of their own.
TEST_F(GpuPages, AreTheFilesOfTheCpuWithSomeInksTogether) {
  manifests::PageSettings settings = with_inks_together();
  manifests::InkSettings black;
  black.ink = "black";
  black.halftone.method = "am";
  settings.inks = {black};
  expect_the_plates_of_the_cpu(settings);
  manifests::InkSettings cyan, magenta;
  cyan.ink = "cyan";
  magenta.ink = "magenta";
  cyan.halftone.method = magenta.halftone.method = "zhou-fang";
  cyan.halftone.parameters["inks"] = magenta.halftone.parameters["inks"] = 1;
  settings.inks = {cyan, magenta};
  expect_the_plates_of_the_cpu(settings);
  manifests::InkSettings yellow;
  yellow.ink = "yellow";
  yellow.over["output.compression"] = "lzw";  // whose strips are of another height
  settings.inks = {yellow};
  expect_the_plates_of_the_cpu(settings);
}

TEST_F(GpuPages, HaveThePicturesAndTheLineworkOfTheCpuWithInksTogether) {
  expect_the_pictures_of_the_cpu(with_inks_together());
  write_linework();
  page_linework_.assign(1, {});
  page_linework_.front().file = folder_ / "type.tif";
  page_linework_.front().overprint = false;
  plates(with_inks_together(), Engine::kCpu);
  const auto laid_over = linework_px_;
  ASSERT_TRUE(laid_over && laid_over->printed_px > 0);
  plates(with_inks_together(), Engine::kGpu);
  EXPECT_EQ(linework_px_, laid_over);
  expect_the_plates_of_the_cpu(with_inks_together());
}

}  // namespace
}  // namespace mezzo::test::device_page_test
