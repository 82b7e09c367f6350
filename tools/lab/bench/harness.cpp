#include "tools/lab/bench/harness.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "kernels/base/repeat.h"
#include "pipeline/exit_status.h"
#include "pipeline/run/graph_executor.h"
#include "pipeline/text.h"
#include "tools/cli/interrupt.h"

namespace mezzo::bench {

void add_file_options(cli::Command& command, FileOptions& options) {
  command.option("--csv", options.csv, "A file for the results, a row a measurement").takes("FILE");
  command.option("--svg", options.svg, "A file for a plot of the results").takes("FILE");
}

void add_measure_options(cli::Command& command, MeasureOptions& options) {
  command.option("--repetitions", options.repetitions, "The median of these counts")
      .range(1, 1000)
      .shows_default();
  command.option("--seconds", options.seconds, "No repetition begins after this time in one row")
      .range(0.0, 3600.0)
      .shows_default();
  add_file_options(command, options);
}

cli::Option& add_sizes_option(cli::Command& command,
                              std::vector<std::string>& sizes,
                              const std::string& papers) {
  return command
      .option("--sizes",
              sizes,
              "Pages, px: sides of squares or WIDTHxHEIGHT, comma-separated; " + papers)
      .by_comma();
}

void add_engine_option(cli::Command& command, std::string& engine) {
  command.option("--engine", engine, "What is timed").one_of({"cpu", "gpu", "all"}).shows_default();
}

void stop_if_requested() {
  if (cli::stop_requested()) throw Error(ErrorKind::kInterrupted, "the benchmark was stopped");
}

double index_of(std::span<const std::string_view> names, std::string_view name) {
  return static_cast<double>(std::ranges::find(names, name) - names.begin());
}

gpu::GpuList require_gpus(const std::string& command) {
  gpu::GpuList list = gpu::list_gpus();
  if (!list.gpus.empty()) return list;
  throw Error(ErrorKind::kDevice,
              "bench " + command + ": there is no GPU to measure: " + list.why_none);
}

std::string machine_text(bool with_gpu) {
  const std::string gpu = with_gpu ? gpu::list_gpus().gpus.front().name + ", " : "";
  return gpu + counted(plan::available_threads(), "CPU thread");
}

std::string Measurement::name() const {
  std::string text = (on_gpu() ? "GPU " : "CPU ") + schedule;
  if (planes > 1) text += fmt::format(", {} planes", planes);
  if (threads > 1) text += fmt::format(", {} threads", threads);
  return text;
}

void measure_plane(Measurement& result,
                   HalftoneSettings settings,
                   const BenchPlane& plane,
                   Team& team,
                   const MeasureOptions& options) {
  result.size = plane.size();
  settings.engine = result.engine;
  settings.schedule = result.schedule;
  if (!result.on_gpu()) {
    SoloTeam solo;
    Team& members = result.threads > 1 ? team : solo;
    result.ms = time_run(
        *make_halftoner(complete(settings)).halftoner, plane, members, options, result.comparison);
    return;
  }
  plane.spoil();
  const TimedRuns runs = {.planes = result.planes,
                          .repetitions = options.repetitions,
                          .budget_seconds = options.seconds,
                          .after_run = [&] {
                            stop_if_requested();
                            plane.compare(result.comparison);
                          }};
  const TimedRuns::Timing timing =
      time_gpu_schedule(settings, plane.samples(), plane.curve(), plane.out(), runs);
  result.ms = timing.kernel_ms;
  result.upload_ms = timing.upload_ms;
  result.download_ms = timing.download_ms;
}

double time_run(const Halftoner& halftoner,
                const BenchPlane& plane,
                Team& team,
                const MeasureOptions& options,
                Comparison& comparison) {
  std::vector<double> times;
  WarmRuns::repeat(options.repetitions, options.seconds, [&] {
    stop_if_requested();
    plane.spoil();
    const auto state = halftoner.make_state(plane.size().width_px);
    const auto begin = std::chrono::steady_clock::now();
    halftoner.run(plane.samples(), plane.curve(), plane.out(), state.get(), team);
    const auto end = std::chrono::steady_clock::now();
    times.push_back(std::chrono::duration<double, std::milli>(end - begin).count());
    plane.compare(comparison);
  });
  return WarmRuns::median(times);
}

void Results::show(const Record& record) {
  if (json_) {
    fmt::print("{}\n", record.json());
  } else if (const std::string row = record.row(); !row.empty()) {
    if (heading_is_due_) fmt::print("{}\n", record.heading());
    heading_is_due_ = false;
    fmt::print("{}\n", row);
  }
  std::fflush(stdout);
}

void Results::add(const Record& record, CsvFile& csv) {
  csv.add(record);
  show(record);
}

bool Results::attempt(bool on_gpu, const std::string& name, const std::function<void()>& measure) {
  try {
    measure();
  } catch (const Error& error) {
    const bool of_gpu =
        error.kind() == ErrorKind::kDevice || error.kind() == ErrorKind::kOutOfMemory;
    if (!of_gpu || !on_gpu) throw;
    if (!failure_) failure_ = error;
    print("  {:<26}failed: {}\n", name, error.what());
    return false;
  }
  return true;
}

int Results::finish(const std::string& remark) const {
  if (compared_.words > 0) {
    print("\n{}{} words compared, {} differ.\n", remark, compared_.words, compared_.differing);
  }
  if (compared_.differing > 0) {
    throw Error(ErrorKind::kBug,
                fmt::format("{} of {} words differ from the reference; please report this",
                            compared_.differing,
                            compared_.words));
  }
  if (failure_) throw *failure_;
  return kExitGood;
}

std::optional<DeviceCeilings> show_ceilings(Results& results) {
  const gpu::GpuList list = gpu::list_gpus();
  if (list.gpus.empty()) {
    results.print("GPU rows are left out: {}.\n", list.why_none);
    return std::nullopt;
  }
  const DeviceCeilings ceilings = DeviceCeilings::measure();
  results.show(Record("ceilings")
                   .add("gpu", list.gpus.front().name)
                   .add("copy_gbps", ceilings.copy_gbps)
                   .add("upload_gbps", ceilings.upload_gbps)
                   .add("download_gbps", ceilings.download_gbps));
  results.print(
      "{}: copies inside its memory {:.0f} GB/s (read and written), upload {:.1f} GB/s, download "
      "{:.1f} GB/s.\n",
      list.gpus.front().name,
      ceilings.copy_gbps,
      ceilings.upload_gbps,
      ceilings.download_gbps);
  return ceilings;
}

}  // namespace mezzo::bench
