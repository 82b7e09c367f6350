// mezzotint bench search: tables I and II of Kouge et al. (kouge_table.h) on this machine, with
// what the paper left open beside them: what bounds save, what partial search misses, and large
// pages, with direct binary search. Times are of Halftoner::run() by the clock on the wall, from
// memory to memory, so that a GPU's transfers count.

#include "tools/bench/search/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include "pipeline/exit_status.h"
#include "pipeline/run/graph_executor.h"
#include "pipeline/text.h"
#include "tools/bench/pinwheel/pinwheel.h"
#include "tools/bench/search/kouge_table.h"

namespace mezzo::bench {
namespace {

constexpr uint32_t kLeastSide = 16, kMostSide = 65536;

struct SearchOptions {
  std::vector<std::string> images;
  uint32_t side_px = kouge::kSide;
  std::vector<std::string> parts = {"times", "quality", "bounds", "misses", "pages"};
  std::string engine = "all";
  std::vector<uint32_t> threads;  ///< empty: 1, and all that there are
  std::vector<uint32_t> sizes;
  uint32_t samples = 256;
  MeasureOptions measure;
  std::string rounds_csv;
  std::string quality_csv;
};

/// For the names of its values.
SearchTiming empty_timing() {
  SearchTiming timing;
  timing.rounds.resize(1);
  return timing;
}

/// Measures, prints and keeps what was asked for.
class SearchBench {
 public:
  SearchBench(const SearchOptions& options, bool json)
      : options_(options),
        json_(json),
        csv_(options.measure.csv, csv_header(timing_json({}, ""))),
        rounds_csv_(options.rounds_csv, csv_header(round_json(empty_timing(), 0))),
        quality_csv_(options.quality_csv, csv_header(quality_json({}, "", 1, 1))) {
    std::vector<uint32_t> threads = options.threads;
    if (threads.empty()) threads = {1, plan::available_threads()};
    for (const uint32_t count : threads) {
      const bool known = std::ranges::find(teams_, count, &CpuTeam::threads) != teams_.end();
      if (known) continue;
      teams_.push_back(
          {count,
           std::make_unique<run::GraphExecutor>(run::GraphExecutor::Options{count, std::nullopt})});
    }
  }

  int run() {
    const gpu::GpuList list = gpu::list_gpus();
    if (options_.engine == "gpu" && list.gpus.empty()) {
      throw Error(ErrorKind::kDevice, "bench search: there is no GPU to measure: " + list.why_none);
    }
    has_gpu_ = options_.engine != "cpu" && !list.gpus.empty();
    for (const std::string& path : options_.images) {
      images_.push_back(load_search_image(path, options_.side_px, team()));
    }
    if (images_.empty()) images_.push_back(draw_search_image(options_.side_px));
    introduce(list);
    if (wants("times")) measure_times();
    if (wants("quality")) measure_quality();
    if (wants("bounds")) measure_bounds();
    if (wants("misses")) measure_misses();
    if (wants("pages")) measure_pages();
    if (!options_.measure.svg.empty()) {
      const std::string gpu = has_gpu_ ? list.gpus.front().name + ", " : "";
      write_text(
          options_.measure.svg,
          search_plot(times_, pages_, gpu + counted(plan::available_threads(), "CPU thread")));
    }
    if (!json_ && words_.words + windows_.words > 0) {
      fmt::print("\nCompared: {} words of bits, {} differ; {} windows, {} differ.\n",
                 words_.words,
                 words_.differing,
                 windows_.words,
                 windows_.differing);
    }
    require_same_bits(words_);
    if (windows_.differing > 0) {
      throw Error(ErrorKind::kBug, "bounds and patterns in turn find different patterns");
    }
    if (failure_) throw *failure_;
    return kExitGood;
  }

 private:
  struct CpuTeam {
    uint32_t threads;
    std::unique_ptr<run::GraphExecutor> executor;
  };

  bool wants(const std::string& part) const {
    return std::ranges::find(options_.parts, part) != options_.parts.end();
  }

  /// The largest.
  const CpuTeam& cpu() const { return *std::ranges::max_element(teams_, {}, &CpuTeam::threads); }
  Team& team() const { return cpu().executor->team(); }

