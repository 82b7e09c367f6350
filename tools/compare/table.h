// The tables of the page of `mezzotint compare --html`.
#pragma once

#include <string>

#include "tools/compare/page_data.h"

namespace mezzo::compare {

/// One row a metric, one column a halftone; the best value of a row is emphasised.
std::string metric_table(const ComparePage& page);

/// Likewise, one column a print.
std::string print_metric_table(const ComparePage& page);

/// The pairs of inks, and the inks out of register, of each print.
std::string overlap_table(const ComparePage& page);
std::string register_table(const ComparePage& page);

/// The numbers behind the charts: one row a frequency or a level.
std::string spectrum_table(const ComparePage& page);
std::string tone_table(const ComparePage& page);

}  // namespace mezzo::compare
