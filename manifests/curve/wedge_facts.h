// What a wedge was printed with, as its description, the command line and the curve that is refined say it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manifests/curve/curve_file.h"
#include "manifests/curve/measurement.h"
#include "manifests/curve/ramp.h"

namespace mezzo::curve {

/// What a person says; empty where nothing is said.
struct PrintFacts {
  std::string press = {};
  std::string screen = {};
  std::optional<double> dpi = {};
  std::string paper = {};
};

/// Fills press, screen, dpi and paper of `file`, whose kind is set. The refusals: what `said`, the wedge
/// and the curve `on` (null: none is refined) say differently, and a wedge that was printed with other
/// curves than the new one is for.
std::vector<Diagnostic> settle_facts(const PrintFacts& said,
                                     const Measurement& measurement,
                                     const CurveFile* on,
                                     CurveFile& file,
                                     const std::string& ink);

/// The readings as a curve file keeps them; of too many the steps.
std::vector<Measure> measures_of(const Ramp& ramp);

}  // namespace mezzo::curve
