// Renaming without replacing.
#pragma once

#include "stages/files/file_system.h"

namespace mezzo::files {

/// Renames a file or folder to a free name: by renameat2(2) with RENAME_NOREPLACE, and on file
/// systems that do not know it, as some network file systems, by link(2) and unlink(2), or, for a
/// folder, rename(2). Returns 0, or -1 with errno: EEXIST when the name is taken; ENOTEMPTY or
/// ENOTDIR when a folder cannot have it. Stopped between link and unlink, or when only the latter
/// fails, it leaves the file with both names.
int rename_new(FileSystem& files, At from, At to);

/// Whether errno of a renameat2(2) says that the file system does not know the flag.
bool is_flag_unknown(int error_number);

}  // namespace mezzo::files
