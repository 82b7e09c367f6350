// Pages whose planes go to their strips on a GPU: the files of the CPU, by any executor. Skipped
// without a GPU.

#include <gtest/gtest.h>

#include <atomic>
#include <random>

#include "kernels/gpu/gpu.h"
#include "pipeline/run/job_runner.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tests/stages/tiff/plate/writer_support.h"

namespace mezzo::test {
namespace {

class GpuPages : public ::testing::Test {
 protected:
  void SetUp() override {
    if (gpu::list_gpus().gpus.empty()) GTEST_SKIP() << "no GPU on this machine";
    std::mt19937 random(1);
    tiff::ContoneOptions options;
    options.width_px = 131;
    options.height_px = 97;
    options.dpi = 300;
    options.planes = 4;
    const auto writer = tiff::ContoneWriter::create(folder_ / "page.tif", options);
    std::vector<std::byte> row(size_t{4} * options.width_px);
    for (uint32_t y = 0; y < options.height_px; ++y) {
      for (size_t i = 0; i < row.size(); ++i) {
        row[i] = static_cast<std::byte>(((i + y) / 2 + random() % 40) & 0xFF);
      }
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
    manifests::Job job;
    job.pages.push_back(page);
    plan::PlanOptions plan;
    if (band_rows > 0) {
      plan.band_rows = band_rows;
      plan.verify = tiff::VerifyLevel::kRecompute;
    }
    run::JobObserver nobody;
    const std::atomic<bool> stop{false};
    const run::JobResult result = run::run_job(plan::make_plan(job, plan), options, nobody, stop);
    EXPECT_TRUE(result.all_good()) << result.sheets.at(0).failure->message;
    std::vector<std::string> bytes;
    for (const run::PlateResult& plate : result.sheets.at(0).plates) {
      bytes.push_back(content_of(plate.path));
    }
    return bytes;
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

  TempFolder folder_;
};

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

TEST_F(GpuPages, AreTheFilesOfTheCpuScaledAndFinishedInAnyWay) {
  for (const uint32_t dpi : {0U, 200U, 1270U}) {
    for (const char* scale : {"nearest", "linear", "cubic", "area"}) {
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

}  // namespace
}  // namespace mezzo::test
