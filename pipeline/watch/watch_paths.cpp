#include "pipeline/watch/watch_paths.h"

#include <cstdlib>

#include "kernels/core/error.h"

namespace mezzo {
namespace {

/// An absolute path, or nothing. systemd may give several: the first.
std::string folder_in(const char* variable) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value != '/') return "";
  const std::string folders = value;
  return folders.substr(0, folders.find(':'));
}

}  // namespace

std::string default_state_folder() {
  if (const std::string systemd = folder_in("STATE_DIRECTORY"); !systemd.empty()) return systemd;
  if (const std::string xdg = folder_in("XDG_STATE_HOME"); !xdg.empty()) return xdg + "/mezzotint";
  const std::string home = folder_in("HOME");
  if (home.empty()) {
    throw Error(ErrorKind::kUsage,
                "there is no folder for the history of jobs: neither HOME nor XDG_STATE_HOME is an "
                "absolute path; --state names one");
  }
  return home + "/.local/state/mezzotint";
}

std::string default_control_path(const std::string& state) {
  if (const std::string systemd = folder_in("RUNTIME_DIRECTORY"); !systemd.empty()) {
    return systemd + "/watch.sock";
  }
  if (const std::string user = folder_in("XDG_RUNTIME_DIR"); !user.empty()) {
    return user + "/mezzotint/watch.sock";
  }
  return state + "/watch.sock";
}

}  // namespace mezzo
