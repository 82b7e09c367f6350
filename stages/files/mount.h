// The file system that a file is on, as messages name it.
#pragma once

#include <string>

namespace mezzo::files {

/// Its type as mount(8) calls it, such as "ext4", "exfat" or "fuseblk"; empty when it is not known.
std::string file_system_of(int fd);
std::string file_system_of(const std::string& path);

/// Whether files of this type of file system have no modes of their own, but those that it was mounted
/// with: FAT and exFAT, and disks by FUSE, which may be of these.
bool has_fixed_modes(const std::string& file_system);

/// A character of the name that FAT, exFAT and NTFS do not take, such as ':'; 0 when there is none.
char character_for_few(const std::string& name);

}  // namespace mezzo::files
