// The default paths of a watcher and of its clients.
#pragma once

#include <string>

namespace mezzo::watch {

/// $RUNTIME_DIRECTORY/watch.sock, or $XDG_RUNTIME_DIR/mezzotint/watch.sock, or `state`/watch.sock.
std::string default_control_path(const std::string& state);

}  // namespace mezzo::watch
