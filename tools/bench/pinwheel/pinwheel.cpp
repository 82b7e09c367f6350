#include "tools/bench/pinwheel/pinwheel.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "kernels/pinwheel/block_path.h"
#include "pipeline/run/graph_executor.h"
#include "pipeline/text.h"
#include "tools/bench/pinwheel/measurement.h"
#include "tools/bench/pinwheel/quality.h"
#include "tools/bench/plot.h"

namespace mezzo::bench {
namespace {

struct PinwheelOptions {
  std::vector<uint32_t> blocks = {2, 4, 6, 8, 10, 12, 14, 16, 32, 64};
  std::vector<std::string> sizes = {"4096"};
  std::string weights = "fs";
  std::string path = "spiral";
  std::string engine = "all";
  MeasureOptions measure;
  bool no_quality = false;
  PinwheelQualityOptions quality;
};

/// The measurements for each block, in order.
PinwheelRow competitors(const PlaneSize& size,
                        const PinwheelPoint& point,
                        bool with_gpu,
                        bool with_cpu) {
  PinwheelRow all;
  const auto add = [&](Engine engine, const char* schedule, uint32_t threads = 1) {
    PinwheelMeasurement& result = all.emplace_back();
    result.engine = engine;
    result.schedule = schedule;
    result.threads = threads;
    result.size = size;
    result.point = point;
  };
  if (with_gpu) {
    for (const char* schedule : {"unrolled", "loop"}) add(Engine::kGpu, schedule);
  }
  if (with_cpu) {
    const uint32_t threads = plan::available_threads();
    add(Engine::kCpu, "lanes");
    if (threads > 1) add(Engine::kCpu, "lanes", threads);
    add(Engine::kCpu, "pixels");
  }
  return all;
}

using Measurements = std::vector<PinwheelMeasurement>;

/// Throughput over the size of a block, a line a schedule.
PlotPanel panel_of_size(const PlaneSize& size, const Measurements& results) {
  PlotPanel panel{to_string(size) + " px", "", {"side of a block, px", true}, {}, {}};
  panel.y = {"throughput, 10^9 px/s", true};
  std::map<uint32_t, double> paper;
  for (const PinwheelMeasurement& result : results) {
    if (result.size != size) continue;
    const uint32_t block = result.point.block;
    panel.line(result.name()).points.emplace_back(block, result.gpx_per_s());
    if (const auto rate = result.paper_gpx_per_s()) paper[block] = *rate;
    const std::string label = std::to_string(block);
    if (std::ranges::find(panel.x.ticks, label, &PlotTick::label) == panel.x.ticks.end()) {
      panel.x.ticks.push_back({static_cast<double>(block), label});
    }
  }
  if (!paper.empty()) {
    panel.note = "Dashed: Zhang et al., Table 1 (GTX 460).";
    panel.series.push_back({"paper, unrolled", {paper.begin(), paper.end()}, 0, true});
  }
  for (PlotSeries& series : panel.series) std::ranges::sort(series.points);
  return panel;
}

/// Throughput of one schedule over the size of square pages, a line a block, as figure 4 (b) has
/// it. The palette has eight lines that can be told apart.
PlotPanel panel_of_pages(const std::string& name, const Measurements& results) {
  constexpr size_t kMostLines = 8;
  PlotPanel panel{name + " by size of page", "A line a size of block.", {}, {}, {}};
  panel.x = {"side of the square page, px", true};
  panel.y = {"throughput, 10^9 px/s"};
  for (const PinwheelMeasurement& result : results) {
    if (result.name() != name || result.size.width_px != result.size.height_px) continue;
    const std::string block = fmt::format("block {}", result.point.block);
    const bool known =
        std::ranges::find(panel.series, block, &PlotSeries::name) != panel.series.end();
    if (!known && panel.series.size() == kMostLines) {
      panel.note = fmt::format("A line a size of block, the first {} of them.", kMostLines);
      continue;
    }
    const double side = result.size.width_px;
    panel.line(block).points.emplace_back(side, result.gpx_per_s());
    if (std::ranges::find(panel.x.ticks, side, &PlotTick::value) == panel.x.ticks.end()) {
      panel.x.ticks.push_back({side, std::to_string(result.size.width_px)});
    }
  }
  for (PlotSeries& series : panel.series) std::ranges::sort(series.points);
  return panel;
}

/// An SVG file: throughput over the size of a block, and, of several pages, over that of the page.
std::string pinwheel_plot(const Measurements& results, const std::string& machine) {
  std::vector<PlaneSize> sizes;
  std::vector<std::string> names;
  for (const PinwheelMeasurement& result : results) {
    if (std::ranges::find(sizes, result.size) == sizes.end()) sizes.push_back(result.size);
    if (std::ranges::find(names, result.name()) == names.end()) names.push_back(result.name());
  }
  std::vector<PlotPanel> panels;
  for (const PlaneSize& size : sizes) panels.push_back(panel_of_size(size, results));
  if (sizes.size() > 1) {
    for (const std::string& name : names) panels.push_back(panel_of_pages(name, results));
  }
  const std::string point = results.empty() ? ""
                                            : fmt::format(", weights {}, {}",
                                                          results.front().point.weights,
                                                          results.front().point.path);
  return svg_plot("Pinwheel error diffusion" + point, machine, panels);
}

/// Measures, prints and keeps the requested points.
class PinwheelBench {
 public:
  PinwheelBench(const PinwheelOptions& options, bool json)
      : options_(options),
        threads_({plan::available_threads(), std::nullopt}),
        results_(options.measure.csv, json),
        sizes_(parse_plane_sizes(options.sizes)) {
    if (options.no_quality) return;
    PinwheelQualityOptions quality = options.quality;
    quality.blocks = options.blocks;
    quality.path = options.path;
    quality_.emplace(quality, json);
  }

