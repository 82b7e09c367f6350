// mezzotint bench diffusion: Table I of Kasagi et al. (kasagi_table.h) on this machine, with the
// schedules that the paper does not have beside it. GPU schedules are timed with the samples
// already on the GPU, as the paper's are; CPU schedules by the clock on the wall.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "pipeline/exit_status.h"
#include "pipeline/run/graph_executor.h"
#include "pipeline/text.h"
#include "tools/bench/bench.h"
#include "tools/bench/diffusion/kasagi_table.h"
#include "tools/bench/plot.h"

namespace mezzo::bench {
namespace {

/// One row of the table: a schedule and what runs it.
struct Competitor {
  std::string schedule;
  Engine engine = Engine::kCpu;  ///< kCpu or kGpu
  uint32_t threads = 1;          ///< of the CPU
  uint32_t planes = 1;           ///< at once, on the GPU

  bool on_gpu() const { return engine == Engine::kGpu; }
  std::string name() const {
    const std::string_view where = on_gpu() ? "GPU" : "CPU";
    if (planes > 1) return fmt::format("{} {}, {} planes", where, schedule, planes);
    if (threads > 1) return fmt::format("{} {}, {} threads", where, schedule, threads);
    return fmt::format("{} {}", where, schedule);
  }
};

/// What a competitor came to on one size. Times are medians of a run, which is of all planes.
struct Measurement {
  Competitor competitor;
  PlaneSize size;
  double ms = 0;
  std::optional<double> paper_ms = {};
  std::optional<double> upload_ms = {};  ///< and download, on a GPU
  std::optional<double> download_ms = {};
  std::optional<double> of_copy = {};  ///< traffic, as a share of the device's copy ceiling
  Comparison comparison = {};

