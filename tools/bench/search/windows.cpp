#include "tools/bench/search/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <chrono>

#include "kernels/search/cpu/local_search.h"
#include "tools/bench/search/local.h"

namespace mezzo::bench {
namespace {

constexpr uint32_t kSampledRounds[] = {1, 2, 4, 8};

/// Branch and bound against taking every pattern in turn, for some windows of a round.
struct SearchCost {
  uint32_t round = 0;
  uint64_t windows = 0;  ///< of the round
  uint64_t sampled = 0;
  uint64_t differing = 0;  ///< results, which must be the same
  double bounds_us = 0;    ///< mean for a window
  double literal_us = 0;
};

/// The cost of the published search, which searches every window in every round.
struct PublishedCost {
  uint64_t rounds = 0;
  uint64_t windows = 0;  ///< of a round
  double literal_us = 0;
  double seconds() const {
    return static_cast<double>(rounds) * static_cast<double>(windows) * literal_us / 1e6;
  }
};

/// Partial search that had exhaustive search's result to compare with, window by window.
struct SearchMisses {
  uint64_t windows = 0;
  uint64_t missed = 0;        ///< of these windows, a better pattern
  double excess = 0;          ///< all that these would have saved; per pixel of the image, of 255
  double error = 0;           ///< of the result, of 255
  double les_error = 0;       ///< of exhaustive search from the same start
  uint64_t differing_px = 0;  ///< of these two results
};
/// Searches one window in `every` of a round in both ways, all others by bounds. One thread.
struct Sampler {
  uint64_t every = 0;  ///< 0: none
  uint64_t begun = 0;
  bool is_sampling = false;
  SearchCost cost = {};

  search::Best operator()(const search::WindowTask& task, search::Best best) {
    if (begins_window(task)) {
      is_sampling = every > 0 && begun % every == 0;
      ++begun;
      cost.sampled += is_sampling ? 1 : 0;
    }
    return is_sampling ? search_both_ways(task, best) : search::search_in_lanes(task, best);
  }

