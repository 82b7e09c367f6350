// The report of a job, read for the status page.
#pragma once

#include <optional>
#include <string>

#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

/// The text of job.report. Nothing when that is not a path below job.folder, not a regular file
/// with one name and at most 32 MiB, or reached by a symbolic link below the folder. (The path of
/// the folder itself may have links.)
std::optional<std::string> read_report(const JobView& job);

/// The picture beside the report, a JPEG file of at most 64 KiB. Nothing where there is none, under
/// the same conditions.
std::optional<std::string> read_thumbnail(const JobView& job);

}  // namespace mezzo::watch
