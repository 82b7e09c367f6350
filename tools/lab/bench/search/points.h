// The images and methods of bench search, with the settings of Kouge et al.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "kernels/halftoner.h"
#include "kernels/registry.h"
#include "tools/lab/bench/harness.h"

namespace mezzo::bench {

/// A square page.
struct SearchImage {
  std::string name;
  TestPage page;

  uint32_t side_px() const { return page.size.width_px; }
};

/// The middle of a file's first page, its first ink. Throws Error as TiffFile does, and kUsage
/// where the page is smaller.
SearchImage load_search_image(const std::string& path, uint32_t side_px, Team& team);

/// A synthetic photo.
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

std::vector<SearchPoint> local_points();  ///< LES and PES from both starts

/// A record that begins with the members of the point.
Record record_of(std::string_view type, const SearchPoint& point);

/// A round, or, first, the work before all rounds.
struct SearchRound {
  double seconds = 0;
  uint64_t changed = 0;  ///< pixels
  double error = 0;      ///< the minimised error after it; per pixel, of 255
};

/// One run of a halftoner; `after_round` may be empty.
struct SearchOutcome {
  PlaneBits bits;
  std::vector<SearchRound> rounds;
  double seconds = 0;  ///< from memory to memory
};
SearchOutcome run_search(const Halftoner& halftoner,
                         const SearchImage& image,
                         Team& team,
                         const std::function<void(uint32_t round)>& after_round = {});

/// Three digits or a little more, without exponents.
std::string number_text(double value);
std::string times_text(double ratio);      ///< "1.23x"
std::string seconds_text(double seconds);  ///< "1.23 s", "45.6 ms"

}  // namespace mezzo::bench
