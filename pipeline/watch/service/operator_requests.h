// The requests of an operator (watch_requests.h) that change something. Each returns why it was
// refused, for people; empty when it was done.
#pragma once

#include <string>

namespace mezzo::watch {

class Dispatcher;
class FolderSet;
class JobHistory;
struct Moment;

/// Pauses or resumes the folder, also over restarts; all folders when `folder` is empty.
std::string pause_folder(FolderSet& folders,
                         JobHistory& history,
                         const std::string& folder,
                         bool paused);

/// Drops the files of a failed job into its folder again.
std::string retry_job(FolderSet& folders,
                      Dispatcher& jobs,
                      JobHistory& history,
                      const std::string& id);

/// Drops the files of a done job into its folder again, to be made again also when its plates still
/// stand.
std::string again_job(FolderSet& folders, JobHistory& history, const std::string& id);

/// Takes a failed job off the list of those that failed.
std::string dismiss_job(JobHistory& history, const std::string& id);

/// Cancels a running or resting job.
std::string cancel_job(FolderSet& folders,
                       Dispatcher& jobs,
                       const std::string& id,
                       const Moment& now);

}  // namespace mezzo::watch
