#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <latch>
#include <memory>
#include <mutex>

#include "kernels/base/repeat.h"
#include "kernels/registry.h"
#include "pipeline/text.h"
#include "tools/lab/bench/bench.h"
#include "tools/lab/bench/harness.h"

namespace mezzo::bench {
namespace {

constexpr uint32_t kBandRows = 512;

struct GpusOptions {
  MeasureOptions measure;
  std::string size = "8192";
  uint32_t planes = 32;
};

/// Sends all planes once and waits for the last bit; seconds. Throws the error of a band.
double send_planes(const Halftoner& halftoner,
                   const std::vector<std::unique_ptr<BenchPlane>>& planes) {
  const uint32_t rows = planes.front()->size().height_px;
  const uint32_t bands = (rows + kBandRows - 1) / kBandRows;
  std::vector<std::unique_ptr<HalftonerState>> states;
  for (const auto& plane : planes) {
    plane->spoil();
    states.push_back(halftoner.make_state(plane->size().width_px));
  }
  std::latch left(static_cast<std::ptrdiff_t>(bands * planes.size()));
  std::mutex mutex;
  std::exception_ptr first_error;
  SoloTeam solo;
  const auto begin = std::chrono::steady_clock::now();
  for (uint32_t row = 0; row < rows; row += kBandRows) {
    const uint32_t count = std::min(kBandRows, rows - row);
    for (size_t i = 0; i < planes.size(); ++i) {
      const BenchPlane& plane = *planes[i];
      halftoner.start(plane.samples().slice(row, count),
                      plane.curve(),
                      plane.out().slice(row, count),
                      states[i].get(),
                      solo,
                      [&](const std::exception_ptr& error) {
                        if (error) {
                          const std::lock_guard lock(mutex);
                          first_error = error;
                        }
                        left.count_down();
                      });
    }
  }
  left.wait();
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
  if (first_error) std::rethrow_exception(first_error);
  return time.count();
}

int bench_gpus(const GpusOptions& options, bool json) {
  const auto halftoner = make_halftoner(complete({.engine = Engine::kGpu})).halftoner;
  const PlaneSize size = parse_plane_size(options.size);
  std::vector<std::unique_ptr<BenchPlane>> planes;
  Results results(options.measure.csv, json);
  results.print("{} planes through memory and {}, bands of {} rows, medians\n",
                to_string(size),
                counted(gpu::device_count(), "GPU"),
                kBandRows);
  results.begin_table();
  for (uint32_t count = 1; count <= options.planes; count *= 2) {
    while (planes.size() < count) planes.push_back(std::make_unique<BenchPlane>(size));
    std::vector<double> times;
    Comparison comparison;
    WarmRuns::repeat(options.measure.repetitions, options.measure.seconds, [&] {
      times.push_back(send_planes(*halftoner, planes));
      for (const auto& plane : planes) plane->compare(comparison);
    });
    results.compared(comparison);
    const double ms = 1e3 * WarmRuns::median(times);
    results.add(Record("gpus")
                    .add("gpus", gpu::device_count())
                    .add("planes", count, Column{"planes at once", 16})
                    .add("width_px", size.width_px)
                    .add("height_px", size.height_px)
                    .add("ms", ms, Column{"ms", 10, 2})
                    .add("gpx_per_s", size.pixels() * count / ms / 1e6, Column{"Gpx/s", 9, 1}));
  }
  return results.finish();
}

}  // namespace

void add_bench_gpus(cli::Command& bench, const cli::CommonOptions& common) {
  cli::Command& command = bench.command(
      "gpus", "Planes from memory through all GPUs and back; CUDA_VISIBLE_DEVICES chooses GPUs");
  auto options = std::make_shared<GpusOptions>();
  add_measure_options(command, options->measure);
  command.option("--size", options->size, "Of a plane, px: a side or WIDTHxHEIGHT")
      .takes("SIZE")
      .shows_default();
  command.option("--planes", options->planes, "Planes at one time: 1, 2, 4 ... up to this")
      .range(1, 256)
      .shows_default();
  command.runs([options, &common] { return bench_gpus(*options, common.json); });
}

}  // namespace mezzo::bench
