// The numbers of a print: the one list behind the table, the page and JSON.
#pragma once

#include <span>

#include "kernels/quality/colour/colour_report.h"
#include "kernels/quality/metrics.h"

namespace mezzo::quality {

using PrintMetric = BasicMetric<ColourReport>;

/// In the order in which they are shown.
inline constexpr std::string_view kPrintGroups[] = {
    "Colour as the eye sees it", "The print as a whole", "Inks over each other", "Out of register"};

std::span<const PrintMetric> print_metrics();

}  // namespace mezzo::quality
