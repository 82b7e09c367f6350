#include "tools/lab/bench/search/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "pipeline/text.h"
#include "tools/lab/bench/plot.h"
#include "tools/lab/bench/search/parts.h"

namespace mezzo::bench {
namespace {

constexpr uint32_t kLeastSide = 16, kMostSide = 65536;

using Timings = std::vector<SearchTiming>;

/// An SVG file: error over round and time for the paper's image, time of rounds for large pages.
std::string search_plot(const Timings& times,
                        const Timings& pages,
                        const std::vector<ToneRun>& tone,
                        const std::string& machine) {
  // Axes of their own: g++ 12 takes the strings of temporary ones for uninitialised.
  const PlotAxis round = {"round"}, seconds = {"seconds", true};
  const PlotAxis error = {"mean error of a pixel, of 255", true};
  std::vector<PlotPanel> panels = {
      {"Error by round", "Round 0: the start, random dither or Floyd-Steinberg.", round, error},
      {"Error by time", "From random dither, as published.", seconds, error}};
  for (const SearchTiming& timing : times) {
    double passed = 0;
    for (uint32_t i = 0; i < timing.rounds.size(); ++i) {
      const SearchRound& done = timing.rounds[i];
      passed += done.seconds;
      if (done.error <= 0) continue;
      panels[0].add(timing.point.name() + " from " + timing.point.start, i, done.error);
      if (timing.point.start != "random") continue;
      panels[1].add(timing.point.name() + ", " + timing.where(), passed, done.error);
    }
  }
  for (const SearchTiming& page : pages) {
    PlotPanel& panel = panel_of(panels, fmt::format("{0} x {0} px", page.side_px));
    panel.note = "From Floyd-Steinberg.";
    panel.x = {"round"};
    panel.y = {"time of a round, ms", true};
    for (uint32_t i = 1; i < page.rounds.size(); ++i) {
      panel.add(page.point.name() + ", " + page.where(), i, 1e3 * page.rounds[i].seconds);
    }
  }
  for (const ToneRun& run : tone) {
    PlotPanel& panel = panel_of(panels, "Error by time, tone form");
    panel.note = "By start; a marker a round.";
    panel.x = {"seconds", true};
    panel.y = {"root of the mean error, of 255", true};
    for (const auto& [time, error_then] : run.points) panel.add(run.name, time, error_then);
  }
  return svg_plot("Search halftoning", machine, std::move(panels));
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
  const Comparison& windows = bench.windows;
  if (windows.words > 0) {
    bench.results.print("\n{} windows compared, {} differ.\n", windows.words, windows.differing);
  }
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
  std::vector<ToneRun> tone;
  if (wants("tone")) tone = measure_tone(bench);
  if (!options.measure.svg.empty()) {
    write_text(options.measure.svg, search_plot(times, pages, tone, machine_text(bench.has_gpu())));
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
      .one_of({"times", "quality", "bounds", "misses", "pages", "tone"})
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
  command
      .option("--tone-windows",
              options->tone_windows,
              "Windows of the tone form that are compared with every pattern")
      .range(1, 10000000)
      .shows_default();
  add_measure_options(command, options->measure);
  command.option("--rounds-csv", options->rounds_csv, "A file for the time of each round")
      .takes("FILE");
  command.option("--quality-csv", options->quality_csv, "A file for average errors").takes("FILE");
  command.runs([options, &common] { return bench_search(*options, common.json); });
}

}  // namespace mezzo::bench
