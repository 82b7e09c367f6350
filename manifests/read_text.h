// Reads a small text file that a person wrote.
#pragma once

#include <string>
#include <string_view>

#include "manifests/source_text.h"

namespace mezzo::manifests {

/// The links that may lead to a file. A symbolic link or a second name made by an untrusted user
/// may lead to a file that is not theirs, and messages would show lines of it.
enum class Names { kAny, kOneAndNoLink };

/// The whole text of a regular file of at most `most_bytes`. Messages call the file `what`;
/// that for a larger file ends with `advice`. Throws Error: kMissing, kIo, kLimit, and kData for a
/// file that is plainly something else, such as a picture. Never waits for a FIFO.
std::string read_text(const std::string& path,
                      std::string_view what,
                      Names names,
                      std::string_view advice,
                      size_t most_bytes = kMaxManifestBytes);

}  // namespace mezzo::manifests
