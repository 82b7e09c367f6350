#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <regex>

#include "kernels/base/repeat.h"
#include "kernels/screen/tile_values.h"
#include "pipeline/plan/cost_model.h"
#include "pipeline/run/graph_executor.h"
#include "pipeline/run/job_runner.h"
#include "pipeline/text.h"
#include "tools/cli/interrupt.h"
#include "tools/lab/bench/bench.h"
#include "tools/lab/bench/codecs.h"
#include "tools/lab/bench/colours.h"
#include "tools/lab/bench/harness.h"
#include "tools/lab/bench/reading.h"
#include "tools/synth/write_page.h"

namespace mezzo::bench {
namespace {

struct BenchOptions {
  uint32_t width = 8192;
  uint32_t height = 4096;
  uint32_t repetitions = 5;
  std::string filter;
};

using Run = Benchmark::Run;

/// The sides of the page for methods that search, which take microseconds a pixel and more.
constexpr PlaneSize kSearched = {64, 64};

/// Of one repetition, at least.
constexpr double kLeastSeconds = 0.5;

Run halftoning(const HalftoneSettings& settings, const BenchPlane& plane, uint32_t threads) {
  const auto executor =
      std::make_shared<run::GraphExecutor>(run::GraphExecutor::Options{threads, std::nullopt});
  const std::shared_ptr<const Halftoner> halftoner =
      make_halftoner(complete(settings, plan::kMeasuredPlate)).halftoner;
  return [&plane, executor, halftoner] {
    const auto state = halftoner->make_state(plane.size().width_px);
    halftoner->run(plane.samples(), plane.curve(), plane.out(), state.get(), executor->team());
  };
}

/// The method with its defaults, and with a tile of the size of a screen where it takes one.
HalftoneSettings settings_of(const MethodInfo& method) {
  HalftoneSettings settings = {.method = std::string(method.name)};
  if (!method.takes_tile) return settings;
  screen::TileValues tile{.width = 4680, .height = 1, .bits = 16, .values = {}};
  for (uint32_t i = 0; i < tile.width; ++i) {
    tile.values.push_back(static_cast<uint16_t>(i * 4051 % tile.width * 14));
  }
  settings.tile = {"bench", "bench", std::make_shared<const screen::TileValues>(std::move(tile))};
  return settings;
}

/// All CPU schedules; methods that search on `small`, whose size their rows name.
void add_kernels(const BenchPlane& large, const BenchPlane& small, std::vector<Benchmark>& all) {
  for (const MethodInfo& method : methods()) {
    const bool searches =
        make_reference(complete(settings_of(method), plan::kMeasuredPlate))->traits().band_rows !=
        0;
    const BenchPlane& plane = searches ? small : large;
    const std::string size = searches ? ", " + to_string(plane.size()) + " px" : "";
    for (const ScheduleInfo& schedule : method.schedules) {
      if (schedule.engine != Engine::kCpu) continue;
      HalftoneSettings settings = settings_of(method);
      settings.schedule = schedule.name;
      const uint32_t most = schedule.uses_threads ? plan::available_threads() : 1;
      for (uint32_t threads = 1; threads <= most; threads *= 2) {
        all.push_back(
            {settings.method,
             fmt::format("{}, {}{}", schedule.name, counted(threads, "thread"), size),
             plane.size(),
             [&plane, settings, threads] { return halftoning(settings, plane, threads); }});
      }
    }
  }
}

/// A folder that is gone when the benchmark ends.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::random_device random;
    path_ =
        std::filesystem::temp_directory_path() / fmt::format("mezzotint-bench-{:08x}", random());
    std::filesystem::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string path() const { return path_.string(); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

void run_whole_job(const manifests::Job& job) {
  run::JobObserver nobody;
  const run::JobResult result =
      run::run_job(plan::make_plan(job), {}, nobody, cli::stop_requested());
  stop_if_requested();
  for (const run::SheetResult& sheet : result.sheets) {
    if (sheet.failure) throw sheet.failure->error();
  }
}

void add_end_to_end(const std::string& page,
                    const std::string& plate,
                    const PlaneSize& size,
                    std::vector<Benchmark>& all) {
  for (const char* compression : {"none", "packbits", "lzw", "deflate", "auto"}) {
    manifests::Job job;
    job.pages.resize(1);
    job.pages.front().input = page;
    job.pages.front().settings.output.path = plate;
    job.pages.front().settings.output.compression = compression;
    all.push_back({"end to end", fmt::format("file to {}, all threads", compression), size, [job] {
                     return [job] { run_whole_job(job); };
                   }});
  }
}

/// The median of the repetitions.
double pixels_per_second(const Benchmark& benchmark, uint32_t repetitions) {
  using Seconds = std::chrono::duration<double>;
  const Run run = benchmark.make();
  run();  // warms up
  std::vector<double> rates;
  WarmRuns::repeat(repetitions, std::numeric_limits<double>::infinity(), [&] {
    const auto begin = std::chrono::steady_clock::now();
    Seconds time(0);
    uint32_t runs = 0;
    for (; time.count() < kLeastSeconds; ++runs) {
      stop_if_requested();
      run();
      time = std::chrono::steady_clock::now() - begin;
    }
    rates.push_back(runs * benchmark.size.pixels() / time.count());
  });
  return WarmRuns::median(rates);
}

int measure_all(const std::vector<Benchmark>& all, uint32_t repetitions, bool json) {
  Results results("", json);
  std::string group;
  double first = 0;
  for (const Benchmark& benchmark : all) {
    const double rate = pixels_per_second(benchmark, repetitions);
    if (benchmark.group != group) {
      group = benchmark.group;
      first = rate;
      results.begin_table();
    }
    results.show(Record("benchmark")
                     .add("group", group)
                     .add("name", benchmark.name, Column{group, -34})
                     .add("pixels_per_second", rate)
                     .show({"Mpx/s", 8}, fmt::format("{:.{}f}", rate / 1e6, rate < 1e6 ? 3 : 1))
                     .add("ratio_to_first", rate / first, Column{"ratio", 9, 2}));
  }
  return results.finish();
}

std::regex filter_of(const BenchOptions& options) {
  try {
    return std::regex(options.filter);
  } catch (const std::regex_error& error) {
    throw Error(
        ErrorKind::kUsage,
        fmt::format("--filter: '{}' is no regular expression: {}", options.filter, error.what()));
  }
}

int bench_kernels(const BenchOptions& options, bool json) {
  const std::regex filter = filter_of(options);
  const ScratchFolder scratch;
  const std::string page = scratch / "page.tif";
  const PlaneSize size = {options.width, options.height};
  const BenchPlane large(size), small(kSearched);
  synth::write_synth_page(page, {.width_px = size.width_px, .height_px = size.height_px}, "none");
  std::vector<Benchmark> all;
  add_kernels(large, small, all);
  add_codecs(size, scratch.path(), all);
  add_reading(scratch.path(), size, all);
  add_colours(all);
  add_end_to_end(page, scratch / "plate.tif", size, all);
  std::erase_if(all, [&filter](const Benchmark& benchmark) {
    return !std::regex_search(benchmark.group + "/" + benchmark.name, filter);
  });
  if (all.empty()) {
    throw Error(ErrorKind::kUsage, "--filter: no benchmark matches '" + options.filter + "'");
  }
  return measure_all(all, options.repetitions, json);
}

}  // namespace

void add_bench_kernels(cli::Command& bench, const cli::CommonOptions& common) {
  auto options = std::make_shared<BenchOptions>();
  // `bench --repetitions 9 diffusion` would set an option that diffusion does not read.
  bench.option("--width", options->width, "Of the test page, px")
      .range(1, 100'000)
      .shows_default()
      .without_command();
  bench.option("--height", options->height, "Of the test page, px")
      .range(1, 100'000)
      .shows_default()
      .without_command();
  bench.option("--repetitions", options->repetitions, "The median of these counts")
      .range(1, 1000)
      .shows_default()
      .without_command();
  bench.option("--filter", options->filter, "Only benchmarks that match this expression")
      .without_command();
  bench.runs([options, &common] { return bench_kernels(*options, common.json); });
}

}  // namespace mezzo::bench
