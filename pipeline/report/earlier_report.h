// The report of an earlier run of a job, as far as the next one can keep it: pictures and times of
// the sheets that were made then and are unchanged since.
#pragma once

#include <string>

#include "pipeline/report/report_data.h"

namespace mezzo::report {

/// Adds to the sheets of `data` and `result` that are already done their notes, and what the report
/// in `folder` says of the same plates. Its timeline and its times of the whole job are taken over
/// only when this run has made nothing: `data.made` is then the run that did. Pictures stop at
/// `kMostPictureBytes`, less the `picture_bytes` that this run has. Never throws: it does less when
/// there is no such report, or when part of it cannot be understood, as anyone may have written
/// there.
void take_over(const std::string& folder,
               size_t picture_bytes,
               run::JobResult& result,
               ReportData& data);

}  // namespace mezzo::report
