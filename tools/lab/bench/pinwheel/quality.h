// The quality of pinwheel error diffusion by block, weights and noise, on a page like the paper's:
// a grey ramp, four constant patches and a photo.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tools/lab/bench/pinwheel/measurement.h"

namespace mezzo::bench {

struct PinwheelQualityOptions {
  std::vector<uint32_t> blocks;
  std::string path;
  uint32_t side_px = 1024;
  std::string plates;  ///< a folder for the halftones and their contone, or empty
  std::string csv;     ///< a file to write, or empty
};

/// The measured speed of a point, in 10^9 pixels a second, if any.
using RateOf = std::function<std::optional<double>(const PinwheelPoint&)>;

class PinwheelQuality {
 public:
  /// Creates the files and folders that the options name. Throws Error(kCannotCreate or kIo).
  PinwheelQuality(const PinwheelQualityOptions& options, bool json);

  /// Halftones the page by Floyd-Steinberg and by pinwheel error diffusion with every block, set of
  /// weights and amount of noise, and prints the metrics of kernels/quality. Throws Error:
  /// kCannotCreate, kDiskFull and kIo for the files, kInterrupted.
  void run(const RateOf& rate_of, Team& team);

 private:
  std::string plate_path(const std::string& name) const;

  PinwheelQualityOptions options_;
  Results results_;
};

}  // namespace mezzo::bench
