// The parts of bench search: how long searches take (times.cpp), how near they come to the images
// (quality.cpp), the cost of windows, and the misses of partial search (windows.cpp), and the tone form
// (tone.cpp).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/lab/bench/search/session.h"

namespace mezzo::bench {

/// The time of a search; each is a median.
struct SearchTiming {
  std::string image = {};
  uint32_t side_px = 0;
  SearchPoint point = {};
  Engine engine = Engine::kCpu;  ///< or kGpu
  uint32_t threads = 1;          ///< of the CPU
  double seconds = 0;            ///< 0: it failed
  std::vector<SearchRound> rounds = {};
  std::optional<uint64_t> windows = {};  ///< that are searched
  Comparison comparison = {};

  std::string where() const;  ///< "GPU", "CPU x16" for 16 threads
  uint64_t round_count() const { return rounds.empty() ? 0 : rounds.size() - 1; }
  double mpx_per_s() const { return double(side_px) * side_px / seconds / 1e6; }
  std::optional<double> windows_per_s() const {
    return windows ? std::optional(static_cast<double>(*windows) / seconds) : std::nullopt;
  }
};

/// Table I of Kouge et al., and the same of large pages. Each prints and keeps all timings but
/// those of a GPU that failed, and returns the others.
std::vector<SearchTiming> measure_times(SearchBench& bench);
std::vector<SearchTiming> measure_pages(SearchBench& bench);

/// Table II.
void measure_quality(SearchBench& bench);

/// Error over time of a search with the tone form.
struct ToneRun {
  std::string name;                                    ///< of method and start
  std::vector<std::pair<double, double>> points = {};  ///< seconds since its start image, error
};

/// The tone form of les, pes and dbs: windows against every pattern and against branch and bound,
/// the tone of tints, photos beside Floyd-Steinberg, and error over time from four starts, which it
/// returns.
std::vector<ToneRun> measure_tone(SearchBench& bench);

/// Branch and bound against taking every pattern in turn.
void measure_bounds(SearchBench& bench);

/// Partial search against exhaustive search of each of its windows.
void measure_misses(SearchBench& bench);

}  // namespace mezzo::bench
