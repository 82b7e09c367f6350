#include "tools/bench/search/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "pipeline/text.h"
#include "tools/bench/plot.h"
#include "tools/bench/search/quality.h"
#include "tools/bench/search/times.h"
#include "tools/bench/search/windows.h"

namespace mezzo::bench {
namespace {

constexpr uint32_t kLeastSide = 16, kMostSide = 65536;

using Timings = std::vector<SearchTiming>;

/// The fall of the error; `over` gives the place of each round on the x axis.
template <typename Over>
void add_errors(PlotPanel& panel, const SearchTiming& timing, const std::string& name, Over over) {
  PlotSeries& series = panel.line(name);
  for (size_t i = 0; i < timing.rounds.size(); ++i) {
    const double x = over(i, timing.rounds[i]);
    if (timing.rounds[i].error > 0) series.points.emplace_back(x, timing.rounds[i].error);
  }
}

PlotPanel panel_of_rounds(const Timings& times) {
  PlotPanel panel{
      "Error by round", "Round 0: the start, random dither or Floyd-Steinberg (FS).", {}, {}, {}};
  panel.x = {"round"};
  panel.y = {"mean error of a pixel, of 255", true};
  for (const SearchTiming& timing : times) {
    const std::string name =
        timing.point.name() + (timing.point.start == "random" ? ", random" : ", FS");
    if (std::ranges::find(panel.series, name, &PlotSeries::name) != panel.series.end()) continue;
    add_errors(panel, timing, name, [](size_t i, const auto&) { return static_cast<double>(i); });
  }
  return panel;
}

PlotPanel panel_of_seconds(const Timings& times) {
  PlotPanel panel{"Error by time", "From random dither, as published.", {"seconds", true}, {}, {}};
  panel.y = {"mean error of a pixel, of 255", true};
  for (const SearchTiming& timing : times) {
    if (timing.point.start != "random") continue;
    double seconds = 0;
    add_errors(panel,
               timing,
               timing.point.name() + ", " + timing.where(),
               [&](size_t, const SearchRound& round) { return seconds += round.seconds; });
  }
  return panel;
}

PlotPanel panel_of_page(uint32_t side_px, const Timings& pages) {
  PlotPanel panel{fmt::format("{0} x {0} px", side_px), "From Floyd-Steinberg.", {"round"}, {}, {}};
  panel.y = {"time of a round, ms", true};
  for (const SearchTiming& timing : pages) {
    if (timing.side_px != side_px) continue;
    PlotSeries& series = panel.line(timing.point.name() + ", " + timing.where());
    for (size_t i = 1; i < timing.rounds.size(); ++i) {
      series.points.emplace_back(i, 1e3 * timing.rounds[i].seconds);
    }
  }
  return panel;
}

/// An SVG file: error over time and round for the paper's image, time of rounds for large pages.
std::string search_plot(const Timings& times, const Timings& pages, const std::string& machine) {
  std::vector<PlotPanel> panels;
  if (!times.empty()) panels = {panel_of_rounds(times), panel_of_seconds(times)};
  std::vector<uint32_t> sides;
  for (const SearchTiming& page : pages) {
    if (std::ranges::find(sides, page.side_px) != sides.end()) continue;
    sides.push_back(page.side_px);
    panels.push_back(panel_of_page(page.side_px, pages));
  }
  return svg_plot("Search halftoning", machine, panels);
}

void introduce(const SearchBench& bench) {
  const SearchOptions& options = bench.options();
  if (options.engine != "cpu") {
    const gpu::GpuList list = gpu::list_gpus();
    list.gpus.empty() ? bench.results.print("GPU rows are left out: {}.\n", list.why_none)
                      : bench.results.print("GPU: {}.\n", list.gpus.front().name);
  }
  std::string names;
  for (const SearchImage& image : bench.images()) {
    names += (names.empty() ? " " : ", ") + std::filesystem::path(image.name).filename().string();
  }
  bench.results.print(
      "Search halftoning, from memory to memory, until nothing changes; medians of up to {}; xN: "
      "N "
      "threads.\nLES and PES: sigma {:g}, radius {}, windows of {} x {}, cells of {} x {}. "
      "'paper': Kouge et al., on a Xeon X7460, FPGAs and\na GTX 980, for Lena. Images, {} x {} "
      "px:{}\n",
      counted(options.measure.repetitions, "run"),
      kouge::kSigma,
      kouge::kRadius,
      kouge::kWindow,
      kouge::kWindow,
      kouge::kCell,
      kouge::kCell,
      options.side_px,
      options.side_px,
      names);
}

/// The last line, and the exit status. Throws Error when bits differed or a GPU failed.
int conclude(const SearchBench& bench) {
  const Comparison &words = bench.results.compared(), &windows = bench.windows;
  if (words.words + windows.words > 0) {
    bench.results.print("\nCompared: {} words of bits, {} differ; {} windows, {} differ.\n",
                        words.words,
                        words.differing,
                        windows.words,
                        windows.differing);
  }
  bench.results.require_same_bits();
  if (windows.differing > 0) {
    throw Error(ErrorKind::kBug, "bounds and patterns in turn find different patterns");
  }
  return bench.results.finish();
}

int bench_search(const SearchOptions& options, bool json) {
  SearchBench bench(options, json);
  bench.load();
  introduce(bench);
  const auto wants = [&options](const char* part) {
    return std::ranges::find(options.parts, part) != options.parts.end();
  };
  std::vector<SearchTiming> times, pages;
  if (wants("times")) times = measure_times(bench);
  if (wants("quality")) measure_quality(bench);
  if (wants("bounds")) measure_bounds(bench);
  if (wants("misses")) measure_misses(bench);
  if (wants("pages")) pages = measure_pages(bench);
  if (!options.measure.svg.empty()) {
    write_text(options.measure.svg, search_plot(times, pages, machine_text(bench.has_gpu())));
  }
  return conclude(bench);
}

}  // namespace

void add_bench_search(cli::Command& bench, const cli::CommonOptions& common) {
  cli::Command& command = bench.command(
      "search",
      "Local exhaustive and direct binary search, beside tables I and II of Kouge et al.");
  auto options = std::make_shared<SearchOptions>();
  command.option(
      "--image", options->images, "A contone TIFF, of which the middle is taken; may be repeated");
  command.option("--side", options->side_px, "Side of the images, px; the paper's is 512")
      .range(kLeastSide, kMostSide)
      .shows_default();
  command.option("--parts", options->parts, "What is measured, comma-separated")
      .by_comma()
      .one_of({"times", "quality", "bounds", "misses", "pages"})
      .shows_default();
  add_engine_option(command, options->engine);
  command
      .option("--threads",
              options->threads,
              "Of the CPU, comma-separated; default: 1, and all that there are")
      .by_comma()
      .range(1, plan::available_threads());
  command.option("--sizes", options->sizes, "Sides of large pages, px, comma-separated: 2048,8192")
      .takes("SIZE")
      .by_comma()
      .range(kLeastSide, kMostSide);
  command.option("--samples", options->samples, "Windows a round that are searched both ways")
      .range(1, 1000000)
      .shows_default();
  add_measure_options(command, options->measure);
  command.option("--rounds-csv", options->rounds_csv, "A file for the time of each round")
      .takes("FILE");
  command.option("--quality-csv", options->quality_csv, "A file for average errors").takes("FILE");
  command.runs([options, &common] { return bench_search(*options, common.json); });
}

}  // namespace mezzo::bench
