#include "tools/lab/bench/diffusion/diffusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "pipeline/run/graph_executor.h"
#include "pipeline/text.h"
#include "tools/lab/bench/diffusion/kasagi_table.h"
#include "tools/lab/bench/harness.h"
#include "tools/lab/bench/plot.h"

namespace mezzo::bench {
namespace {

struct DiffusionOptions {
  std::vector<std::string> sizes;
  uint32_t planes = 1;
  MeasureOptions measure;
};

/// A byte read and a bit written per pixel, the least traffic of any schedule.
double traffic_gbps(const Measurement& result) {
  return result.gpx_per_s() * (1 + 1.0 / 8);
}

std::optional<double> paper_ms(const Measurement& result) {
  if (result.planes > 1) return std::nullopt;
  return kasagi::milliseconds(
      result.schedule, result.on_gpu(), result.size.width_px, result.size.height_px);
}

std::optional<double> paper_over_ours(const Measurement& result) {
  const auto paper = paper_ms(result);
  return paper ? std::optional(*paper / result.ms) : std::nullopt;
}

/// The sizes asked for, or the paper's.
std::vector<PlaneSize> sizes_of(const DiffusionOptions& options) {
  std::vector<PlaneSize> sizes = parse_plane_sizes(options.sizes);
  if (!sizes.empty()) return sizes;
  for (const kasagi::Row& row : kasagi::kRows) sizes.push_back({row.side * 1024, row.side * 1024});
  return sizes;
}

std::vector<Measurement> competitors(bool with_gpu, uint32_t planes) {
  std::vector<Measurement> all;
  if (with_gpu) {
    for (const char* schedule : {"pwed", "pwec", "bwed", "bwec", "knight", "wavefront"}) {
      all.push_back({Engine::kGpu, schedule});
    }
    if (planes > 1) all.push_back({Engine::kGpu, "wavefront", 1, planes});
  }
  for (const char* schedule : {"ed", "ec", "blocks", "wavefront"}) {
    const ScheduleInfo* info =
        find_schedule(*find_method("floyd-steinberg"), schedule, Engine::kCpu);
    if (info == nullptr) continue;
    all.push_back({Engine::kCpu, schedule, info->uses_threads ? plan::available_threads() : 1});
  }
  return all;
}

Record record_of(const Measurement& result) {
  const std::string of_copy = result.of_copy ? fmt::format("{:.2f}%", 100 * *result.of_copy) : "";
  return Record("diffusion")
      .add("width_px", result.size.width_px)
      .add("height_px", result.size.height_px)
      .add("engine", to_string(result.engine))
      .add("schedule", result.schedule)
      .add("threads", result.threads)
      .add("planes", result.planes)
      .show({"schedule", -26}, result.name())
      .add("ms", result.ms, Column{"ms", 10, 3})
      .add_if("paper_ms", paper_ms(result), Column{"paper ms", 10, 2})
      .add_if("paper_over_ours", paper_over_ours(result), Column{"ratio", 9, 2})
      .add("gpx_per_s", result.gpx_per_s(), Column{"Gpx/s", 9, 3})
      .add("traffic_gbps", traffic_gbps(result))
      .add_if("of_copy", result.of_copy)
      .show({"of copy", 9}, of_copy)
      .add_if("upload_ms", result.upload_ms, Column{"upload ms", 11, 3})
      .add_if("download_ms", result.download_ms, Column{"download ms", 13, 3})
      .add("words", result.comparison.words)
      .add("differing_words", result.comparison.differing)
      .show({"  differing words"}, result.comparison.text());
}

/// A panel an engine: ours solid and the paper's of the same name dashed.
std::string plot_of(const std::vector<Measurement>& results, const std::string& machine) {
  std::vector<PlotPanel> panels;
  for (const Engine engine : {Engine::kGpu, Engine::kCpu}) {
    PlotPanel& panel = panels.emplace_back();
    panel.title = engine == Engine::kGpu ? "GPU, samples already there" : "CPU";
    panel.note = "Solid: measured here. Dashed: Kasagi et al., Table I.";
    panel.x = {"side of the square page, px", true, true};
    panel.y = {"time of a run, ms", true};
    for (const Measurement& result : results) {
      // A page that is not square has no side.
      if (result.engine != engine || result.size.width_px != result.size.height_px) continue;
      const double side = result.size.width_px;
      panel.add(result.name(), side, result.ms);
      const auto paper = paper_ms(result);
      if (paper) panel.add_dashed(result.name(), result.name() + ", paper", side, *paper);
    }
  }
  return svg_plot("Floyd-Steinberg error diffusion", machine, panels);
}

int bench_diffusion(const DiffusionOptions& options, bool json) {
  const std::vector<PlaneSize> sizes = sizes_of(options);
  Results results(options.measure.csv, json);
  const std::optional<DeviceCeilings> ceilings = show_ceilings(results);
  results.print(
      "Medians of {}. 'of copy': a byte read and a bit written a pixel, against copies. 'ratio': "
      "paper over ours.\n"
      "'differing words': 32 pixels each, of all runs, against the reference 'ec'.\n",
      counted(options.measure.repetitions, "run"));
  run::GraphExecutor threads({plan::available_threads(), std::nullopt});
  std::vector<Measurement> all;
  for (const PlaneSize& size : sizes) {
    const BenchPlane plane(size);
    results.print("\n{}\n", to_string(size));
    results.begin_table();
    for (Measurement& result : competitors(ceilings.has_value(), options.planes)) {
      const bool good = results.attempt(result.on_gpu(), result.name(), [&] {
        measure_plane(result, {}, plane, threads.team(), options.measure);
      });
      if (!good) continue;
      if (result.on_gpu()) result.of_copy = traffic_gbps(result) / ceilings->copy_gbps;
      results.compared(result.comparison);
      results.add(record_of(result));
      all.push_back(result);
    }
  }
  if (!options.measure.svg.empty()) {
    write_text(options.measure.svg, plot_of(all, machine_text(ceilings.has_value())));
  }
  return results.finish();
}

}  // namespace

void add_bench_diffusion(cli::Command& bench, const cli::CommonOptions& common) {
  cli::Command& command = bench.command(
      "diffusion", "Every schedule of Floyd-Steinberg, beside Table I of Kasagi et al.");
  auto options = std::make_shared<DiffusionOptions>();
  add_sizes_option(command, options->sizes, "default: the paper's 13 squares, 1024 to 16384");
  command
      .option("--planes",
              options->planes,
              "Above 1: also time so many planes at once on the GPU, a stream each")
      .range(1, 256)
      .shows_default();
  add_measure_options(command, options->measure);
  command.runs([options, &common] { return bench_diffusion(*options, common.json); });
}

}  // namespace mezzo::bench