  int run() {
    if (options_.engine == "gpu") require_gpus("pinwheel");
    if (options_.engine != "cpu") ceilings_ = show_ceilings(results_);
    print_introduction();
    for (const PlaneSize& size : sizes_) measure_size(size);
    if (!options_.measure.svg.empty()) {
      write_text(options_.measure.svg,
                 pinwheel_plot(measured_, machine_text(ceilings_.has_value())));
    }
    results_.print("\n");
    results_.print_compared();
    results_.require_same_bits();
    if (quality_) {
      quality_->run([this](const PinwheelPoint& point) { return rate_of(point); }, threads_.team());
    }
    return results_.finish();
  }

 private:
  void print_introduction() const {
    results_.print("10^9 pixels a second, medians of {}; xN: N threads. Weights {}, path {}.\n",
                   counted(options_.measure.repetitions, "run"),
                   options_.weights,
                   options_.path);
    if (!ceilings_) return;
    results_.print(
        "'paper': Zhang et al., Table 1 (GTX 460, tone-dependent weights, unrolled). 'bytes/px': "
        "what must be moved at\nleast when no phase finds in a cache what the other left: samples "
        "1 + min(1, 32/s (1 - gcd(s, 32)/32)), bits 5/8,\nrims 8/s, for blocks of s x s px. 'of "
        "copy': the share of the measured copy that this is at the speed of 'unrolled';\na page "
        "that fits in the GPU's cache may exceed 100 %. Where the walk of a block is not compiled, "
        "'unrolled' is the\nloop.\n");
  }

  void measure_size(const PlaneSize& size) {
    results_.print("\n{}\n", to_string(size));
    std::optional<BenchPlane> plane;
    for (const uint32_t block : options_.blocks) {
      const PinwheelPoint point{block, options_.weights, options_.path};
      const bool first = !plane;
      if (first) {
        plane.emplace(size, point.settings(), threads_.team());
      } else {
        plane->set_reference(point.settings(), threads_.team());
      }
      PinwheelRow row = competitors(size, point, ceilings_.has_value(), options_.engine != "gpu");
      for (PinwheelMeasurement& result : row) measure(result, *plane);
      show(row, first);
    }
  }

  void measure(PinwheelMeasurement& result, const BenchPlane& plane) {
    const auto failure = results_.attempt(result.on_gpu(), [&] {
      measure_plane(result, result.point.settings(), plane, threads_.team(), options_.measure);
    });
    if (failure) return;
    results_.compared(result.comparison);
    if (!result.on_gpu()) return;
    result.of_copy =
        result.gpx_per_s() * pinwheel_bytes_per_px(result.point.block) / ceilings_->copy_gbps;
  }

  void show(const PinwheelRow& row, bool first) {
    if (!results_.json()) print_pinwheel_row(row, first);
    for (const PinwheelMeasurement& result : row) {
      if (result.ms <= 0) continue;
      results_.add(record_of(result, row));
      measured_.push_back(result);
    }
  }

  /// 10^9 pixels a second of the fastest schedule, on the first page.
  std::optional<double> rate_of(const PinwheelPoint& point) const {
    std::optional<double> best;
    for (const PinwheelMeasurement& result : measured_) {
      if (result.size != sizes_.front() || result.point != point) continue;
      best = std::max(best.value_or(0), result.gpx_per_s());
    }
    return best;
  }

  const PinwheelOptions& options_;
  run::GraphExecutor threads_;
  Results results_;
  std::vector<PlaneSize> sizes_;
  std::optional<PinwheelQuality> quality_;  ///< empty: not asked for
  std::optional<DeviceCeilings> ceilings_;  ///< empty: no GPU is measured
  std::vector<PinwheelMeasurement> measured_;
};

}  // namespace

void add_bench_pinwheel(cli::Command& bench, const cli::CommonOptions& common) {
  cli::Command& command = bench.command(
      "pinwheel", "Pinwheel error diffusion by size of block, beside Table 1 of Zhang et al.");
  auto options = std::make_shared<PinwheelOptions>();
  command.option("--blocks", options->blocks, "Sides of blocks, px, comma-separated")
      .by_comma()
      .range(static_cast<uint32_t>(pinwheel::kLeastSize),
             static_cast<uint32_t>(pinwheel::kMostSize))
      .shows_default();
  command
      .option("--sizes",
              options->sizes,
              "Pages, px: sides of squares or WIDTHxHEIGHT, comma-separated; the paper's "
              "figure 4 has 512,1024,2048,4096")
      .by_comma()
      .shows_default();
  command.option("--weights", options->weights, "The set of weights that is timed")
      .one_of(pinwheel_weights())
      .shows_default();
  command.option("--path", options->path, "How blocks are walked")
      .one_of(pinwheel_paths())
      .shows_default();
  add_engine_option(command, options->engine);
  add_measure_options(command, options->measure);
  PinwheelQualityOptions& quality = options->quality;
  command.option("--quality-size", quality.side_px, "Side of the page that is judged, px")
      .range(64, 16384)
      .shows_default();
  command.option("--quality-csv", quality.csv, "A file for the metrics of quality").takes("FILE");
  command.option("--plates", quality.plates, "A folder for the halftones that are judged")
      .takes("FOLDER");
  command.flag("--no-quality", options->no_quality, "Only throughput");
  command.runs([options, &common] { return PinwheelBench(*options, common.json).run(); });
}

}  // namespace mezzo::bench
