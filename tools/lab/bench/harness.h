// The common parts of bench's measuring subcommands: repeated runs, failures of GPUs, and results.
#pragma once

#include <fmt/core.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "kernels/base/error.h"
#include "kernels/gpu/gpu.h"
#include "kernels/gpu_timing.h"
#include "kernels/halftoner.h"
#include "tools/cli/options.h"
#include "tools/lab/bench/pages.h"
#include "tools/lab/bench/record.h"

namespace mezzo::bench {

/// Files to write; empty: none.
struct FileOptions {
  std::string csv;
  std::string svg;
};
void add_file_options(cli::Command& command, FileOptions& options);

/// The options of every measuring subcommand.
struct MeasureOptions : FileOptions {
  uint32_t repetitions = 9;
  double seconds = 3;  ///< after which a measurement is not repeated any more
};
void add_measure_options(cli::Command& command, MeasureOptions& options);

/// --sizes, of pages.
cli::Option& add_sizes_option(cli::Command& command,
                              std::vector<std::string>& sizes,
                              const std::string& papers);

/// --engine: cpu, gpu or all.
void add_engine_option(cli::Command& command, std::string& engine);

/// Throws Error(kInterrupted) after a signal.
void stop_if_requested();

/// The value of a parameter that is one of `names`.
double index_of(std::span<const std::string_view> names, std::string_view name);

/// The GPUs; throws Error(kDevice), which names the subcommand, without one.
gpu::GpuList require_gpus(const std::string& command);

/// The machine in the title of a plot; the first GPU only if it was measured.
std::string machine_text(bool with_gpu);

/// The speed of a schedule on one plane, or on several at once. Times are medians; 0: it failed.
struct Measurement {
  Engine engine = Engine::kCpu;  ///< or kGpu
  std::string schedule = {};
  uint32_t threads = 1;  ///< of the CPU
  uint32_t planes = 1;   ///< at once, on a GPU
  PlaneSize size = {};
  double ms = 0;
  std::optional<double> upload_ms = {};  ///< and download, on a GPU
  std::optional<double> download_ms = {};
  std::optional<double> of_copy = {};  ///< traffic, as a share of the device's copy ceiling
  Comparison comparison = {};

  bool on_gpu() const { return engine == Engine::kGpu; }
  std::string name() const;  ///< "GPU bwec", "GPU wavefront, 16 planes", "CPU lanes, 4 threads"
  double gpx_per_s() const { return size.pixels() * planes / ms / 1e6; }
};

/// Measures `settings` with the engine, schedule, threads and planes that `result` names: on a GPU
/// with the samples already there, on the CPU by the wall clock of Halftoner::run(). Throws Error.
void measure_plane(Measurement& result,
                   HalftoneSettings settings,
                   const BenchPlane& plane,
                   Team& team,
                   const MeasureOptions& options);

/// Wall clock of Halftoner::run() over the plane, ms, the median.
double time_run(const Halftoner& halftoner,
                const BenchPlane& plane,
                Team& team,
                const MeasureOptions& options,
                Comparison& comparison);

/// The results of a subcommand: printed as text or as JSON, kept in the CSV file, and summed up.
class Results {
 public:
  Results(const std::string& csv, bool json) : csv_(csv), json_(json) {}

  /// Text for people.
  template <typename... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) const {
    if (!json_) fmt::print(format, std::forward<Arguments>(arguments)...);
  }

  /// The next row of text has the heading of its table above it.
  void begin_table() { heading_is_due_ = true; }

  /// Prints a line of JSON, or the row of text if the record has columns.
  void show(const Record& record);

  /// The same, and adds a row to the CSV file, or to another one.
  void add(const Record& record) { add(record, csv_); }
  void add(const Record& record, CsvFile& csv);

  /// Calls `measure`. When a GPU fails, only its figures are missing: prints its message, returns
  /// false, and finish() throws the first failure.
  bool attempt(bool on_gpu, const std::string& name, const std::function<void()>& measure);

  void compared(const Comparison& comparison) { compared_ += comparison; }

  /// Prints how many words were compared, after `remark`. Returns the exit status, kExitGood;
  /// throws Error(kBug) when a bit differed, and the first failure of a GPU.
  int finish(const std::string& remark = "") const;

 private:
  CsvFile csv_;
  bool json_;
  bool heading_is_due_ = false;
  Comparison compared_;
  std::optional<Error> failure_;  ///< the first
};

/// The speed of the first GPU's memory and bus, measured and printed; without a GPU nothing, and a
/// line with the reason. Throws Error.
std::optional<DeviceCeilings> show_ceilings(Results& results);

}  // namespace mezzo::bench
