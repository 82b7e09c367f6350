#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "kernels/base/repeat.h"
#include "tools/lab/bench/search/parts.h"

namespace mezzo::bench {
namespace {

/// The paper's times, where they are of the same page.
const kouge::Times* paper_of(const SearchTiming& timing) {
  return timing.side_px == kouge::kSide ? kouge::times(timing.point.method) : nullptr;
}

/// "1.2 s", then the rounds.
std::string rounds_text(const SearchTiming& timing) {
  std::string text;
  for (const SearchRound& round : timing.rounds) {
    text += (text.empty() ? "  " : ", ") + seconds_text(round.seconds);
  }
  return text;
}

Record begin_record(std::string_view type, const SearchTiming& timing) {
  return record_of(type, timing.point)
      .add("image", timing.image)
      .add("side_px", timing.side_px)
      .add("engine", to_string(timing.engine))
      .add("threads", timing.threads);
}

Record timing_record(const SearchTiming& timing, std::string_view type) {
  const kouge::Times* paper = timing.point.start == "random" ? paper_of(timing) : nullptr;
  Record record = begin_record(type, timing);
  record.show({"method", -14}, timing.point.name())
      .show({"start", -17}, timing.point.start)
      .show({"where", -10}, timing.where())
      .add("s", timing.seconds)
      .show({"time", 9}, seconds_text(timing.seconds))
      .add("mpx_per_s", timing.mpx_per_s())
      .show({"Mpx/s", 9}, number_text(timing.mpx_per_s()))
      .add("rounds", timing.round_count(), Column{"rounds", 8})
      .add("windows", timing.windows, Column{"windows", 11})
      .add("windows_per_s", timing.windows_per_s(), Column{"windows/s", 11})
      .add("start_error", timing.rounds.front().error)
      .add("error", timing.rounds.back().error)
      .add("words", timing.comparison.words)
      .add("differing_words", timing.comparison.differing);
  const auto add_paper = [&](const char* name, const char* heading, double kouge::Times::*member) {
    std::optional<double> seconds;
    std::string ratio;
    if (paper != nullptr) {
      seconds = paper->*member;
      ratio = times_text(*seconds / timing.seconds);
    }
    record.add(name, seconds).show({heading, 13}, ratio);
  };
  add_paper("paper_cpu_s", "paper's CPU", &kouge::Times::cpu_s);
  add_paper("paper_fpga_s", "its FPGA", &kouge::Times::fpga_s);
  add_paper("paper_gpu_s", "its GPU", &kouge::Times::gpu_s);
  return record.show({"  start, then rounds"}, rounds_text(timing));
}

Record round_record(const SearchTiming& timing, size_t round) {
  return begin_record("search-round", timing)
      .add("round", round)
      .add("s", timing.rounds[round].seconds)
      .add("changed_px", timing.rounds[round].changed)
      .add("error", timing.rounds[round].error);
}

/// Fills in seconds, rounds and comparison. Bits are compared with `reference`; where that is empty
/// it becomes those of the first run.
void time_search(SearchTiming& timing,
                 const SearchImage& image,
                 Team& team,
                 const MeasureOptions& options,
                 PlaneBits& reference) {
  HalftoneSettings settings = timing.point.settings();
  settings.engine = timing.engine;
  const auto halftoner = make_halftoner(complete(settings)).halftoner;
  std::vector<double> totals;
  std::vector<std::vector<double>> of_round;
  WarmRuns::repeat(options.repetitions, options.seconds, [&] {
    SearchOutcome outcome = run_search(*halftoner, image, team);
    totals.push_back(outcome.seconds);
    of_round.resize(outcome.rounds.size());
    for (size_t i = 0; i < of_round.size(); ++i) {
      of_round[i].push_back(outcome.rounds[i].seconds);
    }
    if (reference.empty()) reference = outcome.bits;
    timing.comparison.add(std::as_bytes(std::span(outcome.bits)),
                          std::as_bytes(std::span(reference)));
    timing.rounds = std::move(outcome.rounds);
  });
  timing.seconds = WarmRuns::median(totals);
  for (size_t i = 0; i < of_round.size(); ++i)
    timing.rounds[i].seconds = WarmRuns::median(of_round[i]);
}

/// All engines, the CPU first.
std::vector<SearchTiming> competitors(const SearchBench& bench,
                                      const SearchImage& image,
                                      const SearchPoint& point,
                                      bool all_threads_only) {
  std::vector<SearchTiming> all;
  const auto add = [&](Engine engine, uint32_t threads) {
    all.push_back({.image = image.name,
                   .side_px = image.side_px(),
                   .point = point,
                   .engine = engine,
                   .threads = threads});
  };
  if (bench.options().engine != "gpu") {
    std::vector<uint32_t> counts = bench.thread_counts();
    if (all_threads_only) counts = {counts.back()};
    for (const uint32_t threads : counts) add(Engine::kCpu, threads);
  }
  if (bench.has_gpu()) add(Engine::kGpu, 1);
  return all;
}

/// Measures, prints and keeps it, unless the GPU fails.
void try_timing(SearchBench& bench,
                SearchTiming& timing,
                const SearchImage& image,
                std::string_view type,
                PlaneBits& reference,
                std::vector<SearchTiming>& all) {
  const bool on_gpu = timing.engine == Engine::kGpu;
  Team& team = on_gpu ? bench.team() : bench.team(timing.threads);
  const std::string name = timing.point.name() + ", " + timing.where();
  const bool good = bench.results.attempt(
      on_gpu, name, [&] { time_search(timing, image, team, bench.options().measure, reference); });
  if (!good) return;
  bench.results.compared(timing.comparison);
  bench.results.add(timing_record(timing, type));
  for (size_t i = 0; i < timing.rounds.size(); ++i) {
    bench.results.add(round_record(timing, i), bench.rounds_csv);
  }
  all.push_back(timing);
}

}  // namespace

std::string SearchTiming::where() const {
  return engine == Engine::kGpu ? "GPU" : fmt::format("CPU x{}", threads);
}

std::vector<SearchTiming> measure_times(SearchBench& bench) {
  const SearchImage& image = bench.images().front();
  bench.results.print(
      "\nTable I: time to convergence, {}.\n'windows': those that are searched; those in which "
      "nothing has changed since are not. Right: how many\ntimes the paper's as fast, where the "
      "image has its size.\n",
      std::filesystem::path(image.name).filename().string());
  for (const kouge::Times& paper : kouge::kTimes) {
    bench.results.print(
        "  the paper's {} from random: {} s on a CPU, {} s on FPGAs, {} s on a GPU\n",
        paper.method,
        paper.cpu_s,
        paper.fpga_s,
        paper.gpu_s);
  }
  bench.results.begin_table();
  std::vector<SearchTiming> all;
  for (const SearchPoint& point : local_points()) {
    const SearchWindows& windows = bench.windows_of(point);
    PlaneBits reference = windows.bits;
    for (SearchTiming& timing : competitors(bench, image, point, false)) {
      timing.windows = windows.all();
      try_timing(bench, timing, image, "search-times", reference, all);
    }
  }
  return all;
}

std::vector<SearchTiming> measure_pages(SearchBench& bench) {
  const SearchPoint points[] = {{"dbs", "floyd-steinberg", "nasanen", "filtered"},
                                {"dbs", "floyd-steinberg", "gaussian", "filtered"},
                                {"les", "floyd-steinberg"},
                                {"pes", "floyd-steinberg"}};
  std::vector<SearchTiming> all;
  for (const uint32_t side : bench.options().sizes) {
    const SearchImage image = draw_search_image(side);
    bench.results.print("\n{0} x {0} px, {1}, from Floyd-Steinberg\n", side, image.name);
    bench.results.begin_table();
    for (const SearchPoint& point : points) {
      PlaneBits reference;
      for (SearchTiming& timing : competitors(bench, image, point, true)) {
        try_timing(bench, timing, image, "search-pages", reference, all);
      }
    }
  }
  return all;
}

}  // namespace mezzo::bench
