// Curves on a command line.
#pragma once

#include <string>
#include <vector>

#include "kernels/band/tone_settings.h"
#include "manifests/scalars.h"

namespace mezzo::cli {

/// "0:0,50:54,100:100" as points of a curve, or as a manifest has them; percent signs are welcome.
manifests::Parsed<std::vector<CurvePoint>> parse_curve(const std::string& written);

}  // namespace mezzo::cli
