#include "pipeline/watch/view/watch_paths.h"

#include <cstdlib>

namespace mezzo::watch {
namespace {

/// An absolute path, or nothing. systemd may give several: the first.
std::string folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value != '/') return "";
  const std::string folders = value;
  return folders.substr(0, folders.find(':'));
}

}  // namespace

std::string default_control_path(const std::string& state) {
  if (const std::string systemd = folder_in("RUNTIME_DIRECTORY"); !systemd.empty()) {
    return systemd + "/watch.sock";
  }
  if (const std::string user = folder_in("XDG_RUNTIME_DIR"); !user.empty()) {
    return user + "/mezzotint/watch.sock";
  }
  return state + "/watch.sock";
}

}  // namespace mezzo::watch
