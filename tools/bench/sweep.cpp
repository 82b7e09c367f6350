#include "tools/bench/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kernels/gpu/gpu.h"
#include "pipeline/exit_status.h"
#include "pipeline/run/graph_executor.h"
#include "pipeline/text.h"
#include "tools/bench/plot.h"

namespace mezzo::bench {
namespace {

constexpr const char* kAlone = "bwec";

/// One point of the sweep; without a value: engine gpu, schedule bwec.
struct Point {
  PlaneSize size;
  std::optional<double> value;
  double ms = 0;
  Comparison comparison = {};
};

/// Throws kDevice with the reason when the sweep cannot be run.
void require_engines(const Sweep& sweep) {
  const MethodInfo* method = find_method("floyd-steinberg");
  const bool has_engine =
      std::ranges::find(method->schedules, sweep.engine, &ScheduleInfo::engine) !=
      method->schedules.end();
  const bool has_parameter =
      std::ranges::find(method->parameters, sweep.parameter, &ParameterInfo::name) !=
      method->parameters.end();
  if (!has_engine || !has_parameter) {
    throw Error(ErrorKind::kDevice,
                fmt::format("bench {}: this build has no engine '{}' for method '{}'",
                            sweep.command,
                            to_string(sweep.engine),
                            method->name));
  }
  if (find_schedule(*method, kAlone, Engine::kGpu) == nullptr) {
    throw Error(ErrorKind::kDevice,
                fmt::format("bench {}: this build has no GPU schedule '{}' to compare with",
                            sweep.command,
                            kAlone));
  }
  if (const gpu::GpuList list = gpu::list_gpus(); list.gpus.empty()) {
    throw Error(
        ErrorKind::kDevice,
        fmt::format("bench {}: there is no GPU to measure: {}", sweep.command, list.why_none));
  }
}

Point measure(const Sweep& sweep,
              const std::optional<double>& value,
              const BenchPlane& plane,
              Team& team,
              const MeasureOptions& options) {
  HalftoneSettings settings = {.engine = Engine::kGpu, .schedule = kAlone};
  if (value) {
    settings = {.engine = sweep.engine};
    settings.parameters[sweep.parameter] = *value;
  }
  Point point{plane.size(), value};
  point.ms = time_run(*make_halftoner(settings).halftoner, plane, team, options, point.comparison);
  return point;
}

/// Values are steps or shares: four digits say all.
std::string value_text(const Point& point) {
  return point.value ? fmt::format("{:.4g}", *point.value) : "engine gpu";
}

void print_json(const Sweep& sweep, const Point& point) {
  nlohmann::ordered_json object = {{"v", 1},
                                   {"type", sweep.command},
                                   {"width_px", point.size.width_px},
                                   {"height_px", point.size.height_px}};
  object["engine"] = to_string(point.value ? sweep.engine : Engine::kGpu);
  if (point.value) object[sweep.parameter] = *point.value;
  object["ms"] = point.ms;
  object["words"] = point.comparison.words;
  object["differing_words"] = point.comparison.differing;
  fmt::print("{}\n", object.dump());
}

std::string to_csv(const Sweep& sweep, const Point& point) {
  return fmt::format("{},{},{},{},{:.6g},{},{}",
                     point.size.width_px,
                     point.size.height_px,
                     to_string(point.value ? sweep.engine : Engine::kGpu),
                     point.value ? fmt::format("{:.6g}", *point.value) : "",
                     point.ms,
                     point.comparison.words,
                     point.comparison.differing);
}

PlotPanel panel_of(const Sweep& sweep, const std::vector<Point>& points) {
  const double alone_ms = points.front().ms;
  PlotSeries both{std::string(to_string(sweep.engine)), {}, 0};
  const Point* best = nullptr;
  for (const Point& point : points) {
    if (!point.value) continue;
    both.points.emplace_back(*point.value, point.ms);
    if (best == nullptr || point.ms < best->ms) best = &point;
  }
  const auto [first, last] = std::ranges::minmax_element(both.points);
  const PlotSeries alone{"GPU alone", {{first->first, alone_ms}, {last->first, alone_ms}}, 1, true};
  return {to_string(points.front().size) + " px",
          fmt::format("Least: {:.3g} ms at {}. GPU alone: {:.3g} ms ({:.2f} times).",
                      best->ms,
                      value_text(*best),
                      alone_ms,
                      alone_ms / best->ms),
          {sweep.axis},
          {"time of a page, memory to memory, ms"},
          {both, alone}};
}

}  // namespace

void add_sweep_options(cli::Command& command, SweepOptions& options) {
  command
      .option("--sizes",
              options.sizes,
              "Pages, px: sides of squares or WIDTHxHEIGHT, comma-separated; default: the "
              "paper's, and 8192")
      .by_comma();
  add_measure_options(command, options.measure);
}

int bench_sweep(const Sweep& sweep, const SweepOptions& options, bool json) {
  std::vector<PlaneSize> sizes;
  for (const std::string& text : options.sizes) sizes.push_back(parse_plane_size(text));
  if (sizes.empty()) sizes = sweep.sizes;
  require_engines(sweep);
  CsvFile csv(options.measure.csv,
              "width_px,height_px,engine," + sweep.parameter + ",ms,words,differing_words");
  run::GraphExecutor executor({plan::available_threads(), std::nullopt});
  std::vector<PlotPanel> panels;
  Comparison all;
  for (const PlaneSize& size : sizes) {
    const BenchPlane plane(size);
    if (!json) {
      fmt::print("{}{}\n  {:<16}{:>10}{:>9}  {}\n",
                 panels.empty() ? "" : "\n",
                 to_string(size),
                 sweep.parameter,
                 "ms",
                 "ratio",
                 "differing words");
    }
    std::vector<Point> points;
    const auto add = [&](const std::optional<double>& value) {
      const Point point = measure(sweep, value, plane, executor.team(), options.measure);
      all.words += point.comparison.words;
      all.differing += point.comparison.differing;
      points.push_back(point);
      csv.add(to_csv(sweep, point));
      if (json) {
        print_json(sweep, point);
      } else {
        fmt::print("  {:<16}{:>10.3f}{:>9.2f}  {} of {}\n",
                   value_text(point),
                   point.ms,
                   points.front().ms / point.ms,
                   point.comparison.differing,
                   point.comparison.words);
      }
      std::fflush(stdout);
    };
    for (const double value : sweep.values(size)) add(value);  // the first is 0: the GPU alone
    add(std::nullopt);
    panels.push_back(panel_of(sweep, points));
  }
  if (!json) {
    fmt::print(
        "\n'ratio': the GPU alone (0, the same launches) over this. 'engine gpu' is schedule bwec "
        "as "
        "jobs run it, in pieces of 4 MiB.\n{} words compared with the reference 'ec', {} differ.\n",
        all.words,
        all.differing);
  }
  if (!options.measure.svg.empty()) {
    const std::string machine = gpu::list_gpus().gpus.front().name + ", " +
                                counted(plan::available_threads(), "CPU thread") + "; medians of " +
                                counted(options.measure.repetitions, "run");
    write_text(options.measure.svg, svg_plot(sweep.title, machine, panels));
  }
  require_same_bits(all);
  return kExitGood;
}

}  // namespace mezzo::bench
