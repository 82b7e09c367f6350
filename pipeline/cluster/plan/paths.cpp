#include "pipeline/cluster/plan/paths.h"

#include <filesystem>
#include <system_error>

#include "kernels/base/error.h"
#include "manifests/path_template.h"

namespace mezzo::cluster {
namespace {

namespace fs = std::filesystem;

fs::path working_folder() {
  std::error_code error;
  fs::path folder = fs::current_path(error);
  if (error) {
    throw Error(ErrorKind::kIo, "the working folder is not known: " + error.message());
  }
  return folder;
}

/// A folder's name as that of its files begins.
std::string without_last_slash(const fs::path& path) {
  return path.has_filename() || !path.has_relative_path() ? path.string()
                                                          : path.parent_path().string();
}

}  // namespace

std::string absolute_path(const std::string& path) {
  const fs::path whole = working_folder() / path;
  const fs::path normal = whole.lexically_normal();
  std::error_code error;
  // Whether there is a file under the longer name, and the shorter one is another or none.
  const bool differs = fs::exists(whole, error) && !fs::equivalent(whole, normal, error);
  return without_last_slash(differs ? whole : normal);
}

std::string absolute_template(const std::string& resolved) {
  const fs::path path = resolved;
  if (path.is_absolute()) return path.lexically_normal().string();
  const fs::path folder = manifests::with_doubled_braces(working_folder().string());
  return (folder / path).lexically_normal().string();
}

std::string plan_file(const std::string& plan_folder) {
  return plan_folder + "/plan.json";
}

}  // namespace mezzo::cluster
