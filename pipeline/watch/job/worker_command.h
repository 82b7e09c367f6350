// The command line of a job's worker, its press file, and the digest by which a job that is dropped again
// is recognised.
#pragma once

#include <string>
#include <vector>

#include "manifests/folder.h"
#include "pipeline/watch/folder/hot_folder.h"
#include "pipeline/watch/job/job_context.h"

namespace mezzo::watch {

/// The folder of the job's report.
std::string report_folder(const HotFolder& folder, const ClaimedJob& job);

/// Returns the words of the command. Throws Error(kIo) when it is not known whether the job has a press
/// file, as the job must not run without it.
std::vector<std::string> worker_command(const HotFolder& folder,
                                        const ClaimedJob& job,
                                        const JobContext& context);

/// Copies the press file of the folder into the journals' folder, unless the job has a copy from an earlier
/// try. Throws Error(kIo, kDiskFull, kCannotCreate).
void keep_press(const HotFolder& folder, const ClaimedJob& job, const JobContext& context);

/// Returns the digest of a content and of the press that it is made for, so that files are printed again on
/// another press, and after a change of the press file, a file that it names or its curves. Empty when
/// `digest` is empty.
std::string digest_on_press(const std::string& digest, const manifests::FolderSettings& settings);

}  // namespace mezzo::watch
