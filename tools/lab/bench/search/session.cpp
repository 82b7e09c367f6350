#include "tools/lab/bench/search/session.h"

#include "pipeline/plan/plan.h"

namespace mezzo::bench {

SearchBench::SearchBench(const SearchOptions& options, bool json)
    : results(options.measure.csv, json),
      rounds_csv(options.rounds_csv),
      quality_csv(options.quality_csv),
      options_(options) {
  std::vector<uint32_t> counts = options.threads;
  if (counts.empty()) counts = {1, plan::available_threads()};
  for (const uint32_t threads : counts) {
    if (teams_.contains(threads)) continue;
    teams_[threads] =
        std::make_unique<run::GraphExecutor>(run::GraphExecutor::Options{threads, std::nullopt});
  }
}

void SearchBench::load() {
  if (options_.engine == "gpu") require_gpus("search");
  has_gpu_ = options_.engine != "cpu" && !gpu::list_gpus().gpus.empty();
  for (const std::string& path : options_.images) {
    images_.push_back(load_search_image(path, options_.side_px, team()));
  }
  if (images_.empty()) images_.push_back(draw_search_image(options_.side_px));
}

std::vector<uint32_t> SearchBench::thread_counts() const {
  std::vector<uint32_t> counts;
  for (const auto& [threads, executor] : teams_) counts.push_back(threads);
  return counts;
}

const SearchWindows& SearchBench::windows_of(const SearchPoint& point) {
  const auto [found, is_new] = counts_.try_emplace(point.method + point.start);
  if (is_new) found->second = count_windows(images_.front(), point, team());
  return found->second;
}

}  // namespace mezzo::bench
