// The manual page of a command, made from the tree that makes its help.
#pragma once

#include <string>

#include "tools/cli/options.h"

namespace mezzo::words {

/// "mezzotint-run", the name of its page.
std::string page_name(const cli::Command& command);

/// The page as mdoc; with what its commands do, if it has any. That of the program lists commands by
/// their pages.
std::string command_page(const cli::Command& command);

}  // namespace mezzo::words
