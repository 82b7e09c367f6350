// mezzotint gallery: one picture by all methods, dot for dot, with their time and their numbers.
#pragma once

#include "tools/cli/common_options.h"
#include "tools/cli/options.h"

namespace mezzo::gallery {

/// Gives the command its options and its action. The references must outlive the action.
void make_gallery_command(cli::Command& command, const cli::CommonOptions& common);

}  // namespace mezzo::gallery
