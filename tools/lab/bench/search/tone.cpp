#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "kernels/quality/judge.h"
#include "kernels/quality/memory_pair.h"
#include "kernels/search/cpu/form_search.h"
#include "kernels/search/rounds.h"
#include "kernels/search/search_methods.h"
#include "pipeline/text.h"
#include "tools/lab/bench/search/parts.h"

namespace mezzo::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;
using search::FormWindows;

double since(SteadyClock::time_point begin) {
  return std::chrono::duration<double>(SteadyClock::now() - begin).count();
}

/// A search with the tone form and what it starts from.
struct TonePoint {
  std::string method;  ///< "les", "pes" or "dbs"
  std::string start;   ///< "dbs", "floyd-steinberg", "random", or "bayer" through a search alone
  std::string eye = "tone";

  HalftoneSettings settings() const {
    HalftoneSettings settings = {.method = method};
    if (method == "floyd-steinberg") return settings;
    auto& values = settings.parameters;
    values["until"] = index_of(search::kUntils, std::string("settled"));
    if (method == "dbs") {
      values["eye"] = index_of(search::kEyes, eye);
      values["start"] = index_of(search::kStarts, start);
    } else {
      values["eye"] = index_of(search::kLocalEyes, eye);
      values["start"] = index_of(search::kLocalStarts, start);
    }
    return settings;
  }
};

/// Windows that a search comes upon, for later.
std::vector<search::form::WindowState>& seen_windows() {
  static std::vector<search::form::WindowState> windows;
  return windows;
}

search::form::WindowBest keep_and_find(const search::form::WindowState& window,
                                       FormWindows windows) {
  seen_windows().push_back(window);
  return search::form::best_pattern(window, windows);
}

std::vector<uint16_t> tones_of(const SearchImage& image) {
  const SampleBand samples = image.page.samples();
  const ToneCurve curve = image.page.curve();
  std::vector<uint16_t> tones;
  for (uint32_t y = 0; y < samples.rows; ++y) {
    for (uint32_t x = 0; x < samples.width_px; ++x) {
      tones.push_back(
          curve[samples.bytes_per_sample == 1 ? samples.row8(y)[x] : samples.row16(y)[x]]);
    }
  }
  return tones;
}

/// The bits of another method, a byte a pixel.
std::vector<uint8_t> start_of(const SearchImage& image, const std::string& method, Team& team) {
  const SearchOutcome outcome =
      run_search(*make_halftoner(complete({.method = method})).halftoner, image, team);
  PlaneBits packed = outcome.bits;
  const BitBand band = bits_of(packed, image.page.size);
  std::vector<uint8_t> bits;
  for (uint32_t y = 0; y < band.rows; ++y) {
    for (uint32_t x = 0; x < band.width_px; ++x) bits.push_back(band.ink(x, y) ? 1 : 0);
  }
  return bits;
}

/// Of each of `windows`, microseconds.
template <typename Find>
double time_windows(const std::vector<search::form::WindowState>& windows, const Find& find) {
  const auto begin = SteadyClock::now();
  uint32_t patterns = 0;
  for (const auto& window : windows) patterns ^= find(window).pattern;
  const double seconds = since(begin);
  return patterns == UINT32_MAX ? 0 : 1e6 * seconds / static_cast<double>(windows.size());
}

/// Windows of a run from Floyd-Steinberg on, each against every pattern, and the time of one.
void measure_tone_windows(SearchBench& bench) {
  const SearchImage& image = bench.images().front();
  const std::vector<uint16_t> tones = tones_of(image);
  const uint32_t side = image.side_px();
  std::vector<uint8_t> bits = start_of(image, "floyd-steinberg", bench.team());
  SoloTeam solo;
  const search::Area area{side, side, 0, 0, 0, tones.data(), bits.data()};
  const auto search = search::make_form_search({.moves = false}, area, solo, keep_and_find);
  const uint32_t wanted = bench.options().tone_windows;
  const auto no_pause = [](double) {};
  while (seen_windows().size() < wanted && search->round(solo, no_pause).changed > 0) {
    stop_if_requested();
  }
  std::vector<search::form::WindowState> windows = std::move(seen_windows());
  windows.resize(std::min<size_t>(windows.size(), wanted));
  uint64_t differing = 0;
  for (size_t i = 0; i < windows.size(); ++i) {
    const FormWindows kind = i % 2 == 0 ? FormWindows::kAll : FormWindows::kSameInk;
    const auto found = search::form::best_pattern(windows[i], kind);
    const auto expected = search::form::best_pattern_plainly(windows[i], kind);
    differing += found.pattern == expected.pattern && found.change == expected.change ? 0 : 1;
  }
  bench.windows.words += windows.size();
  bench.windows.differing += differing;
  const auto by = [](FormWindows kind) {
    return [kind](const auto& window) { return search::form::best_pattern(window, kind); };
  };
  const double all = time_windows(windows, by(FormWindows::kAll));
  const double same_ink = time_windows(windows, by(FormWindows::kSameInk));
  // The published search, with its bounds: all of its run, as windows are most of it.
  const SearchPoint published{"les", "floyd-steinberg"};
  const uint64_t searched = bench.windows_of(published).all();
  const SearchOutcome outcome = run_search(
      *make_local(published, window_search(published, search::search_in_lanes)), image, solo);
  const double bounds = 1e6 * outcome.seconds / static_cast<double>(searched);
  bench.results.add(Record("search-tone-windows")
                        .add("image", image.name)
                        .add("windows", windows.size(), Column{"windows", 9})
                        .add("differing", differing, Column{"differ", 8})
                        .add("us", all, Column{"les, us", 9, 2})
                        .add("same_ink_us", same_ink, Column{"pes, us", 9, 2})
                        .add("published_us", bounds, Column{"published, us", 15, 2})
                        .add("times_as_fast", bounds / all, Column{"times", 7, 1}));
}

