// The forecast of disk space against the size of plates.
#include "pipeline/plan/disk_forecast.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <random>

#include "pipeline/plan/plan.h"
#include "pipeline/run/job_runner.h"
#include "stages/tiff/compression.h"
#include "stages/tiff/plate/contone_writer.h"
#include "tests/support/temp_folder.h"

namespace mezzo::test::disk_forecast_test {
namespace {

/// Grey of one tone with some noise: what compresses worst is between flat and random.
void write_page_file(const std::string& path,
                     uint32_t width_px,
                     uint32_t height_px,
                     uint32_t tone,
                     uint32_t noise,
                     std::mt19937& random) {
  tiff::ContoneOptions options;
  options.width_px = width_px;
  options.height_px = height_px;
  const auto writer = tiff::ContoneWriter::create(path, options);
  std::vector<std::byte> row(width_px);
  for (uint32_t y = 0; y < height_px; ++y) {
    for (std::byte& sample : row) sample = static_cast<std::byte>((tone + random() % noise) % 256);
    writer->write_rows(row.data(), 1);
  }
  writer->finish();
}

/// The most that the plan of one page allows, and the size that its plate has.
struct Sizes {
  uint64_t forecast = 0;
  uint64_t raw = 0;
  uint64_t real = 0;
};

Sizes sizes_of(const TempFolder& folder, std::string_view method, std::string_view compression) {
  manifests::Job job;
  job.limits.threads = 1;
  manifests::JobPage page;
  page.input = folder / "page.tif";
  page.settings.halftone.method = method;
  page.settings.output.path = folder / "plate.tif";
  page.settings.output.compression = compression;
  job.pages.push_back(page);
  const plan::JobPlan plan = plan::make_plan(job);
  run::JobObserver nobody;
  const std::atomic<bool> stop = false;
  run::RunOptions options;
  options.simple = true;
  const run::JobResult result = run::run_job(plan, options, nobody, stop);
  if (const auto& failure = result.sheets.at(0).failure) {  // such as g3 that readers do not take
    EXPECT_EQ(failure->kind, ErrorKind::kUnsupported) << failure->text();
    return {};
  }
  return {plan.disk_bytes, plan.raw_bytes, result.sheets.at(0).plates.at(0).file_bytes};
}

TEST(DiskForecast, HoldsForG4OfErrorDiffusion) {
  const TempFolder folder;
  std::mt19937 random(1);
  write_page_file(folder / "page.tif", 640, 480, 76, 1, random);
  const Sizes sizes = sizes_of(folder, "floyd-steinberg", "g4");
  EXPECT_GT(sizes.real, 2 * sizes.raw);
  EXPECT_LE(sizes.real, sizes.forecast);
}

/// MEZZOTINT_FORECASTS, for a long run by hand.
int forecasts() {
  const char* wanted = std::getenv("MEZZOTINT_FORECASTS");
  return wanted == nullptr ? 200 : std::atoi(wanted);
}

TEST(DiskForecast, HoldsForAnyPage) {
  constexpr std::string_view kMethods[] = {"floyd-steinberg", "bayer", "threshold", "random"};
  const TempFolder folder;
  std::mt19937 random(20261122);
  const int most = forecasts();
  for (int i = 0; i < most; ++i) {
    const auto width = static_cast<uint32_t>(1 + random() % 200);
    const auto height = static_cast<uint32_t>(1 + random() % 60);
    const auto tone = static_cast<uint32_t>(random() % 256);
    const auto noise = static_cast<uint32_t>(1 + random() % 256);
    write_page_file(folder / "page.tif", width, height, tone, noise, random);
    const std::string_view method = kMethods[random() % std::size(kMethods)];
    const std::string_view compression =
        tiff::compressions()[random() % tiff::compressions().size()].name;
    const Sizes sizes = sizes_of(folder, method, compression);
    EXPECT_LE(sizes.real, sizes.forecast) << width << " x " << height << ", " << tone << " + "
                                          << noise << ", " << method << ", " << compression;
  }
}

}  // namespace
}  // namespace mezzo::test::disk_forecast_test
