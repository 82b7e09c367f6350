// What the worker of a job is started with, and by which it is known again.
#pragma once

#include <string>
#include <vector>

#include "manifests/folder.h"
#include "pipeline/watch/folder/hot_folder.h"
#include "pipeline/watch/job/job_context.h"

namespace mezzo::watch {

/// The folder of the job's report.
std::string report_folder(const HotFolder& folder, const ClaimedJob& job);

/// Throws Error(kIo) where it cannot be said whether the job has a press file: it must not run without.
std::vector<std::string> worker_command(const HotFolder& folder,
                                        const ClaimedJob& job,
                                        const JobContext& context);

/// Keeps the press file of the folder for the job, unless it has one from before. Throws Error(kIo,
/// kDiskFull, kCannotCreate).
void keep_press(const HotFolder& folder, const ClaimedJob& job, const JobContext& context);

/// The digest of a content and of the press that it is made for: files that were printed on another press,
/// or before its file, a file that it names or its curves changed, are printed again. Empty when `digest`
/// is.
std::string digest_on_press(const std::string& digest, const manifests::FolderSettings& settings);

}  // namespace mezzo::watch