  double pixels() const {
    return static_cast<double>(size.width_px) * size.height_px * competitor.planes;
  }
  double gpx_per_s() const { return pixels() / ms / 1e6; }
  /// A byte read and a bit written a pixel: what any schedule must move at least.
  double traffic_gbps() const { return gpx_per_s() * (1 + 1.0 / 8); }
};

struct DiffusionOptions {
  std::vector<std::string> sizes;
  uint32_t planes = 1;
  MeasureOptions measure;
};

/// The sizes asked for, or the paper's.
std::vector<PlaneSize> sizes_of(const DiffusionOptions& options) {
  std::vector<PlaneSize> sizes;
  for (const std::string& text : options.sizes) sizes.push_back(parse_plane_size(text));
  if (!sizes.empty()) return sizes;
  for (const uint32_t side : kasagi::kSides) sizes.push_back({side * 1024, side * 1024});
  return sizes;
}

constexpr const char* kCpuSchedules[] = {"ed", "ec", "blocks", "wavefront"};

const ScheduleInfo* find_on_cpu(std::string_view schedule) {
  return find_schedule(*find_method("floyd-steinberg"), schedule, Engine::kCpu);
}

std::vector<Competitor> competitors(bool with_gpu, uint32_t planes) {
  std::vector<Competitor> all;
  if (with_gpu) {
    for (const char* schedule : {"pwed", "pwec", "bwed", "bwec", "knight", "wavefront"}) {
      all.push_back({schedule, Engine::kGpu});
    }
    if (planes > 1) all.push_back({"wavefront", Engine::kGpu, 1, planes});
  }
  for (const char* schedule : kCpuSchedules) {
    const ScheduleInfo* info = find_on_cpu(schedule);
    if (info == nullptr) continue;
    all.push_back({schedule, Engine::kCpu, info->uses_threads ? plan::available_threads() : 1});
  }
  return all;
}

Measurement measure(const Competitor& competitor,
                    const BenchPlane& plane,
                    const MeasureOptions& options) {
  Measurement result{competitor, plane.size()};
  const HalftoneSettings settings = {.engine = competitor.engine, .schedule = competitor.schedule};
  if (competitor.on_gpu()) {
    plane.spoil();
    const ScheduleTiming timing = time_gpu_schedule(settings,
                                                    plane.samples(),
                                                    plane.curve(),
                                                    plane.out(),
                                                    {.planes = competitor.planes,
                                                     .repetitions = options.repetitions,
                                                     .budget_seconds = options.seconds,
                                                     .after_run = [&] {
                                                       stop_if_requested();
                                                       result.comparison.add(plane);
                                                     }});
    result.ms = timing.kernel_ms;
    result.upload_ms = timing.upload_ms;
    result.download_ms = timing.download_ms;
  } else {
    run::GraphExecutor executor({competitor.threads, std::nullopt});
    SoloTeam solo;
    Team& team = competitor.threads > 1 ? executor.team() : solo;
    result.ms =
        time_run(*make_halftoner(settings).halftoner, plane, team, options, result.comparison);
  }
  if (competitor.planes == 1) {
    result.paper_ms = kasagi::milliseconds(
        competitor.schedule, competitor.on_gpu(), plane.size().width_px, plane.size().height_px);
  }
  return result;
}

/// The number, or nothing, in a column.
std::string cell(const std::optional<double>& value, size_t width, int digits) {
  return value ? fmt::format("{:{}.{}f}", *value, width, digits) : std::string(width, ' ');
}

std::optional<double> paper_over_ours(const Measurement& result) {
  if (!result.paper_ms) return std::nullopt;
  return *result.paper_ms / result.ms;
}

void print_heading(const PlaneSize& size) {
  fmt::print("\n{}\n  {:<26}{:>10}{:>10}{:>9}{:>9}{:>9}{:>11}{:>13}  {}\n",
             to_string(size),
             "schedule",
             "ms",
             "paper ms",
             "ratio",
             "Gpx/s",
             "of copy",
             "upload ms",
             "download ms",
             "differing words");
}

void print_row(const Measurement& result) {
  std::optional<double> of_copy = result.of_copy;
  if (of_copy) *of_copy *= 100;
  fmt::print("  {:<26}{:>10.3f}{}{}{:>9.3f}{}{}{}{}  {} of {}\n",
             result.competitor.name(),
             result.ms,
             cell(result.paper_ms, 10, 2),
             cell(paper_over_ours(result), 9, 2),
             result.gpx_per_s(),
             cell(of_copy, 8, 2),
             of_copy ? "%" : " ",
             cell(result.upload_ms, 11, 3),
             cell(result.download_ms, 13, 3),
             result.comparison.differing,
             result.comparison.words);
}

nlohmann::ordered_json to_json(const Measurement& result) {
  nlohmann::ordered_json object = {
      {"v", 1},
      {"type", "diffusion"},
      {"width_px", result.size.width_px},
      {"height_px", result.size.height_px},
      {"engine", to_string(result.competitor.engine)},
      {"schedule", result.competitor.schedule},
      {"threads", result.competitor.threads},
      {"planes", result.competitor.planes},
      {"ms", result.ms},
      {"gpx_per_s", result.gpx_per_s()},
      {"traffic_gbps", result.traffic_gbps()},
      {"words", result.comparison.words},
      {"differing_words", result.comparison.differing},
  };
  const auto add = [&object](const char* name, const std::optional<double>& value) {
    if (value) object[name] = *value;
  };
  add("paper_ms", result.paper_ms);
  add("paper_over_ours", paper_over_ours(result));
  add("of_copy", result.of_copy);
  add("upload_ms", result.upload_ms);
  add("download_ms", result.download_ms);
  return object;
}

constexpr const char* kCsvHeader =
    "width_px,height_px,engine,schedule,threads,planes,ms,paper_ms,paper_over_ours,gpx_per_s,"
    "traffic_gbps,of_copy,upload_ms,download_ms,words,differing_words";

std::string to_csv(const Measurement& result) {
  const auto number = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.6g}", *value) : std::string();
  };
  return fmt::format("{},{},{},{},{},{},{:.6g},{},{},{:.6g},{:.6g},{},{},{},{},{}",
                     result.size.width_px,
                     result.size.height_px,
                     to_string(result.competitor.engine),
                     result.competitor.schedule,
                     result.competitor.threads,
                     result.competitor.planes,
                     result.ms,
                     number(result.paper_ms),
                     number(paper_over_ours(result)),
                     result.gpx_per_s(),
                     result.traffic_gbps(),
                     number(result.of_copy),
                     number(result.upload_ms),
                     number(result.download_ms),
                     result.comparison.words,
                     result.comparison.differing);
}

