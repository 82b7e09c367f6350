// What the file system that a file is on can be relied on for.
#pragma once

#include <string>

#include "stages/files/file_mark.h"

namespace mezzo::files {

/// Whether the path is on a file system that one kernel alone can have in use. One that is not
/// known here may be shared.
bool is_on_own_disk(const std::string& path);

/// Whether a file of this mark cannot have got another content and kept the mark: its disk keeps the time of a
/// change apart from that of the content, which any program can set back. FAT and exFAT do not. On disks that are
/// not known here, two times that are the same may be one.
bool keeps_change_time(const std::string& path, const FileMark& mark);

}  // namespace mezzo::files
