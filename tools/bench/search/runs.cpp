// Searches run and timed, round by round.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>

#include "kernels/base/repeat.h"
#include "kernels/search/search_methods.h"
#include "tools/bench/search/kouge_table.h"
#include "tools/bench/search/search.h"

namespace mezzo::bench {
namespace {

constexpr size_t kWordBytes = 4;

size_t row_bytes(uint32_t side_px) {
  return (size_t{side_px} + 31) / 32 * kWordBytes;
}

template <size_t kCount>
double index_of(const std::string_view (&names)[kCount], std::string_view name) {
  return static_cast<double>(std::ranges::find(names, name) - names);
}

void compare(const SearchBits& bits, const SearchBits& reference, Comparison& comparison) {
  for (size_t at = 0; at < bits.size(); at += kWordBytes) {
    comparison.differing += std::memcmp(&bits[at], &reference[at], kWordBytes) != 0;
  }
  comparison.words += bits.size() / kWordBytes;
}

}  // namespace

HalftoneSettings SearchPoint::settings() const {
  HalftoneSettings settings = {.method = method};
  if (!is_search()) return settings;
  auto& values = settings.parameters;
  values["start"] = index_of(search::kStarts, start);
  if (is_local()) {
    values["window"] = kouge::kWindow;
    values["cell"] = kouge::kCell;
  } else {
    values["eye"] = index_of(search::kEyes, eye);
    values["target"] = index_of(search::kTargets, target);
  }
  if (is_local() || eye == "gaussian") {
    values["sigma"] = kouge::kSigma;
    values["radius"] = kouge::kRadius;
  }
  return settings;
}

std::string SearchPoint::name() const {
  if (!is_search()) return "Floyd-Steinberg";
  if (is_local()) return method == "les" ? "LES" : "PES";
  return "DBS " + eye;
}

std::vector<SearchPoint> local_points() {
  return {
      {"les", "random"}, {"pes", "random"}, {"les", "floyd-steinberg"}, {"pes", "floyd-steinberg"}};
}

std::vector<SearchPoint> quality_points() {
  std::vector<SearchPoint> points = {{"floyd-steinberg"}, {"dbs", "floyd-steinberg"}};
  const auto local = local_points();
  points.insert(points.end(), local.begin(), local.end());
  return points;
}

std::vector<SearchPoint> page_points() {
  return {{"dbs", "floyd-steinberg", "nasanen", "filtered"},
          {"dbs", "floyd-steinberg", "gaussian", "filtered"},
          {"les", "floyd-steinberg"},
          {"pes", "floyd-steinberg"}};
}

BitBand bits_of(SearchBits& bits, uint32_t side_px) {
  return {bits.data(), side_px, side_px, row_bytes(side_px)};
}

SearchOutcome run_search(const Halftoner& halftoner,
                         const SearchImage& image,
                         Team& team,
                         const std::function<void(uint32_t)>& after_round) {
  using Clock = std::chrono::steady_clock;
  SearchOutcome outcome;
  outcome.bits.assign(row_bytes(image.side_px) * image.side_px, 0);
  const ToneCurve curve = image.curve();
  const auto state = halftoner.make_state(image.side_px);
  const auto begin = Clock::now();
  auto last = begin;
  if (state != nullptr) {
    state->on_round = [&](const RoundReport& report) {
      stop_if_requested();
      if (report.part < 1) return;
      if (after_round) after_round(report.round);
      const auto now = Clock::now();
      outcome.rounds.push_back({std::chrono::duration<double>(now - last).count(),
                                report.changed,
                                report.average_error});
      last = now;
    };
  }
  halftoner.run(image.samples(), curve, bits_of(outcome.bits, image.side_px), state.get(), team);
  outcome.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  return outcome;
}

std::string SearchTiming::where() const {
  return engine == Engine::kGpu ? "GPU" : fmt::format("CPU x{}", threads);
}

void time_search(SearchTiming& timing,
                 const SearchImage& image,
                 Team& team,
                 const MeasureOptions& options,
                 SearchBits& reference) {
  timing.image = image.name;
  timing.side_px = image.side_px;
  HalftoneSettings settings = timing.point.settings();
  settings.engine = timing.engine;
  const auto halftoner = make_halftoner(settings).halftoner;
  std::vector<double> totals;
  std::vector<std::vector<double>> of_round;
  repeat(options.repetitions, options.seconds, [&] {
    SearchOutcome outcome = run_search(*halftoner, image, team);
    totals.push_back(outcome.seconds);
    of_round.resize(outcome.rounds.size());
    for (size_t i = 0; i < of_round.size(); ++i) {
      of_round[i].push_back(outcome.rounds[i].seconds);
    }
    if (reference.empty()) reference = outcome.bits;
    compare(outcome.bits, reference, timing.comparison);
    timing.rounds = std::move(outcome.rounds);
  });
  timing.seconds = warm_median(totals);
  for (size_t i = 0; i < of_round.size(); ++i) timing.rounds[i].seconds = warm_median(of_round[i]);
}

}  // namespace mezzo::bench
