// The report of a job, read for the status page.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pipeline/watch/watch_view.h"

namespace mezzo {

/// The text of job.report. Nothing when it names none in job.folder, or what is there is not a
/// regular file with one name and at most 32 MiB, or is reached by a symbolic link below the
/// folder. (The path of the folder itself may have links.)
std::optional<std::string> read_report(const JobView& job);

/// The first picture of a report, as a PNG file: of its data URIs, the first that is at most 64 KiB
/// and looks like one. Nothing when there is none.
std::optional<std::string> first_picture(std::string_view report);

}  // namespace mezzo
