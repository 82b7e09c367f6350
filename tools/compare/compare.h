// mezzotint compare: the quality of halftones, in numbers.
#pragma once

#include "tools/cli/common_options.h"
#include "tools/cli/options.h"

namespace mezzo::compare {

/// Gives the command its options and its action. The references must outlive the action.
void make_compare_command(cli::Command& command, const cli::CommonOptions& common);

}  // namespace mezzo::compare