/// Ticks at the sizes, powers of two first, as labels go to those that come first.
std::vector<PlotTick> side_ticks(const std::vector<Measurement>& results) {
  std::vector<uint32_t> sides;
  for (const Measurement& result : results) sides.push_back(result.size.width_px);
  std::ranges::sort(sides, [](uint32_t a, uint32_t b) {
    const auto key = [](uint32_t side) { return std::pair((side & (side - 1)) != 0, side); };
    return key(a) < key(b);
  });
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
  std::vector<PlotSeries> paper;
  for (const Measurement& result : results) {
    // A page that is not square has no side.
    if (result.competitor.engine != engine || result.size.width_px != result.size.height_px) {
      continue;
    }
    const std::string name = result.competitor.name().substr(4);
    auto ours = std::ranges::find(panel.series, name, &PlotSeries::name);
    if (ours == panel.series.end()) {
      const auto colour = static_cast<uint32_t>(panel.series.size());
      panel.series.push_back({name, {}, colour});
      paper.push_back({name + ", paper", {}, colour, true});
      ours = panel.series.end() - 1;
    }
    const double side = result.size.width_px;
    ours->points.emplace_back(side, result.ms);
    if (result.paper_ms) {
      paper[static_cast<size_t>(ours - panel.series.begin())].points.emplace_back(side,
                                                                                  *result.paper_ms);
    }
  }
  for (PlotSeries& line : paper) {
    std::ranges::sort(line.points);
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
  CsvFile csv(options.measure.csv, kCsvHeader);
  const gpu::GpuList list = gpu::list_gpus();
  const std::optional<DeviceCeilings> ceilings = show_ceilings(list, json);
  if (!json) {
    fmt::print(
        "Medians of {}. 'of copy': a byte read and a bit written a pixel, against copies. "
        "'ratio': paper over ours.\n"
        "'differing words': 32 pixels each, of all runs, against the reference 'ec'.\n",
        counted(options.measure.repetitions, "run"));
  }
  std::vector<Measurement> results;
  Comparison all;
  std::optional<Error> failure;  // the first; the rest is measured all the same
  for (const PlaneSize& size : sizes) {
    const BenchPlane plane(size);
    if (!json) print_heading(size);
    for (const Competitor& competitor : competitors(ceilings.has_value(), options.planes)) {
      try {
        Measurement result = measure(competitor, plane, options.measure);
        if (ceilings && competitor.on_gpu()) {
          result.of_copy = result.traffic_gbps() / ceilings->copy_gbps;
        }
        all.words += result.comparison.words;
        all.differing += result.comparison.differing;
        csv.add(to_csv(result));
        json ? fmt::print("{}\n", to_json(result).dump()) : print_row(result);
        std::fflush(stdout);
        results.push_back(std::move(result));
      } catch (const Error& error) {
        const bool of_gpu =
            error.kind() == ErrorKind::kDevice || error.kind() == ErrorKind::kOutOfMemory;
        if (!of_gpu || !competitor.on_gpu()) throw;
        if (!json) fmt::print("  {:<26}failed: {}\n", competitor.name(), error.what());
        if (!failure) failure = error;
      }
    }
  }
  if (!options.measure.svg.empty()) {
    const std::string machine = list.gpus.empty() ? "" : list.gpus.front().name + ", ";
    write_text(options.measure.svg,
               plot_of(results, machine + counted(plan::available_threads(), "CPU thread")));
  }
  if (!json) fmt::print("\n{} words compared, {} differ.\n", all.words, all.differing);
  require_same_bits(all);
  if (failure) throw *failure;
  return kExitGood;
}

}  // namespace

void add_bench_diffusion(cli::Command& bench, const commands::CommonOptions& common) {
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
