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

/// One page for a program with all of its commands.
std::string page_with_commands(const cli::Command& program);

}  // namespace mezzo::words
