// The folder for data that must survive the program: journals, the watcher's store.
#pragma once

#include <string>

namespace mezzo::resume {

/// $STATE_DIRECTORY (systemd's), or $XDG_STATE_HOME/mezzotint, or ~/.local/state/mezzotint, made
/// when it is missing, for this user alone. It must lie on a local disk: SQLite locks files there.
/// Throws Error(kCannotCreate) when there is no such folder and none can be made.
std::string state_folder();

/// The same folder, which may be missing: none is made.
std::string state_folder_path();

}  // namespace mezzo::resume
