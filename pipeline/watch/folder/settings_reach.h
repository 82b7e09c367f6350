// Settings of a hot folder that reach beyond it, and people who may make them.
//
// A member of the group that drops pages can put a folder.yaml of his own into the folder. Its pages
// and plates are his to change, but not other folders, the machine that all folders share, or the
// originals of others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "manifests/folder.h"

namespace mezzo::watch {

/// The keys that have an effect beyond the hot folder `path`: "plates" when they lead out of it, and
/// limits, hours, priority, throttle, tries, stall, keep and reserve that differ from the defaults.
std::vector<std::string> keys_beyond(const std::string& path,
                                     const manifests::FolderSettings& settings);

/// Whether a path leads out of the folder that it starts from.
bool leads_out(const std::string& folder, const std::string& path);

/// A reason to doubt that a file has the settings of the watcher's user or of root.
struct SettingsDoubt {
  std::string reason;  ///< as in "it belongs to user 1001 (eve)"
  std::string remedy;  ///< the command that ends the doubt
};

/// Nothing when only this process's user and root can have written the open file, which messages
/// call `path`.
std::optional<SettingsDoubt> doubt_about(int file, const std::string& path);

}  // namespace mezzo::watch
