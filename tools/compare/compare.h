// mezzotint compare: the quality of halftones, in numbers.
#pragma once

#include "tools/cli/common_options.h"
#include "tools/cli/program.h"

namespace mezzo::compare {

/// Adds the command. The references must outlive its action.
void add_compare_command(cli::Program& program, const cli::CommonOptions& common);

}  // namespace mezzo::compare
