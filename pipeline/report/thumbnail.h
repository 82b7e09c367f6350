// The picture of a job, beside its report: the contone of its first good sheet.
#pragma once

#include <string>

#include "pipeline/report/report_data.h"

namespace mezzo::report {

/// A JPEG file in the report's folder; missing when no sheet has pictures.
inline constexpr const char* kThumbnailName = "thumbnail.jpg";

/// Its bytes; empty when there is none.
std::string thumbnail_file(const ReportData& data);

}  // namespace mezzo::report
