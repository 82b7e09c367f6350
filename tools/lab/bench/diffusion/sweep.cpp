#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "kernels/diffusion/cpu/block_grid.h"
#include "pipeline/run/graph_executor.h"
#include "pipeline/text.h"
#include "tools/lab/bench/diffusion/diffusion.h"
#include "tools/lab/bench/harness.h"
#include "tools/lab/bench/plot.h"

namespace mezzo::bench {
namespace {

constexpr const char* kAlone = "bwec";

/// The swept parameter, and its names.
struct Sweep {
  Engine engine;  ///< kHandover or kHybrid
  const char* command;
  const char* help;
  const char* parameter;  ///< of the method
  const char* title;
  const char* axis;  ///< of the plot, with its unit
  std::vector<PlaneSize> sizes;
  std::vector<double> (*values)(const PlaneSize&);  ///< the first is 0: the GPU alone
};

struct SweepOptions {
  std::vector<std::string> sizes;
  MeasureOptions measure;
};

/// One point of the sweep; without a value: engine gpu, schedule bwec.
struct SweepPoint {
  PlaneSize size;
  std::optional<double> value;
  double ms = 0;
  Comparison comparison = {};
};

/// 0 to half of all steps of the wavefront, in 16 points or fewer.
std::vector<double> step_counts(const PlaneSize& size) {
  constexpr int kPoints = 16;
  // The blocks of Kasagi et al., with the slope of Floyd-Steinberg.
  const diffusion::BlockGrid grid = {.width_px = static_cast<int>(size.width_px),
                                     .rows = static_cast<int>(size.height_px),
                                     .block_width = 32,
                                     .block_height = 32,
                                     .slope = 2};
  const int half = grid.steps() / 2;
  std::vector<double> counts;
  for (int i = 0; i < kPoints; ++i) {
    const int count = half * i / (kPoints - 1);
    if (counts.empty() || count != counts.back()) counts.push_back(count);
  }
  return counts;
}

/// 0 to 1 in 12 points, close together where the CPU gets little.
std::vector<double> shares(const PlaneSize&) {
  return {0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1};
}

/// Figures 11 and 12: the CPU takes the first and the last steps of the wavefront, where few blocks
/// can run at once, and the GPU those between.
Sweep handover_sweep() {
  return {Engine::kHandover,
          "handover",
          "Steps given to the CPU at either end, as Deshpande et al. vary them",
          "handover_steps",
          "CPU, then GPU, then CPU",
          "wavefront steps on the CPU at either end",
          {{1024, 768}, {6042, 3298}, {8192, 8192}},
          step_counts};
}

/// Figures 14 and 15: CPU and GPU work on the page at the same time, and the CPU's share of it is
/// varied.
Sweep hybrid_sweep() {
  return {Engine::kHybrid,
          "hybrid",
          "The CPU's share of a page, as Deshpande et al. vary it",
          "cpu_share",
          "CPU and GPU at once",
          "share of the page that the CPU takes",
          {{6042, 3298}, {1024, 2048}, {8192, 8192}},
          shares};
}

SweepPoint measure(const Sweep& sweep,
                   const std::optional<double>& value,
                   const BenchPlane& plane,
                   Team& team,
                   const MeasureOptions& options) {
  HalftoneSettings settings = {.engine = Engine::kGpu, .schedule = kAlone};
  if (value) {
    settings = {.engine = sweep.engine};
    settings.parameters[sweep.parameter] = *value;
  }
  SweepPoint point{plane.size(), value};
  point.ms = time_run(
      *make_halftoner(complete(settings)).halftoner, plane, team, options, point.comparison);
  return point;
}

/// Values are steps or shares: four digits say all.
std::string value_text(const SweepPoint& point) {
  return point.value ? fmt::format("{:.4g}", *point.value) : "engine gpu";
}

Record record_of(const Sweep& sweep, const SweepPoint& point, double alone_ms) {
  return Record(sweep.command)
      .add("width_px", point.size.width_px)
      .add("height_px", point.size.height_px)
      .add("engine", to_string(point.value ? sweep.engine : Engine::kGpu))
      .show({sweep.parameter, -16}, value_text(point))
      .add_if(sweep.parameter, point.value)
      .add("ms", point.ms, Column{"ms", 10, 3})
      .show({"ratio", 9}, fmt::format("{:.2f}", alone_ms / point.ms))
      .add("words", point.comparison.words)
      .add("differing_words", point.comparison.differing)
      .show({"  differing words"}, point.comparison.text());
}

PlotPanel sweep_panel(const Sweep& sweep, const std::vector<SweepPoint>& points) {
  const double alone_ms = points.front().ms;
  const SweepPoint& best = *std::min_element(
      points.begin(), points.end() - 1, [](const auto& a, const auto& b) { return a.ms < b.ms; });
  PlotPanel panel{to_string(points.front().size) + " px",
                  fmt::format("Least: {:.3g} ms at {}. GPU alone: {:.3g} ms ({:.2f} times).",
                              best.ms,
                              value_text(best),
                              alone_ms,
                              alone_ms / best.ms),
                  {sweep.axis},
                  {"time of a page, memory to memory, ms"}};
  for (const SweepPoint& point : points) {
    if (!point.value) continue;
    panel.add(std::string(to_string(sweep.engine)), *point.value, point.ms);
    panel.add_dashed("", "GPU alone", *point.value, alone_ms);
  }
  return panel;
}

/// All values on one page, and last schedule `bwec` of engine gpu.
std::vector<SweepPoint> sweep_page(const Sweep& sweep,
                                   const PlaneSize& size,
                                   Team& team,
                                   const MeasureOptions& options,
                                   Results& results) {
  results.print("{}\n", to_string(size));
  results.begin_table();
  std::vector<std::optional<double>> values;
  for (const double value : sweep.values(size)) values.emplace_back(value);
  values.emplace_back();
  const BenchPlane plane(size);
  std::vector<SweepPoint> points;
  for (const auto& value : values) {
    const SweepPoint& point = points.emplace_back(measure(sweep, value, plane, team, options));
    results.compared(point.comparison);
    results.add(record_of(sweep, point, points.front().ms));
  }
  return points;
}

int run_sweep(const Sweep& sweep, const SweepOptions& options, bool json) {
  std::vector<PlaneSize> sizes = parse_plane_sizes(options.sizes);
  if (sizes.empty()) sizes = sweep.sizes;
  require_gpus(sweep.command);
  Results results(options.measure.csv, json);
  run::GraphExecutor executor({plan::available_threads(), std::nullopt});
  std::vector<PlotPanel> panels;
  for (const PlaneSize& size : sizes) {
    if (!panels.empty()) results.print("\n");
    panels.push_back(
        sweep_panel(sweep, sweep_page(sweep, size, executor.team(), options.measure, results)));
  }
  if (!options.measure.svg.empty()) {
    const std::string runs = "; medians of " + counted(options.measure.repetitions, "run");
    write_text(options.measure.svg, svg_plot(sweep.title, machine_text(true) + runs, panels));
  }
  return results.finish(
      "'ratio': the GPU alone (0, the same launches) over this. 'engine gpu' is schedule bwec as "
      "jobs run it, in pieces of 4 MiB.\n");
}

void add_sweep(cli::Command& bench, const Sweep& sweep, const cli::CommonOptions& common) {
  cli::Command& command = bench.command(sweep.command, sweep.help);
  auto options = std::make_shared<SweepOptions>();
  add_sizes_option(command, options->sizes, "default: the paper's, and 8192");
  add_measure_options(command, options->measure);
  command.runs([options, &common, sweep] { return run_sweep(sweep, *options, common.json); });
}

}  // namespace

void add_bench_sweeps(cli::Command& bench, const cli::CommonOptions& common) {
  add_sweep(bench, handover_sweep(), common);
  add_sweep(bench, hybrid_sweep(), common);
}

}  // namespace mezzo::bench