  void introduce(const gpu::GpuList& list) const {
    if (json_) return;
    if (options_.engine != "cpu") {
      list.gpus.empty() ? fmt::print("GPU rows are left out: {}.\n", list.why_none)
                        : fmt::print("GPU: {}.\n", list.gpus.front().name);
    }
    fmt::print(
        "Search halftoning, from memory to memory, until nothing changes; medians of up to {}; xN: "
        "N "
        "threads.\nLES and PES: sigma {:g}, radius {}, windows of {} x {}, cells of {} x {}. "
        "'paper': Kouge et al., on a Xeon X7460, FPGAs and\na GTX 980, for Lena. Images, {} x {} "
        "px:",
        counted(options_.measure.repetitions, "run"),
        kouge::kSigma,
        kouge::kRadius,
        kouge::kWindow,
        kouge::kWindow,
        kouge::kCell,
        kouge::kCell,
        options_.side_px,
        options_.side_px);
    for (const SearchImage& image : images_) {
      fmt::print("{} {}",
                 &image == images_.data() ? "" : ",",
                 std::filesystem::path(image.name).filename().string());
    }
    fmt::print("\n");
  }

  void heading(const std::string& text) const {
    if (!json_) fmt::print("\n{}\n", text);
  }

  void print(const nlohmann::ordered_json& object) const {
    if (json_) fmt::print("{}\n", object.dump());
    std::fflush(stdout);
  }

  /// All engines, the CPU first.
  std::vector<SearchTiming> competitors(const SearchPoint& point, bool all_threads_only) const {
    std::vector<SearchTiming> all;
    for (const CpuTeam& cpu_team : teams_) {
      if (options_.engine == "gpu") break;
      if (all_threads_only && &cpu_team != &cpu()) continue;
      all.push_back({.point = point, .threads = cpu_team.threads});
    }
    if (has_gpu_) all.push_back({.point = point, .engine = Engine::kGpu});
    return all;
  }

  /// A GPU that fails costs its own figures; the rest is measured all the same.
  void try_timing(SearchTiming& timing, const SearchImage& image, SearchBits& reference) {
    const auto found = std::ranges::find(teams_, timing.threads, &CpuTeam::threads);
    Team& members =
        timing.engine == Engine::kGpu || found == teams_.end() ? team() : found->executor->team();
    try {
      time_search(timing, image, members, options_.measure, reference);
    } catch (const Error& error) {
      const bool of_gpu =
          error.kind() == ErrorKind::kDevice || error.kind() == ErrorKind::kOutOfMemory;
      if (!of_gpu || timing.engine != Engine::kGpu) throw;
      if (!failure_) failure_ = error;
      return;
    }
    words_.words += timing.comparison.words;
    words_.differing += timing.comparison.differing;
  }

  void keep(const SearchTiming& timing, std::string_view type, std::vector<SearchTiming>& all) {
    if (timing.seconds <= 0) return;
    const auto object = timing_json(timing, type);
    csv_.add(csv_row(object));
    print(object);
    for (size_t i = 0; i < timing.rounds.size(); ++i) {
      const auto round = round_json(timing, i);
      rounds_csv_.add(csv_row(round));
      print(round);
    }
    all.push_back(timing);
  }

  const SearchWindows& windows_of(const SearchPoint& point) {
    const auto [found, is_new] = counts_.try_emplace(point.method + point.start);
    if (is_new) found->second = count_windows(images_.front(), point, team());
    return found->second;
  }

  void measure_times() {
    heading(fmt::format(
        "Table I: time to convergence, {}.\n'wnd.': windows that are searched; those in which "
        "nothing has changed since are not. Right: how many\ntimes the paper's as fast, where the "
        "image has its size.",
        std::filesystem::path(images_.front().name).filename().string()));
    if (!json_) print_times_heading();
    for (const SearchPoint& point : local_points()) {
      const SearchWindows& windows = windows_of(point);
      SearchBits reference = windows.bits;
      for (SearchTiming& timing : competitors(point, false)) {
        try_timing(timing, images_.front(), reference);
        timing.windows = windows.all();
        if (!json_) print_timing(timing);
        keep(timing, "search-times", times_);
      }
    }
  }

  void measure_quality() {
    heading(fmt::format(
        "Table II: average error of a pixel, of 255, as the paper defines it (dots blurred, the "
        "image not), {}.\n'of FS': of Floyd-Steinberg. DBS: the paper's eye, and the image itself "
        "as its target.",
        counted(images_.size(), "image")));
    std::vector<SearchQuality> all;
    for (const SearchPoint& point : quality_points()) {
      HalftoneSettings settings = point.settings();
      settings.engine = has_gpu_ && point.is_search() ? Engine::kGpu : Engine::kCpu;
      const auto halftoner = make_halftoner(settings).halftoner;
      all.push_back({point});
      for (const SearchImage& image : images_) {
        SearchOutcome outcome = run_search(*halftoner, image, team());
        const double error = average_error(image, outcome.bits, team());
        all.back().errors.push_back(error);
        keep_quality(point, image.name, error, all.front().errors[all.back().errors.size() - 1]);
      }
      keep_quality(point, "mean", all.back().mean(), all.front().mean());
    }
    if (!json_) print_quality(all);
    for (const QualityOrder& order : orders_of(all)) print(order_json(order));
  }

