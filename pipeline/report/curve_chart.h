// A curve of an ink as a picture: SVG that a page of 390 px shows whole.
#pragma once

#include <string>

#include "manifests/curve/curve_file.h"

namespace mezzo::report {

/// The curve, and where the file has them its measures, the target (when the file tells it as a number) and
/// what separates each measure from the fit. A whole SVG document on white, without scripts or fonts.
std::string curve_chart(const curve::CurveFile& file);

}  // namespace mezzo::report
