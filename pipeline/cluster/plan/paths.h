// Paths as plans hold them: the same from any working folder.
#pragma once

#include <string>

namespace mezzo::cluster {

/// The path from the root, without `.`, `..`, double slashes and a slash at its end. A `..` that
/// follows a symbolic link, where leaving it out would name another file, stays; links are kept.
/// The file need not exist. Throws Error(kIo) when the working folder is gone.
std::string absolute_path(const std::string& path);

/// Like absolute_path(), for a resolved template (OutputSettings::path), whose braces stay.
std::string absolute_template(const std::string& resolved);

/// The path of the plan's file.
std::string plan_file(const std::string& plan_folder);

}  // namespace mezzo::cluster
