// Renaming without replacing.
#pragma once

#include "stages/files/file_system.h"

namespace mezzo::files {

/// Renames a file or folder to a free name: by renameat2(2) with RENAME_NOREPLACE. File systems that do
/// not know it, as some network file systems, get link(2) and unlink(2), or, for a folder, rename(2).
/// Where there are no links either, as on exFAT and FAT, a placeholder takes the name, and the file is
/// renamed over it. Returns 0, or -1 with errno: EEXIST when the name is taken; ENOTEMPTY or ENOTDIR
/// when a folder cannot have it.
///
/// Stopped between link and unlink, or when only the latter fails, it leaves the file with both names.
/// Stopped before the placeholder is renamed over, it leaves an abandoned one, which the next call for
/// that file or that name replaces. A placeholder is locked (flock(2)) until its file has the name.
int rename_new(FileSystem& files, At from, At to);

/// Whether the file is the placeholder of a rename_new() that was stopped: its lock is free, and it has a
/// placeholder's text, or is empty and on a file system that needs placeholders. A placeholder of another machine
/// counts only if no other machine can use the disk, since its lock may not be visible here. Leaves errno as it was.
bool is_abandoned_placeholder(FileSystem& files, At at);

/// Whether errno of a renameat2(2) says that the file system does not know the flag.
bool is_flag_unknown(int error_number);

}  // namespace mezzo::files
