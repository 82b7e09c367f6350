// The secret without which the status page only shows: verbs over HTTP need the rights that the
// control socket needs, so the secret lies in a file of the watcher's user.
#pragma once

#include <string>

namespace mezzo::watch {

/// 64 random hexadecimal digits. Throws Error(kIo) when the system has none.
std::string new_token();

/// The token in the file `path`, which is made, for its user alone, when there is none; so a page
/// that has it keeps it over restarts. Throws Error(kIo, kCannotCreate), also for a file that
/// others may read or that holds something else.
std::string kept_token(const std::string& path);

}  // namespace mezzo::watch
