#include "stages/files/cache_folder.h"

#include <cstdlib>

namespace mezzo::files {

std::string cache_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  // The XDG Base Directory Specification ignores relative paths.
  const std::string cache = variable("XDG_CACHE_HOME"), home = variable("HOME");
  if (cache.starts_with('/')) return cache + "/mezzotint";
  return home.starts_with('/') ? home + "/.cache/mezzotint" : std::string();
}

}  // namespace mezzo::files