/// A page of one tone, in 16 bits.
SearchImage tint_image(double percent, uint32_t side) {
  SearchImage image{"tint", {{side, side}, 2, 65535, Polarity::kMaxIsInk}};
  const auto sample = static_cast<uint16_t>(std::lround(655.35 * percent));
  image.page.bytes.resize(size_t{side} * side * 2);
  for (size_t i = 0; i < image.page.bytes.size(); i += 2) {
    std::memcpy(image.page.bytes.data() + i, &sample, 2);
  }
  return image;
}

quality::Report judged(const SearchImage& image, PlaneBits& bits, Team& team) {
  const TestPage& page = image.page;
  quality::MemoryPair pair(
      page.samples(), page.max_sample, page.polarity, bits_of(bits, page.size));
  return quality::judge(pair, {}, team);
}

/// 64 tints of 0.4 .. 99.6 %; of each search the errors of their tone, in percent of area.
void measure_tints(SearchBench& bench) {
  constexpr uint32_t kTints = 64, kSide = 128;
  for (const TonePoint& point : {TonePoint{"les", "dbs"},
                                 {"les", "floyd-steinberg"},
                                 {"les", "random"},
                                 {"pes", "dbs"},
                                 {"dbs", "floyd-steinberg"},
                                 {"les", "floyd-steinberg", "published"}}) {
    const auto halftoner = make_halftoner(complete(point.settings())).halftoner;
    double sum = 0, worst = 0, worst_at = 0;
    for (uint32_t i = 0; i < kTints; ++i) {
      const SearchImage image = tint_image(0.4 + 99.2 * i / (kTints - 1), kSide);
      SearchOutcome outcome = run_search(*halftoner, image, bench.team());
      const quality::Report report = judged(image, outcome.bits, bench.team());
      const double error = 100 * std::abs(report.ink_coverage - report.contone_coverage);
      sum += error;
      if (error <= worst) continue;
      worst = error;
      worst_at = 100 * report.contone_coverage;
    }
    bench.results.add(Record("search-tints")
                          .add("method", point.method, Column{"method", -8})
                          .add("eye", point.eye, Column{"eye", -11})
                          .add("start", point.start, Column{"start", -17})
                          .add("tints", kTints, Column{"tints", 7})
                          .add("mean_percent", sum / kTints, Column{"mean, %", 9, 3})
                          .add("worst_percent", worst, Column{"worst, %", 10, 3})
                          .add("worst_at_percent", worst_at, Column{"at, %", 8, 1}));
  }
}

/// Parts of Floyd-Steinberg's errors.
struct OfFloydSteinberg {
  double average = 0, rms_1_5 = 0, rms_3 = 0, tone_percent = 0;
};

void add_photo(SearchBench& bench,
               const TonePoint& point,
               const std::string& image,
               const OfFloydSteinberg& parts) {
  bench.results.add(
      Record("search-photos")
          .add("method", point.method, Column{"method", -8})
          .add("eye", point.eye, Column{"eye", -11})
          .add("image", std::filesystem::path(image).filename().string(), Column{"image", -44})
          .add("average_error_of_fs", parts.average, Column{"average", 9, 3})
          .add("rms_1_5_of_fs", parts.rms_1_5, Column{"sigma 1.5", 11, 3})
          .add("rms_3_of_fs", parts.rms_3, Column{"sigma 3", 9, 3})
          .add("tone_percent", parts.tone_percent, Column{"tone, %", 9, 3}));
}

