// The results of mezzotint compare, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "kernels/quality/quality.h"
#include "tools/compare/prints.h"

namespace mezzo::compare {

/// A halftone, its contone, and its metrics.
struct NamedReport {
  std::string name;  ///< of the halftone in a heading: its file name, without folder if that
                     ///< is enough to tell it from the others
  std::string halftone_path;  ///< as given
  std::string contone_path;   ///< as given
  std::string ink;            ///< the plane of the contone that it was compared with
  /// What was done to contone and halftone before; ComparedPair::steps.
  std::vector<std::string> steps;
  quality::Viewing viewing;  ///< how it was looked at
  quality::Report report;
};

/// Tables for people: a row for each metric, a column for each halftone; then for each print.
void print_comparison(const std::vector<NamedReport>& reports,
                      const std::vector<NamedPrint>& prints);

/// A JSON line for each halftone, then for each print.
void print_comparison_json(const std::vector<NamedReport>& reports,
                           const std::vector<NamedPrint>& prints);

}  // namespace mezzo::compare
