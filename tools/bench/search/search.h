// What the parts of `mezzotint bench search` have in common: images, searches of them, how long
// each round took, and what windows cost.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tools/bench/bench.h"

namespace mezzo::bench {

/// A square plane of samples in memory.
struct SearchImage {
  std::string name;
  uint32_t side_px = 0;
  uint32_t bytes_per_sample = 1;
  uint32_t max_sample = 255;
  Polarity polarity = Polarity::kMaxIsPaper;
  std::vector<std::byte> bytes = {};

  SampleBand samples() const;
  ToneCurve curve() const { return {max_sample, polarity}; }
  double pixels() const { return double(side_px) * side_px; }
};

/// The middle of a file's first page, its first ink. Throws Error as TiffFile does, and kUsage
/// where the page is smaller.
SearchImage load_search_image(const std::string& path, uint32_t side_px, Team& team);

/// A photo that is made up.
SearchImage draw_search_image(uint32_t side_px);

/// A method with the paper's settings (kouge_table.h).
struct SearchPoint {
  std::string method = "les";    ///< "pes", "dbs", or "floyd-steinberg", which takes none of these
  std::string start = "random";  ///< or "floyd-steinberg"
  std::string eye =
      "gaussian";  ///< of dbs: the paper's, or "nasanen", with what dbs has by default
  std::string target = "original";  ///< of dbs, or "filtered"

  bool is_search() const { return method != "floyd-steinberg"; }
  bool is_local() const { return method == "les" || method == "pes"; }

  /// Engine and schedule are left open.
  HalftoneSettings settings() const;
  std::string name() const;  ///< "LES", "DBS nasanen"
};

std::vector<SearchPoint> local_points();    ///< LES and PES from both starts
std::vector<SearchPoint> quality_points();  ///< Floyd-Steinberg and DBS first
std::vector<SearchPoint> page_points();

/// Rows of bits are whole 32-bit words.
using SearchBits = std::vector<uint8_t>;
BitBand bits_of(SearchBits& bits, uint32_t side_px);

/// A round, or, first, all that comes before rounds.
struct SearchRound {
  double seconds = 0;
  uint64_t changed = 0;  ///< pixels
  double error = 0;      ///< what is minimised, after it; per pixel, of 255
};

/// One run of a halftoner; `after_round` may be empty.
struct SearchOutcome {
  SearchBits bits;
  std::vector<SearchRound> rounds;
  double seconds = 0;  ///< from memory to memory
};
SearchOutcome run_search(const Halftoner& halftoner,
                         const SearchImage& image,
                         Team& team,
                         const std::function<void(uint32_t round)>& after_round = {});

/// How long a search takes; each time is the median.
struct SearchTiming {
  std::string image = {};
  uint32_t side_px = 0;
  SearchPoint point = {};
  Engine engine = Engine::kCpu;  ///< or kGpu
  uint32_t threads = 1;          ///< of the CPU
  double seconds = 0;            ///< 0: it failed
  std::vector<SearchRound> rounds = {};
  std::optional<uint64_t> windows = {};  ///< that are searched
  Comparison comparison = {};

  std::string where() const;  ///< "GPU", "CPU x16" for 16 threads
  uint64_t round_count() const { return rounds.empty() ? 0 : rounds.size() - 1; }
  double mpx_per_s() const { return double(side_px) * side_px / seconds / 1e6; }
  std::optional<double> windows_per_s() const {
    return windows ? std::optional(static_cast<double>(*windows) / seconds) : std::nullopt;
  }
};

/// Fills in seconds, rounds and comparison. Bits are compared with `reference`; where that is empty
/// it becomes those of the first run.
void time_search(SearchTiming& timing,
                 const SearchImage& image,
                 Team& team,
                 const MeasureOptions& options,
                 SearchBits& reference);

/// What a local search looks at, found by running it on the CPU.
struct SearchWindows {
  std::vector<uint64_t> of_round;  ///< windows that are searched, from round 1
  SearchBits bits;
  uint64_t all() const;
};
SearchWindows count_windows(const SearchImage& image, const SearchPoint& point, Team& team);

/// Branch and bound against taking every pattern in turn, for some windows of a round.
struct SearchCost {
  uint32_t round = 0;
  uint64_t windows = 0;  ///< of the round
  uint64_t sampled = 0;
  uint64_t differing = 0;  ///< results, which must be the same
  double bounds_us = 0;    ///< mean for a window
  double literal_us = 0;
};

/// Searches windows evenly spread over rounds 1, 2, 4 and 8 in both ways, about `samples` of each,
/// all others by bounds, on the calling thread. Local searches of windows that are at most
/// search::kMostLiteralPixels.
std::vector<SearchCost> cost_of_windows(const SearchImage& image,
                                        const SearchPoint& point,
                                        const SearchWindows& windows,
                                        uint32_t samples);

/// What the search would cost as published, which looks at every window in every round.
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
SearchMisses count_misses(const SearchImage& image, const SearchPoint& pes, Team& team);

/// The paper's average error (Report::average_error in kernels/quality).
double average_error(const SearchImage& image, SearchBits& bits, Team& team);

/// How near a method comes to the images.
struct SearchQuality {
  SearchPoint point;
  std::vector<double> errors = {};  ///< of each image, of 255

  double mean() const;
};

/// What the paper finds of searches from one start, and whether it is found here: of the means, and
/// of how many images.
struct QualityOrder {
  std::string start;
  bool les_is_least = false;  ///< LES <= 1.001 x PES
  bool in_order = false;      ///< 1.001 x PES < DBS < Floyd-Steinberg
  size_t images = 0, images_les_is_least = 0, images_in_order = 0;
};
/// `all` as for print_quality(); an entry for each start.
std::vector<QualityOrder> orders_of(const std::vector<SearchQuality>& all);

/// Lines of a table, or of what follows from it.
void print_times_heading();
void print_timing(const SearchTiming& timing);
void print_pages_heading();
void print_page(const SearchTiming& timing);
void print_costs(const SearchPoint& point, const std::vector<SearchCost>& costs);
void print_published(const SearchPoint& point, const PublishedCost& cost, bool is_papers_size);
void print_misses(const SearchPoint& point, const SearchMisses& misses);
/// `all` begins with Floyd-Steinberg and DBS, and has LES and PES from each start after these.
void print_quality(const std::vector<SearchQuality>& all);

/// "1.23 s", "45.6 ms", with three digits.
std::string seconds_text(double seconds);

nlohmann::ordered_json timing_json(const SearchTiming& timing, std::string_view type);
nlohmann::ordered_json round_json(const SearchTiming& timing, size_t round);
nlohmann::ordered_json cost_json(const SearchPoint& point, const SearchCost& cost);
nlohmann::ordered_json published_json(const SearchPoint& point, const PublishedCost& cost);
nlohmann::ordered_json misses_json(const SearchPoint& point, const SearchMisses& misses);
/// Of one image, or of "mean".
nlohmann::ordered_json quality_json(const SearchPoint& point,
                                    const std::string& image,
                                    double error,
                                    double floyd_steinberg_error);
nlohmann::ordered_json order_json(const QualityOrder& order);

/// An SVG file: error over time and round for the paper's image, time of rounds for large pages.
std::string search_plot(const std::vector<SearchTiming>& times,
                        const std::vector<SearchTiming>& pages,
                        const std::string& machine);

}  // namespace mezzo::bench
