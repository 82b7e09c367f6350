// The disks of hot folders and of their plates: their space, and whether they take anything at all.
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

/// Why the disk of the folder takes nothing now, for people: it is full, read-only, or fails. Empty when
/// it takes a file, or the folder refuses it for another reason, such as its permissions. Writes a
/// hidden file of 256 KiB into the folder, or the nearest one above it that is there, and removes it.
/// May take as long as the disk does.
std::string disk_trouble(const std::string& folder, files::FileSystem& files);

/// Whether other machines write to the disk without a word to this one: a network share. True also where
/// nothing is known about the file system.
bool is_on_shared_disk(const std::string& path);
bool is_on_shared_disk(int fd);

}  // namespace mezzo::watch
