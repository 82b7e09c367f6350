// Measured patches in tables of CGATS.
#pragma once

#include <optional>
#include <vector>

#include "manifests/curve/measurement.h"

namespace mezzo::curve {

/// Reads the one of the tables that has measurements; of a wedge the first. They are of the source of
/// `into`. The mistake, if there is one.
std::optional<Diagnostic> read_tables(const std::vector<CgatsTable>& tables,
                                      const ReadOptions& options,
                                      Measurement& into);

}  // namespace mezzo::curve
