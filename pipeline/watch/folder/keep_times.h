// Deletes files that have lain in done/, failed/ and reports/ of a hot folder for longer than its
// settings keep them. Its time there counts from its last change of any kind, such as the move
// there.
#pragma once

#include <string>

#include "manifests/folder.h"
#include "pipeline/wall_time.h"
#include "stages/files/file_system.h"

namespace mezzo::watch {

/// Throws Error(kIo) when a folder cannot be read; a file that cannot be deleted is left.
void delete_old(int folder,
                const std::string& path,
                const manifests::FolderSettings& settings,
                WallTime now,
                files::FileSystem& calls);

}  // namespace mezzo::watch