void measure_photos(SearchBench& bench) {
  for (const TonePoint& point : {TonePoint{"les", "dbs"},
                                 {"pes", "dbs"},
                                 {"dbs", "floyd-steinberg"},
                                 {"les", "floyd-steinberg", "published"}}) {
    const auto halftoner = make_halftoner(complete(point.settings())).halftoner;
    const auto plain = make_halftoner(complete({.method = "floyd-steinberg"})).halftoner;
    OfFloydSteinberg mean;
    const auto images = static_cast<double>(bench.images().size());
    for (const SearchImage& image : bench.images()) {
      SearchOutcome searched = run_search(*halftoner, image, bench.team());
      SearchOutcome diffused = run_search(*plain, image, bench.team());
      const quality::Report found = judged(image, searched.bits, bench.team());
      const quality::Report beside = judged(image, diffused.bits, bench.team());
      const OfFloydSteinberg parts{found.average_error / beside.average_error,
                                   found.gaussian_rms_1_5 / beside.gaussian_rms_1_5,
                                   found.gaussian_rms_3 / beside.gaussian_rms_3,
                                   100 * (found.ink_coverage - found.contone_coverage)};
      add_photo(bench, point, image.name, parts);
      mean.average += parts.average / images;
      mean.rms_1_5 += parts.rms_1_5 / images;
      mean.rms_3 += parts.rms_3 / images;
      mean.tone_percent += std::abs(parts.tone_percent) / images;
    }
    if (images > 1) add_photo(bench, point, "mean", mean);
  }
}

/// From the start image, without the time that it takes.
ToneRun run_from(const SearchImage& image,
                 const std::vector<uint16_t>& tones,
                 const search::FormSettings& settings,
                 const std::string& start,
                 Team& team) {
  ToneRun run{start};
  std::vector<uint8_t> bits = start_of(image, start, team);
  const uint32_t side = image.side_px();
  const search::Area area{side, side, 0, 0, 0, tones.data(), bits.data()};
  const auto begin = SteadyClock::now();
  const std::function<void(const RoundReport&)> keep = [&](const RoundReport& report) {
    stop_if_requested();
    if (report.part >= 1) run.points.emplace_back(since(begin), report.average_error);
  };
  search::Rounds rounds({.until = search::Until::kSettled}, 0, keep);
  rounds.run(*search::make_form_search(settings, area, team), team);
  return run;
}

std::vector<ToneRun> measure_runs(SearchBench& bench) {
  const SearchImage& image = bench.images().front();
  const std::vector<uint16_t> tones = tones_of(image);
  std::vector<ToneRun> runs;
  const auto add = [&](const std::string& name, search::FormSettings settings, const char* start) {
    runs.push_back(run_from(image, tones, settings, start, bench.team()));
    runs.back().name = name + " from " + start;
    const auto& [seconds, error] = runs.back().points.back();
    bench.results.add(Record("search-tone-runs")
                          .add("search", runs.back().name, Column{"search", -38})
                          .add("rounds", runs.back().points.size() - 1, Column{"rounds", 8})
                          .add("s", seconds, Column{"s", 9, 3})
                          .add("error", error, Column{"error", 9, 4}));
  };
  for (const char* start : {"floyd-steinberg", "random", "bayer", "dbs"}) {
    add("LES after DBS", {}, start);
    add("LES", {.moves = false}, start);
    add("PES", {.moves = false, .windows = FormWindows::kSameInk}, start);
    add("DBS", {.windows = FormWindows::kNone}, start);
  }
  return runs;
}

}  // namespace

std::vector<ToneRun> measure_tone(SearchBench& bench) {
  bench.results.print(
      "\nThe tone form. Windows of {}, one thread: each against every pattern; 'published': branch "
      "and bound of its\nown run.\n",
      std::filesystem::path(bench.images().front().name).filename().string());
  bench.results.begin_table();
  measure_tone_windows(bench);
  bench.results.print("\nTone of 64 tints of 0.4 to 99.6 %, settled; errors in percent of area.\n");
  bench.results.begin_table();
  measure_tints(bench);
  bench.results.print("\nErrors as parts of Floyd-Steinberg's, settled.\n");
  bench.results.begin_table();
  measure_photos(bench);
  bench.results.print(
      "\nError of the tone form, of 255, and seconds from the start image until settled, x{}.\n",
      bench.thread_counts().back());
  bench.results.begin_table();
  return measure_runs(bench);
}

}  // namespace mezzo::bench
