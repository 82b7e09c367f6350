// mezzotint bench pinwheel: Table 1 and figure 4 of Zhang et al. (zhang_table.h) on this machine,
// with what the paper left open beside it: the loop against the unrolled walk, larger blocks, and
// what blocks, weights and noise do to the picture. GPU schedules are timed with the samples
// already on the GPU; CPU schedules by the clock on the wall.

#include "tools/bench/pinwheel/pinwheel.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "kernels/pinwheel/block_path.h"
#include "pipeline/exit_status.h"
#include "pipeline/run/graph_executor.h"
#include "pipeline/text.h"
#include "tools/bench/pinwheel/zhang_table.h"

namespace mezzo::bench {
namespace {

// Values of the parameters, by name. A build has those that its registry allows.
constexpr const char* kWeights[] = {"fs", "tone-dependent"};
constexpr const char* kPaths[] = {"spiral", "serpentine"};

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

template <size_t kCount>
std::vector<std::string> allowed(std::string_view parameter, const char* const (&names)[kCount]) {
  const auto& parameters = find_method("pinwheel")->parameters;
  const double most = std::ranges::find(parameters, parameter, &ParameterInfo::name)->maximum;
  return {names, names + std::min(kCount, static_cast<size_t>(most) + 1)};
}

double index_of(const std::vector<std::string>& names, const std::string& name) {
  return static_cast<double>(std::ranges::find(names, name) - names.begin());
}

/// What is measured for each block, in order.
PinwheelRow competitors(const PlaneSize& size,
                        const PinwheelPoint& point,
                        bool with_gpu,
                        bool with_cpu) {
  PinwheelRow all;
  if (with_gpu) {
    for (const char* schedule : {"unrolled", "loop"}) {
      all.push_back({size, point, Engine::kGpu, schedule});
    }
  }
  if (with_cpu) {
    all.push_back({size, point, Engine::kCpu, "lanes"});
    if (plan::available_threads() > 1) {
      all.push_back({size, point, Engine::kCpu, "lanes", plan::available_threads()});
    }
    all.push_back({size, point, Engine::kCpu, "pixels"});
  }
  return all;
}

void measure(PinwheelMeasurement& result,
             const BenchPlane& plane,
             Team& team,
             const MeasureOptions& options) {
  HalftoneSettings settings = result.point.settings();
  settings.engine = result.engine;
  settings.schedule = result.schedule;
  if (result.on_gpu()) {
    plane.spoil();
    const ScheduleTiming timing = time_gpu_schedule(
        settings,
        plane.samples(),
        plane.curve(),
        plane.out(),
        {.repetitions = options.repetitions, .budget_seconds = options.seconds, .after_run = [&] {
           stop_if_requested();
           result.comparison.add(plane);
         }});
    result.ms = timing.kernel_ms;
    result.upload_ms = timing.upload_ms;
    result.download_ms = timing.download_ms;
  } else {
    SoloTeam solo;
    result.ms = time_run(*make_halftoner(settings).halftoner,
                         plane,
                         result.threads > 1 ? team : solo,
                         options,
                         result.comparison);
  }
  // The paper unrolled spirals.
  if (result.schedule == "unrolled" && result.point.path == "spiral") {
    result.paper_gpx_per_s =
        zhang::gpx_per_s(result.point.block, result.size.width_px, result.size.height_px);
  }
}

/// Measures, prints and keeps what was asked for.
class PinwheelBench {
 public:
  PinwheelBench(const PinwheelOptions& options, bool json)
      : options_(options),
        json_(json),
        threads_({plan::available_threads(), std::nullopt}),
        csv_(options.measure.csv, csv_header(pinwheel_json({}, {}))) {
    for (const std::string& size : options.sizes) sizes_.push_back(parse_plane_size(size));
    if (options.no_quality) return;
    PinwheelQualityOptions quality = options.quality;
    quality.blocks = options.blocks;
    quality.path = options.path;
    quality.json = json;
    quality_ = make_pinwheel_quality(quality);
  }

  int run() {
    const gpu::GpuList list = gpu::list_gpus();
    if (options_.engine == "gpu" && list.gpus.empty()) {
      throw Error(ErrorKind::kDevice,
                  "bench pinwheel: there is no GPU to measure: " + list.why_none);
    }
    if (options_.engine != "cpu") ceilings_ = show_ceilings(list, json_);
    print_introduction();
    for (const PlaneSize& size : sizes_) measure_size(size);
    if (!options_.measure.svg.empty()) {
      const std::string gpu = ceilings_ ? list.gpus.front().name + ", " : "";
      write_text(options_.measure.svg,
                 pinwheel_plot(results_, gpu + counted(plan::available_threads(), "CPU thread")));
    }
    if (!json_) fmt::print("\n{} words compared, {} differ.\n", all_.words, all_.differing);
    require_same_bits(all_);
    if (quality_) {
      quality_->run([this](const PinwheelPoint& point) { return rate_of(point); }, threads_.team());
    }
    if (failure_) throw *failure_;
    return kExitGood;
  }

