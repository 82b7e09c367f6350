// The report of a job, read for the status page.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "pipeline/watch/view/watch_view.h"

namespace mezzo::watch {

/// The text of job.report. Nothing when it names none in job.folder, or what is there is not a
/// regular file with one name and at most 32 MiB, or is reached by a symbolic link below the
/// folder. (The path of the folder itself may have links.)
std::optional<std::string> read_report(const JobView& job);

struct Picture {
  const char* type = "";  ///< "image/png" or "image/jpeg"
  std::string bytes;
};

/// The first picture of a report: of its data URIs, the first PNG or JPEG file that is at most
/// 64 KiB and begins like one. Nothing when there is none.
std::optional<Picture> first_picture(std::string_view report);

}  // namespace mezzo::watch
