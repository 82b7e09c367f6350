#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>

#include "kernels/search/cpu/local_search.h"
#include "tools/lab/bench/search/local.h"
#include "tools/lab/bench/search/parts.h"

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

/// Searches one window in `every` of a round in both ways, all others by bounds. One thread.
struct Sampler {
  search::SearchWindow bounds;
  search::SearchWindow literal;
  uint64_t every = 0;  ///< 0: none
  uint64_t begun = 0;
  SearchCost cost = {};

  search::Best operator()(const search::WindowTask& task, search::Best best) {
    const bool is_sampled = every > 0 && begun++ % every == 0;
    return is_sampled ? search_both_ways(task, best) : bounds(task, best);
  }

  search::Best search_both_ways(const search::WindowTask& task, search::Best best) {
    using Clock = std::chrono::steady_clock;
    using Microseconds = std::chrono::duration<double, std::micro>;
    const auto begin = Clock::now();
    const search::Best by_bounds = bounds(task, best);
    const auto between = Clock::now();
    const search::Best literally = literal(task, best);
    const auto end = Clock::now();
    ++cost.sampled;
    cost.bounds_us += Microseconds(between - begin).count();
    cost.literal_us += Microseconds(end - between).count();
    const bool is_same =
        literally.error == by_bounds.error && literally.pattern == by_bounds.pattern;
    cost.differing += is_same ? 0 : 1;
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
  Sampler sampler{window_search(point, search::search_in_lanes),
                  window_search(point, search::search_literally)};
  const auto begin_round = [&](uint32_t round) {
    sampler.every = sampler.begun = 0;
    sampler.cost = {};
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

/// Partial search that has exhaustive search's result to compare with, window by window; `excess`
/// is the error that better patterns would have saved, per pixel of the image, of 255.
Record count_misses(const SearchImage& image, const SearchPoint& pes, Team& team) {
  SearchPoint les = pes;
  les.method = "les";
  const auto by_pes = window_search(pes, search::search_in_lanes);
  const auto by_les = window_search(les, search::search_in_lanes);
  std::atomic<uint64_t> windows{0}, missed{0}, saved{0};
  const auto compare = [&](const search::WindowTask& task, search::Best was) {
    const search::Best best = by_pes(task, was), least = by_les(task, was);
    ++windows;
    missed += least.error < best.error ? 1 : 0;
    saved += static_cast<uint64_t>(best.error - least.error);
    return best;
  };
  const SearchOutcome partial = run_search(*make_local(pes, compare), image, team);
  const SearchOutcome full = run_search(*make_local(les, by_les), image, team);
  const double share =
      static_cast<double>(missed) / static_cast<double>(std::max<uint64_t>(windows, 1));
  const double excess =
      255.0 * static_cast<double>(saved) / (search::kEyeSum * image.page.size.pixels());
  uint64_t differing_px = 0;
  for (size_t i = 0; i < full.bits.size(); ++i) {
    const auto difference = static_cast<uint8_t>(full.bits[i] ^ partial.bits[i]);
    differing_px += static_cast<uint64_t>(std::popcount(difference));
  }
  return record_of("search-misses", pes)
      .show({"start", -17}, pes.start)
      .add("windows", windows.load(), Column{"windows", 10})
      .add("missed", missed.load(), Column{"missed", 9})
      .show({"share", 11}, fmt::format("{:.3f} %", 100 * share))
      .add("excess", excess, Column{"added up", 11, 5})
      .add("error", partial.rounds.back().error, Column{"PES", 9, 4})
      .add("les_error", full.rounds.back().error, Column{"LES", 9, 4})
      .add("differing_px", differing_px, Column{"differ", 10});
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

/// The cost of the published search, which searches every window in every round.
Record published_record(const SearchPoint& point,
                        const SearchWindows& windows,
                        double literal_us,
                        bool is_papers_size) {
  const uint64_t rounds = windows.of_round.size();
  const uint64_t of_round = windows.of_round.front();  // all windows of the first are searched
  const double seconds =
      static_cast<double>(rounds) * static_cast<double>(of_round) * literal_us / 1e6;
  const bool is_papers = is_papers_size && point.start == "random";
  const std::string paper =
      is_papers ? number_text(kouge::times(point.method)->cpu_s) + " s" : std::string();
  return record_of("search-published", point)
      .show({"method", -7}, point.name())
      .show({"start", -17}, point.start)
      .add("rounds", rounds, Column{"rounds", 6})
      .add("windows", of_round, Column{"windows", 10})
      .add("literal_us", literal_us, Column{"literal, us", 13, 1})
      .add("estimated_s", seconds)
      .show({"together", 10}, seconds_text(seconds))
      .show({"paper's CPU", 13}, paper);
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
  std::vector<Record> published;
  for (const SearchPoint& point : local_points()) {
    const SearchWindows& windows = bench.windows_of(point);
    const auto costs = cost_of_windows(image, point, windows, bench.options().samples);
    for (const SearchCost& cost : costs) {
      bench.windows += {cost.sampled, cost.differing};
      results.show(record_of(point, cost));
    }
    published.push_back(published_record(
        point, windows, costs.front().literal_us, image.side_px() == kouge::kSide));
  }
  results.print(
      "\nAs published every round searches every window, one thread (reckoned from the first "
      "round's samples):\n");
  results.begin_table();
  for (const Record& record : published) results.show(record);
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
    results.show(count_misses(bench.images().front(), point, bench.team()));
  }
}

}  // namespace mezzo::bench
