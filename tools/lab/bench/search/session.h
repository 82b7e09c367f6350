// The state that the parts of bench search share.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pipeline/run/graph_executor.h"
#include "tools/lab/bench/search/kouge_table.h"
#include "tools/lab/bench/search/local.h"
#include "tools/lab/bench/search/points.h"

namespace mezzo::bench {

struct SearchOptions {
  std::vector<std::string> images;
  uint32_t side_px = kouge::kSide;
  std::vector<std::string> parts = {"times", "quality", "bounds", "misses", "pages", "tone"};
  std::string engine = "all";
  std::vector<uint32_t> threads;  ///< empty: 1, and all
  std::vector<uint32_t> sizes;
  uint32_t samples = 256;
  uint32_t tone_windows = 100000;  ///< of the tone form that are compared with every pattern
  MeasureOptions measure;
  std::string rounds_csv;
  std::string quality_csv;
};

/// The engines and images that are measured, and the results.
class SearchBench {
 public:
  /// Creates the files that the options name. Throws Error.
  SearchBench(const SearchOptions& options, bool json);

  /// Throws Error when a GPU is asked for and there is none, or when an image cannot be read.
  void load();

  const SearchOptions& options() const { return options_; }
  bool has_gpu() const { return has_gpu_; }  ///< and it is to be measured
  const std::vector<SearchImage>& images() const { return images_; }

  /// Of the CPU: the teams' sizes, the largest team, and the one of that size.
  std::vector<uint32_t> thread_counts() const;
  Team& team() { return team(teams_.rbegin()->first); }
  Team& team(uint32_t threads) { return teams_.at(threads)->team(); }

  /// Of a local search of the first image, counted once.
  const SearchWindows& windows_of(const SearchPoint& point);

  Results results;
  CsvFile rounds_csv, quality_csv;
  Comparison windows;  ///< patterns found by bounds, compared with those of all in turn

 private:
  const SearchOptions& options_;
  std::map<uint32_t, std::unique_ptr<run::GraphExecutor>> teams_;  ///< by threads
  bool has_gpu_ = false;
  std::vector<SearchImage> images_;
  std::map<std::string, SearchWindows> counts_;
};

}  // namespace mezzo::bench
