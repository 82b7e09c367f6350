#include "pipeline/resume/state_folder.h"

#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "kernels/base/error.h"

namespace mezzo::resume {
namespace {

std::string from_environment(const char* name) {
  const char* value = std::getenv(name);
  // Relative paths are void in XDG's rules, and would be another folder each time.
  return value != nullptr && *value == '/' ? value : "";
}

}  // namespace

std::string state_folder_path() {
  // systemd gives several, divided by colons, when a unit asks for several.
  const std::string systemd = from_environment("STATE_DIRECTORY");
  if (!systemd.empty()) return systemd.substr(0, systemd.find(':'));
  const std::string xdg = from_environment("XDG_STATE_HOME");
  if (!xdg.empty()) return xdg + "/mezzotint";
  const std::string home = from_environment("HOME");
  if (!home.empty()) return home + "/.local/state/mezzotint";
  throw Error(
      ErrorKind::kCannotCreate,
      "there is no folder for journals: none of STATE_DIRECTORY, XDG_STATE_HOME and HOME is "
      "an absolute path");
}

std::string state_folder() {
  const std::filesystem::path folder = state_folder_path();
  std::error_code error;
  std::filesystem::create_directories(folder.parent_path(), error);
  if (!error && ::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    error = std::error_code(errno, std::generic_category());
  }
  if (error) {
    throw Error(ErrorKind::kCannotCreate,
                folder.string() + ": the folder for journals cannot be made: " + error.message() +
                    "; XDG_STATE_HOME names another");
  }
  return folder.string();
}

}  // namespace mezzo::resume
