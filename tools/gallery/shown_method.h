// A piece of a page, halftoned by one method: its dots, the time and the numbers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/band/team.h"
#include "kernels/base/rect.h"
#include "kernels/halftone.h"
#include "kernels/quality/colour/colour_report.h"
#include "kernels/quality/quality.h"
#include "pipeline/report/image.h"

namespace mezzo::gallery {

/// The planes of a piece in memory.
struct Piece {
  Rect place;
  std::vector<std::string> inks;
  uint32_t max_ink = 255;
  std::vector<std::vector<uint16_t>> planes;  ///< an ink each, 0 is paper, rows without gaps
};

/// A method with its parameters, as `fm:dot=2`; inks: together counts as a parameter.
struct Wanted {
  std::string method;
  std::map<std::string, double, std::less<>> parameters = {};
  std::string name;  ///< as users write it
};

/// Of a list such as "bayer,fm:dot=2,fm"; empty: all methods, but those that need a file, and each that can
/// halftone inks together once more so where there are several. Throws Error(kUsage).
std::vector<Wanted> wanted_methods(const std::string& list, size_t inks);

struct ShownMethod {
  std::string name, summary;
  double seconds = 0;  ///< of all inks, from samples to bits
  std::vector<Bits> plates;
  std::vector<quality::Report> reports;          ///< of each ink
  std::optional<quality::ColourReport> colours;  ///< of several inks
  report::ColourImage picture;
};

struct Conditions {
  quality::Viewing viewing;
  double budget_s = 5;  ///< of a search, for all inks
};

/// Throws Error as complete() and make_halftoner() do.
ShownMethod show(const Piece& piece,
                 const Wanted& wanted,
                 const Conditions& conditions,
                 Team& team);

/// The contone in the colours of its inks.
report::ColourImage picture_of(const Piece& piece);

}  // namespace mezzo::gallery