  search::Best search_both_ways(const search::WindowTask& task, search::Best best) {
    using Clock = std::chrono::steady_clock;
    using Microseconds = std::chrono::duration<double, std::micro>;
    const auto begin = Clock::now();
    const search::Best by_bounds = search::search_in_lanes(task, best);
    const auto between = Clock::now();
    const search::Best literal = search::search_literally(task, best);
    const auto end = Clock::now();
    cost.bounds_us += Microseconds(between - begin).count();
    cost.literal_us += Microseconds(end - between).count();
    if (literal.error != by_bounds.error || literal.pattern != by_bounds.pattern) ++cost.differing;
    return by_bounds;
  }
};

/// Searches windows evenly spread over rounds 1, 2, 4 and 8 in both ways, about `samples` of each,
/// all others by bounds, on the calling thread. Local searches of windows that are at most
/// search::kMostLiteralPixels.
std::vector<SearchCost> cost_of_windows(const SearchImage& image,
                                        const SearchPoint& point,
                                        const SearchWindows& windows,
                                        uint32_t samples) {
  std::vector<SearchCost> costs;
  Sampler sampler;
  const auto begin_round = [&](uint32_t round) {
    sampler = {};
    const bool is_sampled = std::ranges::find(kSampledRounds, round) != std::end(kSampledRounds);
    if (!is_sampled || round > windows.of_round.size()) return;
    const uint64_t count = windows.of_round[round - 1];
    sampler.every = (count + samples - 1) / samples;
    sampler.cost = {.round = round, .windows = count};
  };
  const auto halftoner = make_local(point, std::ref(sampler), std::end(kSampledRounds)[-1]);
  SoloTeam solo;
  run_search(*halftoner, image, solo, [&](uint32_t round) {
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
  SearchMisses result{.windows = misses.windows,
                      .missed = misses.missed,
                      .excess = 255.0 * static_cast<double>(misses.excess) /
                                (search::kEyeSum * image.page.size.pixels()),
                      .error = partial.rounds.back().error,
                      .les_error = full.rounds.back().error};
  for (size_t i = 0; i < full.bits.size(); ++i) {
    const auto difference = static_cast<uint8_t>(full.bits[i] ^ partial.bits[i]);
    result.differing_px += static_cast<uint64_t>(std::popcount(difference));
  }
  return result;
}

void print_published(const SearchPoint& point, const PublishedCost& cost, bool is_papers_size) {
  const bool is_papers = is_papers_size && point.start == "random";
  fmt::print(
      "  {:<7}{:<17}{:>6} rounds x {} windows x {} us = {}{}\n",
      point.name(),
      point.start,
      cost.rounds,
      cost.windows,
      number_text(cost.literal_us),
      seconds_text(cost.seconds()),
      is_papers ? fmt::format("; the paper's CPU: {} s", kouge::times(point.method)->cpu_s) : "");
}

Record record_of(const SearchPoint& point, const SearchCost& cost) {
  const double ratio = cost.literal_us / cost.bounds_us;
  return record_of("search-bounds", point)
      .show({"method", -7}, point.name())
      .show({"start", -17}, point.start)
      .add("round", cost.round, Column{"round", 6})
      .add("windows", cost.windows, Column{"windows", 10})
      .add("sampled", cost.sampled, Column{"sampled", 10})
      .add("differing", cost.differing)
      .add("bounds_us", cost.bounds_us, Column{"bounds, us", 13, 2})
      .add("literal_us", cost.literal_us, Column{"literal, us", 13, 1})
      .add("literal_over_bounds", ratio)
      .show({"ratio", 9}, times_text(ratio))
      .show({}, cost.differing > 0 ? fmt::format("  {} DIFFER", cost.differing) : "");
}

Record record_of(const SearchPoint& point, const PublishedCost& cost) {
  return record_of("search-published", point)
      .add("rounds", cost.rounds)
      .add("windows", cost.windows)
      .add("literal_us", cost.literal_us)
      .add("estimated_s", cost.seconds());
}

Record record_of(const SearchPoint& point, const SearchMisses& misses) {
  const auto windows = static_cast<double>(std::max<uint64_t>(misses.windows, 1));
  const double share = static_cast<double>(misses.missed) / windows;
  return record_of("search-misses", point)
      .show({"start", -17}, point.start)
      .add("windows", misses.windows, Column{"windows", 10})
      .add("missed", misses.missed, Column{"missed", 9})
      .show({"share", 11}, fmt::format("{:.3f} %", 100 * share))
      .add("excess", misses.excess, Column{"added up", 11, 5})
      .add("error", misses.error, Column{"PES", 9, 4})
      .add("les_error", misses.les_error, Column{"LES", 9, 4})
      .add("differing_px", misses.differing_px, Column{"differ", 10});
}

}  // namespace

void measure_bounds(SearchBench& bench) {
  Results& results = bench.results;
  results.print(
      "\nWhat bounds save: 'literal' takes every pattern in turn, as published; both in vectors, "
      "one thread, the same windows,\nabout {} a round.\n",
      bench.options().samples);
  results.begin_table();
  const SearchImage& image = bench.images().front();
  std::vector<std::pair<SearchPoint, PublishedCost>> estimates;
  for (const SearchPoint& point : local_points()) {
    const SearchWindows& windows = bench.windows_of(point);
    const auto costs = cost_of_windows(image, point, windows, bench.options().samples);
    for (const SearchCost& cost : costs) {
      bench.windows += {cost.sampled, cost.differing};
      results.show(record_of(point, cost));
    }
    // All windows of the first round are searched.
    estimates.emplace_back(
        point,
        PublishedCost{windows.of_round.size(), windows.of_round.front(), costs.front().literal_us});
  }
  results.print(
      "\nAs published every round searches every window, one thread (reckoned from the first "
      "round's samples):\n");
  for (const auto& [point, cost] : estimates) {
    if (!results.json()) print_published(point, cost, image.side_px() == kouge::kSide);
    results.show(record_of(point, cost));
  }
}

void measure_misses(SearchBench& bench) {
  Results& results = bench.results;
  results.print(
      "\nWhat PES misses: windows for which exhaustive search finds a better pattern; what these "
      "would have saved, added up\n(later windows may still win it back); errors of the results, "
      "of 255, and pixels in which they differ.\n");
  results.begin_table();
  for (const SearchPoint& point : local_points()) {
    if (point.method != "pes") continue;
    const SearchMisses misses = count_misses(bench.images().front(), point, bench.team());
    results.show(record_of(point, misses));
  }
}

}  // namespace mezzo::bench
