// Disks that other machines write to without a word to this one: network shares.
#pragma once

#include <string>

namespace mezzo::watch {

/// True also where nothing is known about the file system.
bool is_on_shared_disk(const std::string& path);
bool is_on_shared_disk(int fd);

}  // namespace mezzo::watch
