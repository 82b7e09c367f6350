// One parameter of an engine of both processors, swept over its range: the figures of Deshpande et
// al., "Hybrid implementation of error diffusion dithering".
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/bench/bench.h"

namespace mezzo::bench {

/// What is swept, and the words for it.
struct Sweep {
  Engine engine;          ///< kHandover or kHybrid
  std::string command;    ///< of bench
  std::string parameter;  ///< of the method
  std::string title;
  std::string axis;  ///< of the plot, with its unit
  std::vector<PlaneSize> sizes;
  std::function<std::vector<double>(const PlaneSize&)> values;
};

struct SweepOptions {
  std::vector<std::string> sizes;
  MeasureOptions measure;
};

/// --sizes and the options of every measurement.
void add_sweep_options(cli::Command& command, SweepOptions& options);

/// Wall-clock medians of Halftoner::run() at every value and size, every run's bits compared. The
/// first value is 0, the GPU alone, which the others are compared with; last comes schedule `bwec`
/// of engine gpu. Returns the exit status; throws
/// Error, kDevice where this build or machine lacks what is to be measured.
int bench_sweep(const Sweep& sweep, const SweepOptions& options, bool json);

}  // namespace mezzo::bench
