// The file that has a plate's name now.
#pragma once

#include <optional>
#include <string>

#include "stages/files/file_mark.h"

namespace mezzo::cluster {

struct DigestedFile {
  files::FileMark mark;
  std::string digest;  ///< "xxh3:...", of the whole file
};

/// Reads a file; nothing when no regular file has that name, or it changes meanwhile. Throws
/// Error(kIo).
std::optional<DigestedFile> digest_file(const std::string& path);

}  // namespace mezzo::cluster
