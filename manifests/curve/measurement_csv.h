// Measured patches as a table of a spreadsheet: a head of names, then a line a patch. Columns stand
// between commas, semicolons or tabs: ink, nominal, and one of area, density, reflectance, Y, L, value.
#pragma once

#include <optional>

#include "manifests/curve/measurement.h"

namespace mezzo::curve {

/// Reads the source of `into`. The mistake, if there is one.
std::optional<Diagnostic> read_csv(const ReadOptions& options, Measurement& into);

}  // namespace mezzo::curve
