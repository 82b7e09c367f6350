// The text of a small file that a person wrote, from disk.
#pragma once

#include <string>
#include <string_view>

namespace mezzo::manifests {

/// Which ways to a file are good. Where strangers put files, a symbolic link or a second name may
/// lead to one that is not theirs, and messages would show lines of it.
enum class Names { kAny, kOneAndNoLink };

/// The whole text of a regular file of at most kMaxManifestBytes. Messages call it `what`, and give
/// the advice when it is larger. Throws Error: kMissing, kIo, kLimit. Never waits for a FIFO.
std::string read_text(const std::string& path,
                      std::string_view what,
                      Names names,
                      std::string_view advice);

}  // namespace mezzo::manifests
