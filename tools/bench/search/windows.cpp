// What windows of a local search cost, and what partial search misses. These runs are made up of
// the pieces of a local search, as no halftoner tells about its windows.

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <numeric>

#include "kernels/search/cpu/local_search.h"
#include "kernels/search/search_halftoner.h"
#include "tools/bench/search/kouge_table.h"
#include "tools/bench/search/search.h"

namespace mezzo::bench {
namespace {

constexpr uint32_t kSampledRounds[] = {1, 2, 4, 8};

/// Partial search searches a window in steps. Only the first is of several counts of ink.
bool begins_window(const search::WindowTask& task) {
  return task.least_ink != task.most_ink;
}

// A SearchWindow is a plain function, so what these two work on is global.

std::atomic<uint64_t> windows_begun{0};

search::Best search_and_count(const search::WindowTask& task, search::Best best) {
  if (begins_window(task)) windows_begun.fetch_add(1, std::memory_order_relaxed);
  return search::search_in_lanes(task, best);
}

/// One window in `every` is searched both ways; 0: none.
struct Sampler {
  uint64_t every = 0;
  uint64_t begun = 0;
  bool is_sampling = false;
  SearchCost cost = {};
} sampler;

search::Best search_and_sample(const search::WindowTask& task, search::Best best) {
  if (begins_window(task)) {
    sampler.is_sampling = sampler.every > 0 && sampler.begun % sampler.every == 0;
    ++sampler.begun;
    sampler.cost.sampled += sampler.is_sampling ? 1 : 0;
  }
  if (!sampler.is_sampling) return search::search_in_lanes(task, best);
  using Clock = std::chrono::steady_clock;
  using Microseconds = std::chrono::duration<double, std::micro>;
  const auto begin = Clock::now();
  const search::Best by_bounds = search::search_in_lanes(task, best);
  const auto between = Clock::now();
  const search::Best literal = search::search_literally(task, best);
  const auto end = Clock::now();
  sampler.cost.bounds_us += Microseconds(between - begin).count();
  sampler.cost.literal_us += Microseconds(end - between).count();
  if (literal.error != by_bounds.error || literal.pattern != by_bounds.pattern) {
    ++sampler.cost.differing;
  }
  return by_bounds;
}

/// The paper's search, with a function of one's own for windows.
std::unique_ptr<Halftoner> make_local(const SearchPoint& point,
                                      search::SearchWindow search_window,
                                      uint32_t rounds = 0,
                                      search::Misses* misses = nullptr) {
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

}  // namespace

uint64_t SearchWindows::all() const {
  return std::accumulate(of_round.begin(), of_round.end(), uint64_t{0});
}

SearchWindows count_windows(const SearchImage& image, const SearchPoint& point, Team& team) {
  SearchWindows windows;
  windows_begun = 0;
  auto outcome =
      run_search(*make_local(point, search_and_count), image, team, [&windows](uint32_t round) {
        const uint64_t begun = windows_begun.exchange(0);
        if (round > 0) windows.of_round.push_back(begun);
      });
  windows.bits = std::move(outcome.bits);
  return windows;
}

std::vector<SearchCost> cost_of_windows(const SearchImage& image,
                                        const SearchPoint& point,
                                        const SearchWindows& windows,
                                        uint32_t samples) {
  std::vector<SearchCost> costs;
  const auto begin_round = [&](uint32_t round) {
    sampler = {};
    const bool is_sampled = std::ranges::find(kSampledRounds, round) != std::end(kSampledRounds);
    if (!is_sampled || round > windows.of_round.size()) return;
    const uint64_t count = windows.of_round[round - 1];
    sampler.every = (count + samples - 1) / samples;
    sampler.cost = {.round = round, .windows = count};
  };
  const uint32_t rounds = std::end(kSampledRounds)[-1];
  SoloTeam solo;
  run_search(*make_local(point, search_and_sample, rounds), image, solo, [&](uint32_t round) {
    SearchCost cost = sampler.cost;
    if (cost.sampled > 0) {
      cost.bounds_us /= static_cast<double>(cost.sampled);
      cost.literal_us /= static_cast<double>(cost.sampled);
      costs.push_back(cost);
    }
    begin_round(round + 1);
  });
  return costs;
}

SearchMisses count_misses(const SearchImage& image, const SearchPoint& pes, Team& team) {
  search::Misses misses;
  const SearchOutcome partial =
      run_search(*make_local(pes, search::search_in_lanes, 0, &misses), image, team);
  SearchPoint les = pes;
  les.method = "les";
  const SearchOutcome full = run_search(*make_local(les, search::search_in_lanes), image, team);
  SearchMisses result{
      .windows = misses.windows,
      .missed = misses.missed,
      .excess = 255.0 * static_cast<double>(misses.excess) / (search::kEyeSum * image.pixels()),
      .error = partial.rounds.back().error,
      .les_error = full.rounds.back().error};
  for (size_t i = 0; i < full.bits.size(); ++i) {
    const auto difference = static_cast<uint8_t>(full.bits[i] ^ partial.bits[i]);
    result.differing_px += static_cast<uint64_t>(std::popcount(difference));
  }
  return result;
}

}  // namespace mezzo::bench
