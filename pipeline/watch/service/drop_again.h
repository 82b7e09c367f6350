// Dropping the files of an ended job into its folder again.
#pragma once

#include <string>

namespace mezzo::watch {

class JobHistory;
class WatchedFolder;
struct StoredJob;

/// Moves the job's files from where it left them back into its `folder`, and adds `note` to its
/// message in the history. Returns why it cannot be done, for people; empty when it was. Throws
/// Error(kIo, kDiskFull, kMissing). There must be a store of the history.
std::string drop_again(WatchedFolder& folder,
                       JobHistory& history,
                       StoredJob& job,
                       const std::string& note);

}  // namespace mezzo::watch
