// Deletes files that have lain in done/, failed/ and reports/ of a hot folder for longer than its
// settings keep them. Its time there counts from its last change of any kind, such as the move
// there.
#pragma once

#include <functional>
#include <string>

#include "manifests/folder.h"
#include "pipeline/steady_time.h"
#include "pipeline/wall_time.h"
#include "stages/files/file_system.h"

namespace mezzo::watch {

/// Deletes them in the hot folder `path`, while `goes_on` returns true, which is asked before each
/// file; the next call continues. Logs what it deletes. Throws Error(kIo) when one of these folders
/// cannot be read; a file in it that cannot be deleted is left.
void delete_old(const std::string& path,
                const manifests::FolderSettings& settings,
                WallTime now,
                files::FileSystem& calls,
                const std::function<bool()>& goes_on);

/// The time that ages of files count to. A clock that was set, in the time `since` this process
/// began at `begun`, makes no file older.
WallTime time_for_ages(WallTime now, WallTime begun, SteadyClock::duration since);

}  // namespace mezzo::watch
