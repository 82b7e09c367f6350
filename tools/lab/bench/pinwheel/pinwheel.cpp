#include "tools/lab/bench/pinwheel/pinwheel.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "kernels/pinwheel/block_path.h"
#include "kernels/pinwheel/pinwheel_method.h"
#include "pipeline/run/graph_executor.h"
#include "pipeline/text.h"
#include "tools/lab/bench/pinwheel/measurement.h"
#include "tools/lab/bench/pinwheel/quality.h"
#include "tools/lab/bench/plot.h"

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

/// A panel a page: throughput over the size of a block, a line a schedule. Then, of several pages,
/// a panel a schedule: over the size of the page, a line a block, as figure 4 (b) has it.
std::string pinwheel_plot(const Measurements& results, const std::string& machine) {
  std::vector<PlotPanel> panels, by_schedule;
  for (const PinwheelMeasurement& result : results) {
    const double block = result.point.block;
    PlotPanel& page = panel_of(panels, to_string(result.size) + " px");
    page.note = "Dashed: Zhang et al., Table 1 (GTX 460), where it has the page.";
    page.x = {"side of a block, px", true, true};
    page.y = {"throughput, 10^9 px/s", true};
    page.add(result.name(), block, result.gpx_per_s());
    const auto paper = result.paper_gpx_per_s();
    if (paper) page.add_dashed(result.name(), "paper, unrolled", block, *paper);
    if (result.size.width_px != result.size.height_px) continue;
    PlotPanel& schedule = panel_of(by_schedule, result.name() + " by size of page");
    schedule.note = "A line a size of block.";
    schedule.x = {"side of the square page, px", true, true};
    schedule.y = {"throughput, 10^9 px/s"};
    schedule.add(fmt::format("block {}", block), result.size.width_px, result.gpx_per_s());
  }
  if (panels.size() > 1) panels.insert(panels.end(), by_schedule.begin(), by_schedule.end());
  const std::string point = results.empty() ? ""
                                            : fmt::format(", weights {}, {}",
                                                          results.front().point.weights,
                                                          results.front().point.path);
  return svg_plot("Pinwheel error diffusion" + point, machine, std::move(panels));
}

void introduce(const PinwheelOptions& options, bool with_gpu, const Results& results) {
  results.print("10^9 pixels a second, medians of {}. Weights {}, path {}.\n",
                counted(options.measure.repetitions, "run"),
                options.weights,
                options.path);
  if (!with_gpu) return;
  results.print(
      "'paper': Zhang et al., Table 1 (GTX 460, tone-dependent weights, unrolled). 'bytes/px': "
      "what must be moved at\nleast when no phase finds in a cache what the other left: samples "
      "1 + min(1, 32/s (1 - gcd(s, 32)/32)), bits 5/8,\nrims 8/s, for blocks of s x s px. 'of "
      "copy': the share of the measured copy that this is; a page that fits in\nthe GPU's cache "
      "may exceed 100 %. Where the walk of a block is not compiled, 'unrolled' is the loop.\n");
}

/// All blocks and schedules on one page.
void measure_page(const PlaneSize& size,
                  const PinwheelOptions& options,
                  const std::optional<DeviceCeilings>& ceilings,
                  Team& team,
                  Results& results,
                  Measurements& all) {
  results.print("\n{}\n", to_string(size));
  results.begin_table();
  BenchPlane plane(size);
  for (const uint32_t block : options.blocks) {
    const PinwheelPoint point{block, options.weights, options.path};
    plane.set_reference(point.settings(), team);
    PinwheelRow row;
    for (PinwheelMeasurement result :
         competitors(size, point, ceilings.has_value(), options.engine != "gpu")) {
      const bool good = results.attempt(result.on_gpu(), result.name(), [&] {
        measure_plane(result, point.settings(), plane, team, options.measure);
      });
      if (!good) continue;
      results.compared(result.comparison);
      if (result.on_gpu()) {
        result.of_copy = result.gpx_per_s() * pinwheel_bytes_per_px(block) / ceilings->copy_gbps;
      }
      row.push_back(result);
    }
    for (const PinwheelMeasurement& result : row) results.add(record_of(result, row));
    all.insert(all.end(), row.begin(), row.end());
  }
}

int bench_pinwheel(PinwheelOptions options, bool json) {
  const std::vector<PlaneSize> sizes = parse_plane_sizes(options.sizes);
  Results results(options.measure.csv, json);
  options.quality.blocks = options.blocks;
  options.quality.path = options.path;
  std::optional<PinwheelQuality> quality;  // its files and folders are made before anything else
  if (!options.no_quality) quality.emplace(options.quality, json);
  if (options.engine == "gpu") require_gpus("pinwheel");
  std::optional<DeviceCeilings> ceilings;
  if (options.engine != "cpu") ceilings = show_ceilings(results);
  introduce(options, ceilings.has_value(), results);
  run::GraphExecutor threads({plan::available_threads(), std::nullopt});
  Measurements all;
  for (const PlaneSize& size : sizes) {
    measure_page(size, options, ceilings, threads.team(), results, all);
  }
  if (!options.measure.svg.empty()) {
    write_text(options.measure.svg, pinwheel_plot(all, machine_text(ceilings.has_value())));
  }
  const auto rate_of = [&](const PinwheelPoint& point) {
    std::optional<double> best;  // of the fastest schedule, on the first page
    for (const PinwheelMeasurement& result : all) {
      if (result.size != sizes.front() || result.point != point) continue;
      best = std::max(best.value_or(0), result.gpx_per_s());
    }
    return best;
  };
  if (quality) quality->run(rate_of, threads.team());
  return results.finish();
}

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
  add_sizes_option(command, options->sizes, "the paper's figure 4 has 512,1024,2048,4096")
      .shows_default();
  command.option("--weights", options->weights, "The set of weights that is timed")
      .one_of(pinwheel::kWeightNames)
      .shows_default();
  command.option("--path", options->path, "How blocks are walked")
      .one_of(pinwheel::kPathNames)
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
  command.runs([options, &common] { return bench_pinwheel(*options, common.json); });
}

}  // namespace mezzo::bench
