// mezzotint gallery: one picture by all methods, dot for dot, with their time and their numbers.
#pragma once

#include "tools/cli/common_options.h"
#include "tools/cli/program.h"

namespace mezzo::gallery {

/// Adds the command. The references must outlive its action.
void add_gallery_command(cli::Program& program, const cli::CommonOptions& common);

}  // namespace mezzo::gallery
