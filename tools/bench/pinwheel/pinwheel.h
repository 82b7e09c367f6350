// What the two parts of `mezzotint bench pinwheel`, how fast and how good, have in common.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kernels/band/team.h"
#include "kernels/registry.h"
#include "tools/bench/bench.h"

namespace mezzo::bench {

/// A way to halftone by pinwheel error diffusion.
struct PinwheelPoint {
  uint32_t block = 16;  ///< side, px
  std::string weights = "fs";
  std::string path = "spiral";
  double threshold_noise = 0;  ///< percent of a dot

  bool operator==(const PinwheelPoint&) const = default;

  /// Engine and schedule are left open.
  HalftoneSettings settings() const;
};

/// Names of the sets of weights and of the paths that this build has.
std::vector<std::string> pinwheel_weights();
std::vector<std::string> pinwheel_paths();

/// The names of a flat JSON object, but for "v" and "type", and its values, as rows of a CSV file;
/// null is an empty field.
std::string csv_header(const nlohmann::ordered_json& object);
std::string csv_row(const nlohmann::ordered_json& object);

/// How fast a schedule was on one page.
struct PinwheelMeasurement {
  PlaneSize size;
  PinwheelPoint point;
  Engine engine = Engine::kCpu;  ///< or kGpu
  std::string schedule;
  uint32_t threads = 1;                  ///< of the CPU
  double ms = 0;                         ///< the median; 0: it failed
  std::optional<double> upload_ms = {};  ///< and download, on a GPU
  std::optional<double> download_ms = {};
  std::optional<double> of_copy = {};  ///< traffic, as a share of the device's copy ceiling
  std::optional<double> paper_gpx_per_s = {};
  Comparison comparison = {};

  bool on_gpu() const { return engine == Engine::kGpu; }
  std::string name() const;  ///< "GPU unrolled", "CPU lanes x16" for 16 threads
  double gpx_per_s() const { return double(size.width_px) * size.height_px / ms / 1e6; }
};

/// Bytes a pixel that the two phases must move at least, when neither finds what the other left in
/// a cache and memory is read in sectors of 32 bytes:
///   samples  1, and once more in the share of sectors that hold pixels of both colours, which is
///            min(1, 32 / s x (1 - gcd(s, 32) / 32)): 1 below s = 32, 0 at 32 and at 64
///   bits     1/8 cleared; each phase reads and writes all words to put its own in: 5/8 together
///   rims     an outward block writes 4 s errors of 2 bytes and an inward one reads as many, in
///            2 s^2 pixels: 8 / s
double pinwheel_bytes_per_px(uint32_t block);

/// All measurements of one block on one page.
using PinwheelRow = std::vector<PinwheelMeasurement>;

/// A line of the table; the same schedules in the same order make the same columns.
void print_pinwheel_row(const PinwheelRow& row, bool with_heading);

/// `row` is that of the result, for what relates schedules to each other.
nlohmann::ordered_json pinwheel_json(const PinwheelMeasurement& result, const PinwheelRow& row);

/// An SVG file: throughput over the size of a block, and, of several pages, over that of the page.
std::string pinwheel_plot(const std::vector<PinwheelMeasurement>& results,
                          const std::string& machine);

struct PinwheelQualityOptions {
  std::vector<uint32_t> blocks;
  std::string path;
  uint32_t side_px = 1024;
  std::string plates;  ///< a folder for the halftones and their contone, or empty
  std::string csv;     ///< a file to write, or empty
  bool json = false;
};

/// How fast a point was found to be, in 10^9 pixels a second, if it was measured.
using RateOf = std::function<std::optional<double>(const PinwheelPoint&)>;

/// How pinwheel error diffusion looks.
class PinwheelQuality {
 public:
  virtual ~PinwheelQuality() = default;

  /// Halftones the paper's kind of page by Floyd-Steinberg and by pinwheel error diffusion with
  /// every block, set of weights and amount of noise, and prints what kernels/quality has to say.
  /// Throws Error: kCannotCreate, kDiskFull and kIo for the files, kInterrupted.
  virtual void run(const RateOf& rate_of, Team& team) = 0;
};

/// Creates the files and folders that the options name. Throws Error(kCannotCreate or kIo).
std::unique_ptr<PinwheelQuality> make_pinwheel_quality(const PinwheelQualityOptions& options);

}  // namespace mezzo::bench
