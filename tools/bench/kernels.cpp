// Plain `mezzotint bench`: how fast this machine is, kernel by kernel and from file to file. The
// timing is Google Benchmark's; the table and the JSON lines are ours, with the ratio to the first
// of a group.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>

#include "pipeline/exit_status.h"
#include "pipeline/run/graph_executor.h"
#include "pipeline/run/job_runner.h"
#include "pipeline/text.h"
#include "stages/tiff/plate/encode.h"
#include "tools/bench/bench.h"
#include "tools/cli/interrupt.h"
#include "tools/commands/synth.h"

namespace mezzo::bench {
namespace {

namespace fs = std::filesystem;

struct BenchOptions {
  uint32_t width = 8192;
  uint32_t height = 4096;
  uint32_t repetitions = 5;
  std::string filter;
};

/// What one benchmark came to.
struct Row {
  std::string group;  ///< rows of a group are compared with its first
  std::string name;
  double pixels_per_second = 0;
};

/// Takes the median of each benchmark's repetitions out of Google Benchmark's hands.
class Collector final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      // A single repetition has no aggregates: it is its own median.
      const bool median =
          run.run_type == Run::RT_Aggregate ? run.aggregate_name == "median" : run.repetitions == 1;
      if (!median || run.error_occurred) continue;
      const std::string& name = run.run_name.function_name;
      const size_t slash = name.find('/');
      rows.push_back({name.substr(0, slash),
                      name.substr(slash + 1),
                      run.counters.at("items_per_second").value});
    }
  }

  std::vector<Row> rows;
};

/// A test page in memory.
struct Page {
  Page(uint32_t width_px, uint32_t height_px)
      : width(width_px), height(height_px), samples(size_t{width_px} * height_px) {
    draw_test_samples(width, height, samples.data());
  }
  SampleBand band() const { return {samples.data(), width, height, width, 0, 1}; }

  uint32_t width, height;
  std::vector<std::byte> samples;
};

/// The sides of the page for methods that search, which take microseconds a pixel and more.
constexpr uint32_t kSearchedSide = 64;

/// All CPU schedules; methods that search on `small`, whose size their rows name. The pages are
/// used when the benchmarks run.
void add_kernels(const BenchOptions& options, const Page& large, const Page& small) {
  for (const MethodInfo& method : methods()) {
    const bool searches =
        make_reference({.method = std::string(method.name)})->traits().band_rows != 0;
    const Page& page = searches ? small : large;
    const std::string size =
        searches ? fmt::format(", {} x {} px", page.width, page.height) : std::string();
    for (const ScheduleInfo& schedule : method.schedules) {
      if (schedule.engine != Engine::kCpu) continue;
      const uint32_t most = schedule.uses_threads ? plan::available_threads() : 1;
      for (uint32_t threads = 1; threads <= most; threads *= 2) {
        const std::string name = fmt::format(
            "{}/{}, {}{}", method.name, schedule.name, counted(threads, "thread"), size);
        benchmark::RegisterBenchmark(
            name.c_str(),
            [&, threads](benchmark::State& state) {
              run::GraphExecutor executor({threads, std::nullopt});
              const auto halftoner = make_halftoner({.method = std::string(method.name),
                                                     .schedule = std::string(schedule.name)})
                                         .halftoner;
              const ToneCurve curve(255, Polarity::kMaxIsPaper);
              const size_t row_bytes = bit_row_bytes(page.width);
              std::vector<uint8_t> bits(row_bytes * page.height);
              const BitBand out{bits.data(), page.width, page.height, row_bytes, 0};
              for (auto _ : state) {
                const auto carried = halftoner->make_state(page.width);
                halftoner->run(page.band(), curve, out, carried.get(), executor.team());
                benchmark::ClobberMemory();
              }
              state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * page.width *
                                      page.height);
            })
            ->UseRealTime()
            ->Repetitions(static_cast<int>(options.repetitions));
      }
    }
  }
}

