// A measurement and the description of the wedge that was measured, brought together.
#pragma once

#include <vector>

#include "manifests/curve/measurement.h"

namespace mezzo::curve {

/// Gives the patches the nominal values that the wedge has for their SAMPLE_ID, and the measurement the
/// facts of the wedge. The mistakes, which leave it as it was: a patch without SAMPLE_ID, one that is
/// there twice, one that the wedge does not have or has otherwise, facts that differ.
std::vector<Diagnostic> join_wedge(const Measurement& wedge, Measurement& measurement);

}  // namespace mezzo::curve