 private:
  void print_introduction() const {
    if (json_) return;
    fmt::print("10^9 pixels a second, medians of {}; xN: N threads. Weights {}, path {}.\n",
               counted(options_.measure.repetitions, "run"),
               options_.weights,
               options_.path);
    if (!ceilings_) return;
    fmt::print(
        "'paper': Zhang et al., Table 1 (GTX 460, tone-dependent weights, unrolled). 'bytes/px': "
        "what must be moved at\nleast when no phase finds in a cache what the other left: samples "
        "1 + min(1, 32/s (1 - gcd(s, 32)/32)), bits 5/8,\nrims 8/s, for blocks of s x s px. 'of "
        "copy': the share of the measured copy that this is at the speed of 'unrolled';\na page "
        "that fits in the GPU's cache may exceed 100 %. Where the walk of a block is not compiled, "
        "'unrolled' is the\nloop.\n");
  }

  void measure_size(const PlaneSize& size) {
    if (!json_) fmt::print("\n{}\n", to_string(size));
    const auto point_of = [&](uint32_t block) {
      return PinwheelPoint{block, options_.weights, options_.path};
    };
    const uint32_t first = options_.blocks.front();
    BenchPlane plane(size, point_of(first).settings(), threads_.team());
    for (size_t i = 0; i < options_.blocks.size(); ++i) {
      const uint32_t block = options_.blocks[i];
      if (i > 0) plane.set_reference(point_of(block).settings(), threads_.team());
      PinwheelRow row =
          competitors(size, point_of(block), ceilings_.has_value(), options_.engine != "gpu");
      for (PinwheelMeasurement& result : row) try_measuring(result, plane);
      show(row, i == 0);
    }
  }

  /// A GPU that fails costs its own figures; the rest is measured all the same.
  void try_measuring(PinwheelMeasurement& result, const BenchPlane& plane) {
    try {
      measure(result, plane, threads_.team(), options_.measure);
    } catch (const Error& error) {
      const bool of_gpu =
          error.kind() == ErrorKind::kDevice || error.kind() == ErrorKind::kOutOfMemory;
      if (!of_gpu || !result.on_gpu()) throw;
      if (!failure_) failure_ = error;
      return;
    }
    if (result.on_gpu() && ceilings_) {
      result.of_copy =
          result.gpx_per_s() * pinwheel_bytes_per_px(result.point.block) / ceilings_->copy_gbps;
    }
    all_.words += result.comparison.words;
    all_.differing += result.comparison.differing;
  }

  void show(const PinwheelRow& row, bool first) {
    if (!json_) print_pinwheel_row(row, first);
    for (const PinwheelMeasurement& result : row) {
      if (result.ms <= 0) continue;
      const nlohmann::ordered_json object = pinwheel_json(result, row);
      csv_.add(csv_row(object));
      if (json_) fmt::print("{}\n", object.dump());
      results_.push_back(result);
    }
    std::fflush(stdout);
  }

  /// 10^9 pixels a second of the fastest schedule, on the first page.
  std::optional<double> rate_of(const PinwheelPoint& point) const {
    std::optional<double> best;
    for (const PinwheelMeasurement& result : results_) {
      if (result.size != sizes_.front() || result.point != point) continue;
      best = std::max(best.value_or(0), result.gpx_per_s());
    }
    return best;
  }

  const PinwheelOptions& options_;
  const bool json_;
  run::GraphExecutor threads_;
  CsvFile csv_;
  std::unique_ptr<PinwheelQuality> quality_;  ///< null: not asked for
  std::vector<PlaneSize> sizes_;
  std::optional<DeviceCeilings> ceilings_;  ///< empty: no GPU is measured
  std::vector<PinwheelMeasurement> results_;
  Comparison all_;
  std::optional<Error> failure_;  ///< the first
};

}  // namespace

std::vector<std::string> pinwheel_weights() {
  return allowed("weights", kWeights);
}

std::vector<std::string> pinwheel_paths() {
  return allowed("path", kPaths);
}

HalftoneSettings PinwheelPoint::settings() const {
  HalftoneSettings settings = {.method = "pinwheel"};
  settings.parameters = {{"block", block},
                         {"weights", index_of(pinwheel_weights(), weights)},
                         {"path", index_of(pinwheel_paths(), path)},
                         {"threshold_noise", threshold_noise}};
  return settings;
}

void add_bench_pinwheel(cli::Command& bench, const commands::CommonOptions& common) {
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
  command.option("--engine", options->engine, "What is timed")
      .one_of({"cpu", "gpu", "all"})
      .shows_default();
  add_measure_options(command, options->measure);
  PinwheelQualityOptions& quality = options->quality;
  command.option("--quality-size", quality.side_px, "Side of the page that is judged, px")
      .range(64, 16384)
      .shows_default();
  command.option("--quality-csv", quality.csv, "A file for what the judge says").takes("FILE");
  command.option("--plates", quality.plates, "A folder for the halftones that are judged")
      .takes("FOLDER");
  command.flag("--no-quality", options->no_quality, "Only throughput");
  command.runs([options, &common] { return PinwheelBench(*options, common.json).run(); });
}

}  // namespace mezzo::bench
