#include "tools/bench/search/times.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "kernels/base/repeat.h"

namespace mezzo::bench {
namespace {

/// The paper's times, where they are of the same page.
const kouge::Times* paper_of(const SearchTiming& timing) {
  return timing.side_px == kouge::kSide ? kouge::times(timing.point.method) : nullptr;
}

void print_time_cells(std::string_view method,
                      std::string_view start,
                      std::string_view where,
                      const std::vector<std::string>& cells) {
  std::string line = fmt::format("  {:<7}{:<17}{:<12}", method, start, where);
  constexpr int kWidths[] = {9, 8, 11, 13, 13, 8, 8};
  for (size_t i = 0; i < cells.size(); ++i) line += fmt::format("{:>{}}", cells[i], kWidths[i]);
  fmt::print("{}\n", line.substr(0, line.find_last_not_of(' ') + 1));
}

void print_times_heading() {
  print_time_cells("method",
                   "start",
                   "where",
                   {"seconds", "rounds", "10^3 wnd.", "10^3 wnd./s", "paper's CPU", "FPGA", "GPU"});
  for (const kouge::Times& row : kouge::kTimes) {
    const std::string method = row.method == "les" ? "LES" : "PES";
    print_time_cells(method, "random", "paper CPU", {number_text(row.cpu_s)});
    print_time_cells(method, "random", "paper FPGA", {number_text(row.fpga_s)});
    print_time_cells(method, "random", "paper GPU", {number_text(row.gpu_s)});
  }
}

void print_timing(const SearchTiming& timing) {
  const auto& point = timing.point;
  if (timing.seconds <= 0) {
    print_time_cells(point.name(), point.start, timing.where(), {"failed"});
    return;
  }
  std::vector<std::string> cells = {number_text(timing.seconds),
                                    std::to_string(timing.round_count())};
  const auto rate = timing.windows_per_s();
  cells.push_back(rate ? number_text(static_cast<double>(*timing.windows) / 1e3) : "-");
  cells.push_back(rate ? number_text(*rate / 1e3) : "-");
  if (const kouge::Times* paper = paper_of(timing)) {
    for (const double seconds : {paper->cpu_s, paper->fpga_s, paper->gpu_s}) {
      cells.push_back(times_text(seconds / timing.seconds));
    }
  }
  print_time_cells(point.name(), point.start, timing.where(), cells);
}

void print_pages_heading() {
  fmt::print("  {:<14}{:<10}{:>9}{:>8}{:>9}  {}\n",
             "method",
             "where",
             "time",
             "rounds",
             "Mpx/s",
             "start, then rounds");
}

void print_page(const SearchTiming& timing) {
  if (timing.seconds <= 0) {
    fmt::print("  {:<14}{:<10}{:>9}\n", timing.point.name(), timing.where(), "failed");
    return;
  }
  std::string line = fmt::format("  {:<14}{:<10}{:>9}{:>8}{:>9}  ",
                                 timing.point.name(),
                                 timing.where(),
                                 seconds_text(timing.seconds),
                                 timing.round_count(),
                                 number_text(timing.mpx_per_s()));
  const size_t margin = line.size();
  constexpr size_t kWidth = 118;
  size_t column = margin;
  for (size_t i = 0; i < timing.rounds.size(); ++i) {
    const bool last = i + 1 == timing.rounds.size();
    std::string text =
        (i == 0 ? "" : " ") + seconds_text(timing.rounds[i].seconds) + (last ? "" : ",");
    if (column + text.size() > kWidth) {
      line += "\n" + std::string(margin, ' ');
      column = margin;
      text.erase(0, 1);
    }
    line += text;
    column += text.size();
  }
  fmt::print("{}\n", line);
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
  const auto papers = [paper](double kouge::Times::*member) {
    return paper != nullptr ? std::optional(paper->*member) : std::nullopt;
  };
  return begin_record(type, timing)
      .add("s", timing.seconds)
      .add("mpx_per_s", timing.mpx_per_s())
      .add("rounds", timing.round_count())
      .add("windows", timing.windows)
      .add("windows_per_s", timing.windows_per_s())
      .add("start_error", timing.rounds.front().error)
      .add("error", timing.rounds.back().error)
      .add("words", timing.comparison.words)
      .add("differing_words", timing.comparison.differing)
      .add("paper_cpu_s", papers(&kouge::Times::cpu_s))
      .add("paper_fpga_s", papers(&kouge::Times::fpga_s))
      .add("paper_gpu_s", papers(&kouge::Times::gpu_s));
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
    timing.comparison.add(std::as_bytes(std::span(outcome.bits)),
                          std::as_bytes(std::span(reference)));
    timing.rounds = std::move(outcome.rounds);
  });
  timing.seconds = warm_median(totals);
  for (size_t i = 0; i < of_round.size(); ++i) timing.rounds[i].seconds = warm_median(of_round[i]);
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

void try_timing(SearchBench& bench,
                SearchTiming& timing,
                const SearchImage& image,
                PlaneBits& reference) {
  const bool on_gpu = timing.engine == Engine::kGpu;
  Team& team = on_gpu ? bench.team() : bench.team(timing.threads);
  const auto failure = bench.results.attempt(
      on_gpu, [&] { time_search(timing, image, team, bench.options().measure, reference); });
  if (!failure) bench.results.compared(timing.comparison);
}

void keep(SearchBench& bench,
          const SearchTiming& timing,
          std::string_view type,
          std::vector<SearchTiming>& all) {
  if (timing.seconds <= 0) return;
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
      "\nTable I: time to convergence, {}.\n'wnd.': windows that are searched; those in which "
      "nothing has changed since are not. Right: how many\ntimes the paper's as fast, where the "
      "image has its size.\n",
      std::filesystem::path(image.name).filename().string());
  if (!bench.results.json()) print_times_heading();
  std::vector<SearchTiming> all;
  for (const SearchPoint& point : local_points()) {
    const SearchWindows& windows = bench.windows_of(point);
    PlaneBits reference = windows.bits;
    for (SearchTiming& timing : competitors(bench, image, point, false)) {
      try_timing(bench, timing, image, reference);
      timing.windows = windows.all();
      if (!bench.results.json()) print_timing(timing);
      keep(bench, timing, "search-times", all);
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
    if (!bench.results.json()) print_pages_heading();
    for (const SearchPoint& point : points) {
      PlaneBits reference;
      for (SearchTiming& timing : competitors(bench, image, point, true)) {
        try_timing(bench, timing, image, reference);
        if (!bench.results.json()) print_page(timing);
        keep(bench, timing, "search-pages", all);
      }
    }
  }
  return all;
}

}  // namespace mezzo::bench
