#include "tools/lab/bench/search/local.h"

#include <atomic>
#include <numeric>

#include "kernels/search/search_halftoner.h"
#include "tools/lab/bench/search/kouge_table.h"

namespace mezzo::bench {

search::SearchWindow window_search(const SearchPoint& point, search::SearchWindow search) {
  return search::window_search(point.method == "pes", std::move(search));
}

std::unique_ptr<Halftoner> make_local(const SearchPoint& point,
                                      const search::SearchWindow& search_window,
                                      uint32_t rounds) {
  const search::LocalSettings local{.eye = search::gaussian_eye(kouge::kSigma, kouge::kRadius),
                                    .window = kouge::kWindow,
                                    .cell = kouge::kCell,
                                    .partial = point.method == "pes"};
  const search::SearchSettings settings{
      .start = point.start == "random" ? search::Start::kRandom : search::Start::kFloydSteinberg,
      .rounds = rounds,
      .eye_radius = kouge::kRadius};
  return search::make_search_halftoner(settings,
                                       {.make = [=](const search::Area& area, Team& team) {
                                         return make_local_search(local, area, team, search_window);
                                       }});
}

uint64_t SearchWindows::all() const {
  return std::accumulate(of_round.begin(), of_round.end(), uint64_t{0});
}

SearchWindows count_windows(const SearchImage& image, const SearchPoint& point, Team& team) {
  SearchWindows windows;
  std::atomic<uint64_t> begun = 0;
  const auto search_and_count = [&begun, search = window_search(point, search::search_in_lanes)](
                                    const search::WindowTask& task, search::Best best) {
    begun.fetch_add(1, std::memory_order_relaxed);
    return search(task, best);
  };
  auto outcome = run_search(*make_local(point, search_and_count), image, team, [&](uint32_t round) {
    const uint64_t count = begun.exchange(0);
    if (round > 0) windows.of_round.push_back(count);
  });
  windows.bits = std::move(outcome.bits);
  return windows;
}

}  // namespace mezzo::bench