/// One core, strip by strip, on the bits of the reference.
void add_codecs(const BenchOptions& options, const Page& page) {
  for (const tiff::CompressionInfo& info : tiff::compressions()) {
    if (info.compression == tiff::Compression::kAutomatic ||
        info.compression == tiff::Compression::kNone) {
      continue;
    }
    const std::string name = fmt::format("encode on one core/{}", info.name);
    benchmark::RegisterBenchmark(
        name.c_str(),
        [&options, &page, compression = info.compression](benchmark::State& state) {
          const size_t row_bytes = bit_row_bytes(options.width);
          std::vector<uint8_t> bits(row_bytes * options.height);
          const BitBand plate{bits.data(), options.width, options.height, row_bytes, 0};
          const auto halftoner = make_halftoner({}).halftoner;
          const auto carried = halftoner->make_state(options.width);
          SoloTeam solo;
          halftoner->run(
              page.band(), ToneCurve(255, Polarity::kMaxIsPaper), plate, carried.get(), solo);
          const uint32_t strip = tiff::plate_rows_per_strip(options.width);
          for (auto _ : state) {
            for (uint32_t row = 0; row < options.height; row += strip) {
              benchmark::DoNotOptimize(tiff::encode_strip(
                  plate.slice(row, std::min(strip, options.height - row)), compression));
            }
          }
          state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * options.width *
                                  options.height);
        })
        ->UseRealTime()
        ->Repetitions(static_cast<int>(options.repetitions));
  }
}

/// A folder that is gone when the benchmark ends.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::random_device random;
    path_ = fs::temp_directory_path() / fmt::format("mezzotint-bench-{:08x}", random());
    fs::create_directories(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

void add_end_to_end(const BenchOptions& options,
                    const std::string& page,
                    const std::string& plate) {
  for (const char* compression : {"none", "packbits", "lzw", "deflate", "auto"}) {
    const std::string name = fmt::format("end to end/file to {}, all threads", compression);
    benchmark::RegisterBenchmark(
        name.c_str(),
        [=](benchmark::State& state) {
          manifests::Job job;
          job.pages.resize(1);
          job.pages.front().input = page;
          job.pages.front().settings.output.path = plate;
          job.pages.front().settings.output.compression = compression;
          run::JobObserver nobody;
          for (auto _ : state) {
            const run::JobResult result =
                run::run_job(plan::make_plan(job), {}, nobody, cli::stop_requested());
            if (!result.all_good()) state.SkipWithError("the job failed");
          }
          state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * options.width *
                                  options.height);
        })
        ->UseRealTime()
        ->Repetitions(static_cast<int>(options.repetitions));
  }
}

void print_rows(const std::vector<Row>& rows, bool json) {
  std::string group;
  double first = 0;
  for (const Row& row : rows) {
    if (row.group != group) {
      group = row.group;
      first = row.pixels_per_second;
      if (!json) fmt::print("{}\n", group);
    }
    const double ratio = row.pixels_per_second / first;
    if (json) {
      const nlohmann::ordered_json object = {{"v", 1},
                                             {"type", "benchmark"},
                                             {"group", row.group},
                                             {"name", row.name},
                                             {"pixels_per_second", row.pixels_per_second},
                                             {"ratio_to_first", ratio}};
      fmt::print("{}\n", object.dump());
    } else {
      const double rate = row.pixels_per_second / 1e6;
      fmt::print("  {:<32} {:8.{}f} Mpx/s {:7.2f} x\n", row.name, rate, rate < 1 ? 3 : 1, ratio);
    }
  }
}

int bench(const BenchOptions& options, const commands::CommonOptions& common) {
  const ScratchFolder scratch;
  const Page large(options.width, options.height), small(kSearchedSide, kSearchedSide);
  synth::SynthOptions page;
  page.width_px = options.width;
  page.height_px = options.height;
  commands::write_synth_page((scratch / "page.tif").string(), page, "none");
  add_kernels(options, large, small);
  add_codecs(options, large);
  add_end_to_end(options, (scratch / "page.tif").string(), (scratch / "plate.tif").string());

  std::vector<std::string> words = {"mezzotint"};
  if (!options.filter.empty()) words.push_back("--benchmark_filter=" + options.filter);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  print_rows(collector.rows, common.json);
  if (!collector.rows.empty()) return kExitGood;
  throw Error(ErrorKind::kUsage, "--filter: no benchmark matches '" + options.filter + "'");
}

}  // namespace

void add_bench_kernels(cli::Command& bench_command, const commands::CommonOptions& common) {
  auto options = std::make_shared<BenchOptions>();
  // `bench --repetitions 9 diffusion` would set what diffusion does not read.
  bench_command.option("--width", options->width, "Of the test page, px")
      .range(1, 100'000)
      .shows_default()
      .without_command();
  bench_command.option("--height", options->height, "Of the test page, px")
      .range(1, 100'000)
      .shows_default()
      .without_command();
  bench_command.option("--repetitions", options->repetitions, "The median of these counts")
      .range(1, 1000)
      .shows_default()
      .without_command();
  bench_command.option("--filter", options->filter, "Only benchmarks that match this expression")
      .without_command();
  bench_command.runs([options, &common] { return bench(*options, common); });
}

}  // namespace mezzo::bench
