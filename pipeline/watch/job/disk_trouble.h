// Disks that take nothing, which is no fault of the job that found out.
#pragma once

#include <string>

#include "stages/files/file_system.h"

namespace mezzo::watch {

/// Why the disk of the folder takes nothing now, for people: it is full, read-only, or fails. Empty when
/// it takes a file, or the folder refuses it for another reason, such as its permissions. Writes a
/// hidden file of 256 KiB into the folder, or the nearest one above it that is there, and removes it.
/// May take as long as the disk does.
std::string disk_trouble(const std::string& folder, files::FileSystem& files);

}  // namespace mezzo::watch
