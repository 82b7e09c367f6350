// The folder for what this program can make again.
#pragma once

#include <string>

namespace mezzo::files {

/// $XDG_CACHE_HOME/mezzotint, or the same below ~/.cache; empty when neither is set. It may not exist.
std::string cache_folder();

}  // namespace mezzo::files
