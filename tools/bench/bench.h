// The subcommands of `mezzotint bench`, each one file, and what they share.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "kernels/band/bands.h"
#include "kernels/band/team.h"
#include "kernels/band/tone.h"
#include "kernels/gpu/context.h"
#include "kernels/gpu/gpu.h"
#include "kernels/gpu_timing.h"
#include "kernels/halftoner.h"
#include "kernels/registry.h"
#include "tools/commands/commands.h"

namespace mezzo::bench {

/// Adds the command to the program; `common` must outlive it.
void add_bench_command(cli::Program& program, const commands::CommonOptions& common);

// Each adds its part to `bench`.
void add_bench_kernels(cli::Command& bench, const commands::CommonOptions& common);
void add_bench_diffusion(cli::Command& bench, const commands::CommonOptions& common);
void add_bench_gpus(cli::Command& bench, const commands::CommonOptions& common);
void add_bench_handover(cli::Command& bench, const commands::CommonOptions& common);
void add_bench_pinwheel(cli::Command& bench, const commands::CommonOptions& common);
void add_bench_search(cli::Command& bench, const commands::CommonOptions& common);
void add_bench_hybrid(cli::Command& bench, const commands::CommonOptions& common);
void add_bench_cluster(cli::Command& bench, const commands::CommonOptions& common);
void add_bench_calibrate(cli::Command& bench, const commands::CommonOptions& common);

/// Samples that look like a page to the kernels: tints, ramps and texture.
void draw_test_samples(uint32_t width_px, uint32_t height_px, std::byte* samples);

/// What every measuring subcommand takes.
struct MeasureOptions {
  uint32_t repetitions = 9;
  double seconds = 3;  ///< after which a measurement is not repeated any more
  std::string csv;     ///< a file to write, or empty
  std::string svg;
};
void add_measure_options(cli::Command& command, MeasureOptions& options);

/// Width and height, px.
struct PlaneSize {
  uint32_t width_px = 0;
  uint32_t height_px = 0;
  bool operator==(const PlaneSize&) const = default;
};

/// "1024" is a square, "1024x768" is not. Throws Error(kUsage).
PlaneSize parse_plane_size(const std::string& text);
std::string to_string(const PlaneSize& size);

/// A plane of test samples in page-locked memory, its bits by the reference of a method, and room
/// for the bits to compare with them. Rows of bits are whole 32-bit words.
class BenchPlane {
 public:
  /// Its reference is that of Floyd-Steinberg.
  explicit BenchPlane(const PlaneSize& size);
  BenchPlane(const PlaneSize& size, const HalftoneSettings& settings, Team& team);

  /// Compares with these settings' reference from now on.
  void set_reference(const HalftoneSettings& settings, Team& team);

  const PlaneSize& size() const { return size_; }
  double pixels() const { return static_cast<double>(size_.width_px) * size_.height_px; }
  SampleBand samples() const;
  const ToneCurve& curve() const { return curve_; }
  BitBand out() const { return bits(out_); }

  /// Spoils out(), so that a run that writes nothing does not pass for the one before.
  void spoil() const;
  uint64_t words() const;
  uint64_t differing_words() const;  ///< of out(), compared with the reference

 private:
  BitBand bits(const gpu::PinnedMemory& memory) const;
  size_t row_bytes() const;

  PlaneSize size_;
  ToneCurve curve_;
  gpu::PinnedMemory samples_;
  gpu::PinnedMemory reference_;
  gpu::PinnedMemory out_;
};

/// What the first GPU's memory and bus can do, measured and printed; nothing, and a line that says
/// why, without a GPU. Throws Error.
std::optional<DeviceCeilings> show_ceilings(const gpu::GpuList& list, bool json);

/// Words of all runs of a measurement, compared with the reference.
struct Comparison {
  uint64_t words = 0;
  uint64_t differing = 0;
  void add(const BenchPlane& plane);
};

/// Wall clock of Halftoner::run() over the plane, ms, the median.
double time_run(const Halftoner& halftoner,
                const BenchPlane& plane,
                Team& team,
                const MeasureOptions& options,
                Comparison& comparison);

/// Rows of comma-separated values, each on disk when it is added, so that a long run that is
/// stopped leaves what it has measured. Without a path: nothing. Throws Error.
class CsvFile {
 public:
  CsvFile(const std::string& path, const std::string& header);
  void add(const std::string& row);

 private:
  std::string path_;
  std::ofstream file_;
};

/// Throws Error(kCannotCreate or kIo).
void write_text(const std::string& path, const std::string& text);

/// Throws Error(kInterrupted) once a signal has asked for the end.
void stop_if_requested();

/// Throws Error(kBug) when a bit differed.
void require_same_bits(const Comparison& all);

}  // namespace mezzo::bench
