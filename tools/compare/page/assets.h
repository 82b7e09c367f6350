// The files of tools/compare/page/, as the build put them into the program.
#pragma once

#include <string_view>

namespace mezzo::compare::assets {

extern const std::string_view kPage, kStyle, kScript;
extern const std::string_view kChartStyle, kChartScript, kChartLicence;

}  // namespace mezzo::compare::assets
