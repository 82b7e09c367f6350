#include "tools/bench/diffusion/diffusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "pipeline/run/graph_executor.h"
#include "pipeline/text.h"
#include "tools/bench/diffusion/kasagi_table.h"
#include "tools/bench/harness.h"
#include "tools/bench/plot.h"

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

std::string name_of(const Measurement& result) {
  const std::string_view where = result.on_gpu() ? "GPU" : "CPU";
  if (result.planes > 1)
    return fmt::format("{} {}, {} planes", where, result.schedule, result.planes);
  if (result.threads > 1) {
    return fmt::format("{} {}, {} threads", where, result.schedule, result.threads);
  }
  return fmt::format("{} {}", where, result.schedule);
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
  for (const uint32_t side : kasagi::kSides) sizes.push_back({side * 1024, side * 1024});
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
      .show({"schedule", -26}, name_of(result))
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

/// Ticks at the sizes, powers of two first, as labels go to those that come first.
std::vector<PlotTick> side_ticks(const std::vector<Measurement>& results) {
  std::vector<uint32_t> sides;
  for (const Measurement& result : results) sides.push_back(result.size.width_px);
  std::ranges::sort(
      sides, {}, [](uint32_t side) { return std::pair((side & (side - 1)) != 0, side); });
  sides.erase(std::unique(sides.begin(), sides.end()), sides.end());
  std::vector<PlotTick> ticks;
  for (const uint32_t side : sides) {
    ticks.push_back({static_cast<double>(side),
                     side % 1024 == 0 ? fmt::format("{}K", side / 1024) : std::to_string(side)});
  }
  return ticks;
}

/// The lines of one engine, ours solid and the paper's of the same name dashed.
PlotPanel panel_of(Engine engine, const std::vector<Measurement>& results) {
  PlotPanel panel;
  panel.title = engine == Engine::kGpu ? "GPU, samples already there" : "CPU";
  panel.note = "Solid: measured here. Dashed: Kasagi et al., Table I.";
  panel.x = {"side of the square page, px (1K = 1024)", true, side_ticks(results)};
  panel.y = {"time of a run, ms", true};
  PlotPanel paper;
  for (const Measurement& result : results) {
    // A page that is not square has no side.
    if (result.engine != engine || result.size.width_px != result.size.height_px) continue;
    const std::string name = name_of(result).substr(4);
    const double side = result.size.width_px;
    panel.line(name).points.emplace_back(side, result.ms);
    PlotSeries& line = paper.line(name + ", paper");
    if (const auto ms = paper_ms(result)) line.points.emplace_back(side, *ms);
  }
  for (PlotSeries& line : paper.series) {
    std::ranges::sort(line.points);
    line.dashed = true;
    if (!line.points.empty()) panel.series.push_back(std::move(line));
  }
  return panel;
}

std::string plot_of(const std::vector<Measurement>& results, const std::string& machine) {
  std::vector<PlotPanel> panels;
  for (const Engine engine : {Engine::kGpu, Engine::kCpu}) {
    PlotPanel panel = panel_of(engine, results);
    if (!panel.series.empty()) panels.push_back(std::move(panel));
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
      const auto failure = results.attempt(result.on_gpu(), [&] {
        measure_plane(result, {}, plane, threads.team(), options.measure);
      });
      if (failure) {
        results.print("  {:<26}failed: {}\n", name_of(result), *failure);
        continue;
      }
      if (result.on_gpu()) result.of_copy = traffic_gbps(result) / ceilings->copy_gbps;
      results.compared(result.comparison);
      results.add(record_of(result));
      all.push_back(result);
    }
  }
  if (!options.measure.svg.empty()) {
    write_text(options.measure.svg, plot_of(all, machine_text(ceilings.has_value())));
  }
  results.print("\n");
  results.print_compared();
  results.require_same_bits();
  return results.finish();
}

}  // namespace

void add_bench_diffusion(cli::Command& bench, const cli::CommonOptions& common) {
  cli::Command& command = bench.command(
      "diffusion", "Every schedule of Floyd-Steinberg, beside Table I of Kasagi et al.");
  auto options = std::make_shared<DiffusionOptions>();
  command
      .option("--sizes",
              options->sizes,
              "Pages, px: sides of squares or WIDTHxHEIGHT, comma-separated; default: the "
              "paper's 13 squares, 1024 to 16384")
      .by_comma();
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
