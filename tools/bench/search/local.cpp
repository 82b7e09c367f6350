#include "tools/bench/search/local.h"

#include <atomic>
#include <numeric>

#include "kernels/search/search_halftoner.h"
#include "tools/bench/search/kouge_table.h"

namespace mezzo::bench {

std::unique_ptr<Halftoner> make_local(const SearchPoint& point,
                                      const search::SearchWindow& search_window,
                                      uint32_t rounds,
                                      search::Misses* misses) {
  const search::LocalSettings local{.eye = search::gaussian_eye(kouge::kSigma, kouge::kRadius),
                                    .window = kouge::kWindow,
                                    .cell = kouge::kCell,
                                    .partial = point.method == "pes",
                                    .search = search_window,
                                    .misses = misses};
  const search::SearchSettings settings{
      .start = point.start == "random" ? search::Start::kRandom : search::Start::kFloydSteinberg,
      .rounds = rounds,
      .eye_radius = kouge::kRadius};
  return search::make_search_halftoner(settings,
                                       {.make = [local](const search::Area& area, Team& team) {
                                         return search::make_local_search(local, area, team);
                                       }});
}

bool begins_window(const search::WindowTask& task) {
  return task.least_ink != task.most_ink;
}

uint64_t SearchWindows::all() const {
  return std::accumulate(of_round.begin(), of_round.end(), uint64_t{0});
}

SearchWindows count_windows(const SearchImage& image, const SearchPoint& point, Team& team) {
  SearchWindows windows;
  std::atomic<uint64_t> begun = 0;
  const auto search_and_count = [&begun](const search::WindowTask& task, search::Best best) {
    if (begins_window(task)) begun.fetch_add(1, std::memory_order_relaxed);
    return search::search_in_lanes(task, best);
  };
  auto outcome = run_search(*make_local(point, search_and_count), image, team, [&](uint32_t round) {
    const uint64_t count = begun.exchange(0);
    if (round > 0) windows.of_round.push_back(count);
  });
  windows.bits = std::move(outcome.bits);
  return windows;
}

}  // namespace mezzo::bench
