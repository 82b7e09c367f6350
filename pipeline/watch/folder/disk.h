// The disks of hot folders and of their plates.
#pragma once

#include <optional>
#include <string>

#include "pipeline/watch/view/watch_view.h"
#include "stages/files/file_system.h"

namespace mezzo::watch {

/// The disk that `folder` is on, or will be when it is made; nothing when not known.
std::optional<DiskView> disk_of(const std::string& folder, files::FileSystem& calls);

/// "waits for space on /mnt: 12 MiB are free, 26 MiB more are needed".
std::string shortage_text(const DiskView& disk);

}  // namespace mezzo::watch