  void keep_quality(const SearchPoint& point,
                    const std::string& image,
                    double error,
                    double floyd_steinberg) {
    const auto object = quality_json(point, image, error, floyd_steinberg);
    quality_csv_.add(csv_row(object));
    print(object);
  }

  void measure_bounds() {
    heading(
        fmt::format("What bounds save: 'literal' takes every pattern in turn, as published; both "
                    "in vectors, one "
                    "thread, the same windows,\nabout {} a round.",
                    options_.samples));
    if (!json_) {
      fmt::print("  {:<7}{:<17}{:>6}{:>10}{:>10}{:>13}{:>13}{:>9}\n",
                 "method",
                 "start",
                 "round",
                 "windows",
                 "sampled",
                 "bounds, us",
                 "literal, us",
                 "ratio");
    }
    std::vector<std::pair<SearchPoint, PublishedCost>> estimates;
    for (const SearchPoint& point : local_points()) {
      const SearchWindows& windows = windows_of(point);
      const auto costs = cost_of_windows(images_.front(), point, windows, options_.samples);
      if (!json_) print_costs(point, costs);
      for (const SearchCost& cost : costs) {
        windows_.words += cost.sampled;
        windows_.differing += cost.differing;
        print(cost_json(point, cost));
      }
      // All windows of the first round are searched.
      estimates.emplace_back(
          point,
          PublishedCost{
              windows.of_round.size(), windows.of_round.front(), costs.front().literal_us});
    }
    heading(
        "As published every round searches every window, one thread (reckoned from the first "
        "round's samples):");
    for (const auto& [point, cost] : estimates) {
      if (!json_) print_published(point, cost, options_.side_px == kouge::kSide);
      print(published_json(point, cost));
    }
  }

  void measure_misses() {
    heading(
        "What PES misses: windows for which exhaustive search finds a better pattern; what these "
        "would have saved, added up\n(later windows may still win it back); errors of the "
        "results, of 255, and pixels in which they differ.");
    if (!json_) {
      fmt::print("  {:<17}{:>10}{:>9}{:>11}{:>11}{:>9}{:>9}{:>10}\n",
                 "start",
                 "windows",
                 "missed",
                 "share",
                 "added up",
                 "PES",
                 "LES",
                 "differ");
    }
    for (const SearchPoint& point : local_points()) {
      if (point.method != "pes") continue;
      const SearchMisses misses = count_misses(images_.front(), point, team());
      if (!json_) print_misses(point, misses);
      print(misses_json(point, misses));
    }
  }

  void measure_pages() {
    for (const uint32_t side : options_.sizes) {
      const SearchImage image = draw_search_image(side);
      heading(fmt::format("{0} x {0} px, {1}, from Floyd-Steinberg", side, image.name));
      if (!json_) print_pages_heading();
      for (const SearchPoint& point : page_points()) {
        SearchBits reference;
        for (SearchTiming& timing : competitors(point, true)) {
          try_timing(timing, image, reference);
          if (!json_) print_page(timing);
          keep(timing, "search-pages", pages_);
        }
      }
    }
  }

  const SearchOptions& options_;
  const bool json_;
  std::vector<CpuTeam> teams_;
  CsvFile csv_, rounds_csv_, quality_csv_;
  bool has_gpu_ = false;  ///< and it is to be measured
  std::vector<SearchImage> images_;
  std::map<std::string, SearchWindows> counts_;  ///< of the first image
  std::vector<SearchTiming> times_, pages_;
  Comparison words_;              ///< of bits
  Comparison windows_;            ///< bounds against all patterns
  std::optional<Error> failure_;  ///< the first
};

}  // namespace

void add_bench_search(cli::Command& bench, const commands::CommonOptions& common) {
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
  command.option("--engine", options->engine, "What is timed")
      .one_of({"cpu", "gpu", "all"})
      .shows_default();
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
  command.runs([options, &common] { return SearchBench(*options, common.json).run(); });
}

}  // namespace mezzo::bench
