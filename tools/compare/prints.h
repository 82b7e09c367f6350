// Plates of several inks as one print, for its comparison in colour.
#pragma once

#include <string>
#include <vector>

#include "kernels/quality/colour/colour_judge.h"
#include "tools/compare/making.h"

namespace mezzo::compare {

/// What --inks, --gain say.
struct PrintOptions {
  std::string inks = "together";  ///< or "apart": no prints
  double gain_um = 0;             ///< dot gain: how far ink runs beyond the edges of dots
};

/// Plates that are printed over each other.
struct ComparedPrint {
  std::string name;            ///< what the names of its plates begin with, or "print 2"
  std::vector<size_t> plates;  ///< of the halftones, in the order of the page's inks
  std::vector<std::string> inks;
};

/// The first plate of each ink is one print, the second of each another, and so on. Those of one ink alone are
/// left out. Throws Error(kUnsupported) where there are more inks than can be judged.
std::vector<ComparedPrint> prints_among(const std::vector<ComparedPair>& pairs,
                                        const std::vector<std::string>& names,
                                        const PrintOptions& options);

/// A print and its numbers.
struct NamedPrint {
  ComparedPrint print;
  std::vector<std::string> halftone_paths;  ///< as given, of print.plates
  std::string contone_path;                 ///< as given
  quality::Viewing viewing;
  double gain_um = 0;
  quality::Print colours;  ///< with the gain in pixels
  quality::ColourReport report;
};

/// The usual colours of its inks on coated paper, with dot gain. Throws Error(kUsage) where ink would run
/// further than a pixel.
quality::Print print_of(const std::vector<std::string>& inks, double gain_um, double dpi);

/// Reads all plates once more.
quality::ColourReport judge_print(const ComparedPrint& print,
                                  const std::vector<ComparedPair>& pairs,
                                  const quality::Print& colours,
                                  const quality::Viewing& viewing,
                                  Team& team);

/// "cyan over magenta"
std::string overlap_name(const ComparedPrint& print, uint32_t first, uint32_t second);

/// "cyan", or "all but black" of inks that are moved.
std::string moved_name(const ComparedPrint& print, uint32_t inks);

/// "88 px at 45 degrees, 2.1 %, black with cyan"; "none".
std::string moire_text(const ComparedPrint& print, const quality::ColourReport& report);

}  // namespace mezzo::compare
