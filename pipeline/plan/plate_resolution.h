// The resolution that all plates of a sheet have.
#pragma once

#include <string_view>

#include "pipeline/plan/job_plan.h"

namespace mezzo::plan {

/// In dpi, that of all plates of the sheet, with square pixels; 0 when neither its pages nor its settings say.
/// Throws Error(kUnsupported) for plates of two: `for_squares` and `for_one` say in the messages what is
/// for one, such as "curves are" and "the plates of a sheet have one curve".
double dpi_of_plates(const SheetPlan& sheet,
                     std::string_view for_squares,
                     std::string_view for_one);

}  // namespace mezzo::plan
